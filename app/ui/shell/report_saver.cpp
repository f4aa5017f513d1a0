#include "app/ui/shell/report_saver.hpp"

#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/messages.hpp"

namespace warpscope::ui {
namespace {

constexpr SavedKind kSavedReport{{".html", ".htm"},
                                 "An HTML page with all analyses",
                                 "Replaces the existing report",
                                 "The existing file is not a report; choose another name or use the .html extension"};

}  // namespace

ReportSaver::ReportSaver(WriteReport write) : write_(std::move(write)), dialog_("##save-report", kSavedReport) {}

void ReportSaver::ask(const AppContext& app) {
  dialog_.ask(app.session.name() + ".html", "Save a report of " + app.session.name());
}

void ReportSaver::draw(AppContext& app) {
  const auto chosen = dialog_.draw(app);
  if (!chosen || !app.session.profile()) return;
  file_ = *chosen;
  of_ = app.session.current_id();
  ReportRequest request{app.session.name(),        app.session.profile(), app.session.events(),
                        app.settings.kernel_class, app.user_folder,       file_};
  app.messages.info("Writing " + file_.filename().string() + " …", app.now);
  work_.start(
      [write = write_, request = std::move(request)](const CancelToken& cancel) { return write(request, cancel); },
      app.wake);
}

void ReportSaver::take_news(AppContext& app) {
  if (work_.running() && app.session.find(of_) == nullptr) {
    work_.stop();
    app.messages.info(file_.filename().string() + " not written: the profile was unloaded", app.now);
    return;
  }
  const auto done = work_.take();
  if (!done) return;
  if (*done)
    app.messages.error(**done);
  else
    app.messages.info("Saved " + file_.filename().string(), app.now);
}

}  // namespace warpscope::ui
