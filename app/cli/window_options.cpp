#if WARPSCOPE_GRAPHICS
#include "app/cli/window_options.hpp"

#include "app/cli/demo.hpp"
#include "app/cli/output_file.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::cli {

ui::AppOptions window_options(const ingest::LoadOptions& load_with, const std::vector<std::string>& roots,
                              std::string_view clocks, const std::string& state) {
  ui::AppOptions app;
  app.loader = ui::directory_loader(load_with);
  app.store_folder = load_with.store.folder;
  app.roots = roots;
  app.recorded_clocks = clocks == "recorded";
  app.state_file = state;
  app.make_demo = demo_maker();
  return app;
}

Result<PictureSize> parse_picture_size(std::string_view text) {
  constexpr int kLeastWidth = 320;
  constexpr int kLeastHeight = 200;
  constexpr int kMost = 16384;
  const std::size_t x = text.find('x');
  if (x != std::string_view::npos) {
    const auto width = parse_number<int>(text.substr(0, x));
    const auto height = parse_number<int>(text.substr(x + 1));
    if (width && height && *width >= kLeastWidth && *height >= kLeastHeight && *width <= kMost && *height <= kMost)
      return PictureSize{*width, *height};
  }
  return Error{"--size " + std::string(text), "is not a valid image size",
               "specify WIDTHxHEIGHT in pixels, from 320x200 to 16384x16384"};
}

}  // namespace warpscope::cli
#endif
