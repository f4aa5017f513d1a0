#pragma once
// Saves a chart as a figure for papers: SVG, or PNG at the UI scale. Figures always use the light theme and have axis
// titles and the full caption.
#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "app/ui/app_context.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/widgets/path_dialog.hpp"
#include "core/base/result.hpp"
#include "render/charts/figure.hpp"

namespace warpscope::ui {

inline constexpr SavedKind kSavedPicture{{".svg", ".png"},
                                         "A new SVG; name it .png to save a PNG",
                                         "Replaces the existing image",
                                         "The existing file is not an image; choose another name"};

/// Returns the light theme for figures, with the hues of the window's theme.
[[nodiscard]] scene::Theme figure_theme(const AppContext& app);

/// Asks where to save a chart. Figures are drawn on the UI thread but written on another thread, because disks may be
/// slow.
class FigureSaver {
 public:
  explicit FigureSaver(const char* id) : dialog_(id, kSavedPicture) {}

  [[nodiscard]] PathDialog& dialog() { return dialog_; }
  [[nodiscard]] const PathDialog& dialog() const { return dialog_; }
  [[nodiscard]] bool busy() const { return dialog_.busy() || writing_.running(); }
  /// Draws the dialog while it is open; returns the path once confirmed. Reports the result of save().
  std::optional<std::filesystem::path> draw(const AppContext& app);
  /// `chart_height`: px at 1×. Call inside a frame.
  void save(const AppContext& app, const charts::Figure& figure, float chart_height, const std::filesystem::path& path);

 private:
  PathDialog dialog_;
  Background<Failure> writing_;
  std::string name_;  // of the file being written
};

/// Returns the suggested file name: "job-kernel_time.svg"; replaces characters unsuitable for file names with "_".
[[nodiscard]] std::string figure_name(std::string_view profile, std::string_view what);

}  // namespace warpscope::ui
