#if WARPSCOPE_GRAPHICS
#include "app/cli/window_report.hpp"

#include "app/cli/output_file.hpp"
#include "app/cli/report/report_file.hpp"
#include "core/base/files/new_file.hpp"

namespace warpscope::cli {

ui::WriteReport report_writer() {
  return [](const ui::ReportRequest& request, const CancelToken& cancel) -> Failure {
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
  };
}

}  // namespace warpscope::cli
#endif
