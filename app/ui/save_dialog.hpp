#pragma once
// Asks where a picture or a report is to be written.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/ui/dialog.hpp"

namespace warpscope::ui {

/// What is saved. Static texts.
struct SavedKind {
  std::string_view extension;  ///< ".png", in lower case: other files are not replaced
  std::string_view fresh;      ///< what is told where there is no file
  std::string_view replaces;   ///< where there is one of the kind
  std::string_view foreign;    ///< where there is another
};
inline constexpr SavedKind kSavedPicture{
    ".png", "A picture in PNG format", "Replaces the picture that is there",
    "A file that is no picture is there; take another name, or one that ends in .png"};

class SaveDialog : public Dialog {
 public:
  explicit SaveDialog(const char* id, const SavedKind& kind = kSavedPicture) : Dialog(id), kind_(kind) {}

  /// Proposes `file`, in the folder that was saved to last (the home directory at first).
  void ask(std::string file, std::string title);
  /// Draws it while it is open; the path, once, when it was confirmed.
  std::optional<std::filesystem::path> draw(const AppContext& app);

 private:
  SavedKind kind_;
  std::string title_;
  std::string path_;
  std::filesystem::path folder_;
};

}  // namespace warpscope::ui
