#pragma once
// A dialog that asks where to save an image or report.
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/model/background.hpp"
#include "app/ui/widgets/dialog.hpp"

namespace warpscope::ui {

/// A selectable output format. The strings are static.
struct SavedFormat {
  std::string_view word;       ///< label of its button
  std::string_view extension;  ///< ".png", in lower case
};

/// A file type that can be saved. The strings are static.
struct SavedKind {
  std::string_view extension;              ///< ".png", in lower case: files with another extension are not replaced
  std::string_view fresh;                  ///< shown if the file does not exist
  std::string_view replaces;               ///< shown if a file of this kind exists
  std::string_view foreign;                ///< shown if a different file exists
  std::span<const SavedFormat> formats{};  ///< selectable formats; empty: only that of `extension`
};

class SaveDialog : public Dialog {
 public:
  SaveDialog(const char* id, const SavedKind& kind) : Dialog(id), kind_(kind) {}

  /// Opens the dialog and suggests `file` in the last used folder (initially the home directory).
  void ask(std::string file, std::string title);
  /// Draws the dialog while it is open; returns the path once confirmed.
  std::optional<std::filesystem::path> draw(const AppContext& app);
  /// True while another thread checks what exists at the path.
  [[nodiscard]] bool busy() const { return is_open() && looking_.running(); }
  /// Returns the index of the last chosen format.
  [[nodiscard]] std::size_t format() const { return format_; }
  /// Returns the center of the last format button, in screen coordinates.
  [[nodiscard]] ImVec2 last_format_at() const { return last_format_at_; }

 private:
  /// The file or folder found at a path.
  struct Found {
    std::string path;
    bool folder_exists = false;  ///< the file's folder
    bool is_folder = false;
    bool exists = false;
  };

  void choose_format(const AppContext& app);
  void look(const AppContext& app);
  [[nodiscard]] bool known() const { return found_ && found_->path == path_; }
  [[nodiscard]] bool foreign() const;
  [[nodiscard]] std::string_view note() const;

  SavedKind kind_;
  std::size_t format_ = 0;
  ImVec2 last_format_at_{};
  std::string title_;
  std::string path_;
  std::filesystem::path folder_;
  Background<Found> looking_;  // disks may be slow
  std::string looked_at_;      // the path of looking_
  std::optional<Found> found_;
  bool save_wanted_ = false;  // Enter was pressed before found_ was known
};

}  // namespace warpscope::ui
