#pragma once
// Asks where a picture or a report is to be written.
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/widgets/dialog.hpp"

namespace warpscope::ui {

/// One of several formats in which it can be saved. Static texts.
struct SavedFormat {
  std::string_view word;       ///< on its button
  std::string_view extension;  ///< ".png", in lower case
};

/// What is saved. Static texts.
struct SavedKind {
  std::string_view extension;              ///< ".png", in lower case: other files are not replaced
  std::string_view fresh;                  ///< shown where no file exists yet
  std::string_view replaces;               ///< where there is one of the kind
  std::string_view foreign;                ///< where there is another
  std::span<const SavedFormat> formats{};  ///< to choose from; empty: the one of `extension`
};

class SaveDialog : public Dialog {
 public:
  SaveDialog(const char* id, const SavedKind& kind) : Dialog(id), kind_(kind) {}

  /// Proposes `file`, in the folder that was saved to last (the home directory at first).
  void ask(std::string file, std::string title);
  /// Draws it while it is open; the path, once, when it was confirmed.
  std::optional<std::filesystem::path> draw(const AppContext& app);
  /// Index of the format that was chosen last.
  [[nodiscard]] std::size_t format() const { return format_; }
  /// Middle of the last format's button, on the screen.
  [[nodiscard]] ImVec2 last_format_at() const { return last_format_at_; }

 private:
  void choose_format(const AppContext& app);

  SavedKind kind_;
  std::size_t format_ = 0;
  ImVec2 last_format_at_{};
  std::string title_;
  std::string path_;
  std::filesystem::path folder_;
};

}  // namespace warpscope::ui
