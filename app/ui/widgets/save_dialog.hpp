#pragma once
// Asks where to save a picture or report.
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/widgets/dialog.hpp"

namespace warpscope::ui {

/// A selectable output format. Static strings.
struct SavedFormat {
  std::string_view word;       ///< label of its button
  std::string_view extension;  ///< ".png", in lower case
};

/// Kind of file to save. Static strings.
struct SavedKind {
  std::string_view extension;              ///< ".png", in lower case: files with another extension are not replaced
  std::string_view fresh;                  ///< shown if the file does not exist
  std::string_view replaces;               ///< shown if a file of the kind exists
  std::string_view foreign;                ///< shown if another file exists
  std::span<const SavedFormat> formats{};  ///< selectable formats; empty: only that of `extension`
};

class SaveDialog : public Dialog {
 public:
  SaveDialog(const char* id, const SavedKind& kind) : Dialog(id), kind_(kind) {}

  /// Suggests `file` in the last used folder (initially the home directory).
  void ask(std::string file, std::string title);
  /// Draws the dialog while open; returns the path once confirmed.
  std::optional<std::filesystem::path> draw(const AppContext& app);
  /// Index of the last chosen format.
  [[nodiscard]] std::size_t format() const { return format_; }
  /// Centre of the last format's button, on the screen.
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
