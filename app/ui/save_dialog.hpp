#pragma once
// Asks where a picture is to be written.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "app/ui/dialog.hpp"

namespace warpscope::ui {

class SaveDialog : public Dialog {
 public:
  SaveDialog() : Dialog("##save-picture") {}

  /// Proposes `file`, in the folder that was saved to last (the home directory at first).
  void ask(std::string file, std::string title);
  /// Draws it while it is open; the path, once, when it was confirmed.
  std::optional<std::filesystem::path> draw(const AppContext& app);

 private:
  std::string title_;
  std::string path_;
  std::filesystem::path folder_;
};

}  // namespace warpscope::ui
