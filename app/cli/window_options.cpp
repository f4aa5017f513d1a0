#if WARPSCOPE_GRAPHICS
#include "app/cli/window_options.hpp"

#include "app/cli/demo.hpp"
#include "app/cli/output_file.hpp"
#include "app/cli/report/report_file.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "core/base/files/new_file.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::cli {

namespace {

Failure write_window_report(const ui::ReportRequest& request, const CancelToken& cancel) {
  const auto file = output_file(request.file.string(), Replaces::report);
  if (!file) return file.error();
  std::atomic<std::size_t> done{0};
  const std::string text = report_text({.title = request.title,
                                        .profile = *request.profile,
                                        .events = request.events.get(),
                                        .kernel_rules = request.kernel_rules,
                                        .user = settings::read_user_rules(request.user_folder)},
                                       cancel, done);
  if (cancel.cancelled()) return {};
  return replace_file(*file, text, Sync::yes);
}

}  // namespace

ui::AppOptions window_options(const ingest::LoadOptions& load_with, const std::vector<std::string>& roots,
                              std::string_view clocks, const std::string& state) {
  ui::AppOptions app;
  app.loader = ui::directory_loader(load_with);
  app.store_folder = load_with.store.folder;
  app.roots = roots;
  app.recorded_clocks = clocks == "recorded";
  app.state_file = state;
  app.make_demo = demo_maker();
  app.write_report = write_window_report;
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
