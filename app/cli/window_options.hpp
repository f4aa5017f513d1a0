#pragma once
// Options shared by the window and snapshots, for builds with graphics.
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/shell/app.hpp"
#include "core/base/result.hpp"
#include "core/ingest/load/load_options.hpp"

namespace warpscope::cli {

/// Returns the options of an application that loads profiles with `load_with`. `roots`: folders to list on the Load
/// page. `clocks`: "recorded" to show times as recorded. `state`: path of the state dump, or empty.
[[nodiscard]] ui::AppOptions window_options(const ingest::LoadOptions& load_with, const std::vector<std::string>& roots,
                                            std::string_view clocks, const std::string& state);

struct PictureSize {
  int width = 0;
  int height = 0;
};

/// Parses a size in output pixels, such as "1600x1000", from 320 x 200 to 16384 x 16384.
[[nodiscard]] Result<PictureSize> parse_picture_size(std::string_view text);

}  // namespace warpscope::cli
