#pragma once
// Saves a chart as a figure for papers: SVG, or PNG at 1× or 2×. Figures always use the light theme and have axis
// titles and the full caption.
#include <array>
#include <filesystem>

#include "app/ui/app_context.hpp"
#include "app/ui/widgets/save_dialog.hpp"
#include "core/base/result.hpp"
#include "render/charts/figure.hpp"

namespace warpscope::ui {

inline constexpr std::array<SavedFormat, 3> kPictureFormats{{{"SVG", ".svg"}, {"PNG 1×", ".png"}, {"PNG 2×", ".png"}}};

inline constexpr SavedKind kSavedPicture{"", "A new picture", "Replaces the existing picture",
                                         "The existing file is not a picture; choose another name", kPictureFormats};

/// Light theme for figures, with the hues of the window's theme.
[[nodiscard]] scene::Theme figure_theme(const AppContext& app);

/// Writes the figure. `format`: index in kPictureFormats; `chart_height`: px at 1×. UI thread, inside a frame.
[[nodiscard]] Failure save_figure(const AppContext& app, const charts::Figure& figure, float chart_height,
                                  std::size_t format, const std::filesystem::path& path);
/// Writes the figure and reports the result to the user.
void export_figure(const AppContext& app, const charts::Figure& figure, float chart_height, std::size_t format,
                   const std::filesystem::path& path);

/// Suggested file name: "job-kernel_time.svg"; characters unsuitable for file names become "_".
[[nodiscard]] std::string figure_name(std::string_view profile, std::string_view what);

}  // namespace warpscope::ui
