#pragma once
// Saves a chart as a figure for papers: SVG, or PNG at 1× or 2×, in the light theme whatever the window's is, with axis
// titles and the whole caption.
#include <array>
#include <filesystem>

#include "app/ui/app_context.hpp"
#include "app/ui/widgets/save_dialog.hpp"
#include "core/base/result.hpp"
#include "render/charts/figure.hpp"

namespace warpscope::ui {

inline constexpr std::array<SavedFormat, 3> kPictureFormats{{{"SVG", ".svg"}, {"PNG 1×", ".png"}, {"PNG 2×", ".png"}}};

inline constexpr SavedKind kSavedPicture{"", "A new picture", "Replaces the picture that is there",
                                         "A file of another kind is there; take another name", kPictureFormats};

/// The light theme in which figures are drawn, with the hues of the window's.
[[nodiscard]] scene::Theme figure_theme(const AppContext& app);

/// `format`: index of kPictureFormats; `chart_height`: px at 1×. UI thread, inside a frame.
[[nodiscard]] Failure save_figure(const AppContext& app, const charts::Figure& figure, float chart_height,
                                  std::size_t format, const std::filesystem::path& path);
/// The same, and tells the user how it went.
void export_figure(const AppContext& app, const charts::Figure& figure, float chart_height, std::size_t format,
                   const std::filesystem::path& path);

/// The name that is proposed: "job-kernel_time.svg"; what no file name should have becomes "_".
[[nodiscard]] std::string figure_name(std::string_view profile, std::string_view what);

}  // namespace warpscope::ui
