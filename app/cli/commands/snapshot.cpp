// `warpscope snapshot PATH --page timeline --out FILE.png …`: renders the same picture as the window, without a display
// or a GPU.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/diagnostics_line.hpp"
#include "app/cli/interrupts.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "app/settings/page_names.hpp"
#include "core/base/filter/filter.hpp"
#include "core/base/format.hpp"

#if WARPSCOPE_GRAPHICS
#include "app/cli/progress_line.hpp"
#include "app/cli/window_options.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/page.hpp"
#include "app/ui/shell/offscreen_app.hpp"
#include "core/base/progress_text.hpp"
#include "render/gl/image.hpp"
#endif

namespace warpscope::cli {

namespace {

struct SnapshotOptions {
  std::string path;  ///< empty for pages that need no profile
  std::string out;
  std::string page = "timeline";
  std::string size = "1600x1000";
  double scale = 1;
  std::string theme = "dark";
  std::string from;  ///< empty: everything
  std::string to;
  std::string select;
  std::string script;
  std::vector<std::string> roots;
  std::string clocks;  ///< empty: aligned
  std::string state;
  LoadFlags load;
};

#if WARPSCOPE_GRAPHICS

Result<ui::TimelineOptions> timeline_options(const SnapshotOptions& options) {
  ui::TimelineOptions timeline;
  const auto from = parse_time_option("--from", options.from);
  if (!from) return from.error();
  const auto to = parse_time_option("--to", options.to);
  if (!to) return to.error();
  if (const auto filter = parse_filter(options.select); !options.select.empty() && !filter) {
    Error error = filter.error();
    error.where = "--select " + options.select + ", " + error.where;
    return error;
  }
  timeline.from = *from;
  timeline.to = *to;
  timeline.select = options.select;
  return timeline;
}

/// Draws until `window` has finished loading and updating; shows load progress on a terminal. Returns false on an
/// interrupt or timeout.
bool settle(ui::OffscreenApp& window, Interrupts& interrupts) {
  ProgressLine line;
  const ui::Session& session = window.app().context().session;
  return window.settle(std::chrono::seconds(120), [&] {
    const ui::LoadStatus& progress = session.progress();
    if (progress.running)
      line.show(progress_text(progress.done, progress.total, progress.bytes_per_second, progress.seconds_left));
    return !interrupts.came();
  });
}

/// If a store turns out to be corrupt, reads the traces and draws again. Errors: those of compute_soundly().
Failure show_soundly(ui::OffscreenApp& window, Interrupts& interrupts) {
  ui::Session& session = window.app().context().session;
  Failure damage = session.profile() ? trace::damage_of(*session.profile()) : Failure();
  if (!damage) return {};
  session.mend();
  static_cast<void>(settle(window, interrupts));
  return trace::damage_of(*session.profile()) ? damage : Failure();
}

/// Returns the error for a command that did not run.
Error not_run(const ui::CommandTable& commands, const std::string& id) {
  const bool known = commands.find(id) != nullptr;
  return {"--script run:" + id, known ? "is not available here" : "no such command",
          known ? "check which page is open" : ""};
}

/// Like run_snapshot, but returns after an interrupt, with partial files removed; the status is then meaningless.
ExitStatus take_picture(const SnapshotOptions& options, const PictureSize& size, const ui::TimelineOptions& timeline,
                        const ui::Script& script, const ingest::LoadOptions& load_with, Interrupts& interrupts) {
  ui::AppOptions app = window_options(load_with, options.roots, options.clocks, options.state);
  app.theme = options.theme == "light" ? ui::ThemeChoice::light : ui::ThemeChoice::dark;
  if (load_with.memory_limit > 0) app.memory_limit = load_with.memory_limit;
  app.store_limit = load_with.store.limit;
  app.keep_stores = false;
  std::vector<Error> unmet;
  app.timeline = timeline;
  app.timeline.failed = [&](const Error& error) { unmet.push_back(error); };
  app.first_page = options.page;
  app.scale = static_cast<float>(options.scale);

  auto offscreen = ui::OffscreenApp::create(std::move(app), size.width, size.height);
  if (!offscreen) return fail(offscreen.error(), kNothingRead);
  ui::OffscreenApp& window = **offscreen;
  if (!options.path.empty()) window.open(options.path);
  if (!settle(window, interrupts)) {
    if (interrupts.came()) return kNothingRead;
    return fail({options.path, "loading took too long", "try `warpscope info PATH`"}, kNothingRead);
  }
  const ui::Session& session = window.app().context().session;
  const bool without_path = options.path.empty() && !ui::find_page(options.page)->needs_profile;
  if (options.path.empty() && !without_path)
    return fail({"--page " + options.page, "needs a profile", "specify PATH"}, kUsage);
  if (!session.profile() && !without_path) {
    const auto& failure = session.progress().error;
    return fail(failure ? *failure : Error{options.path, "nothing could be read", "check the path"}, kNothingRead);
  }
  if (session.profile() && !options.path.empty()) print_diagnostics_of(*session.profile(), options.path);
  for (const Error& error : unmet) print_error(error);
  if (!unmet.empty()) return kUsage;
  if (window.app().page() != options.page) {
    window.app().show_page(options.page);
    static_cast<void>(settle(window, interrupts));
    if (interrupts.came()) return kNothingRead;
    if (window.app().page() != options.page)
      return fail({"--page " + options.page, "cannot be shown for this profile", "choose another page"}, kUsage);
  }
  if ((timeline.from || timeline.to) && options.page != "timeline") {
    const Ns whole = session.profile() ? session.profile()->span.length() : 0;
    if (!window.app().restrict_to({timeline.from.value_or(0), timeline.to.value_or(whole)}))
      return fail({"--page " + options.page, "does not support --from and --to",
                   "omit them, or use --page timeline, dashboard or analysis"},
                  kUsage);
    static_cast<void>(settle(window, interrupts));
  }
  if (!options.script.empty()) {
    if (!window.play(script, std::chrono::seconds(120), [&] { return !interrupts.came(); }) && interrupts.came())
      return kNothingRead;
    for (const std::string& id : window.not_run()) print_error(not_run(window.app().context().commands, id));
    if (!window.not_run().empty()) return kUsage;
  }
  if (interrupts.came()) return kNothingRead;
  if (const Failure damage = show_soundly(window, interrupts)) return fail(*damage, kNothingRead);
  if (interrupts.came()) return kNothingRead;
  static_cast<void>(window.image());  // the next frame shows a message about anything that could not be drawn
  window.frame();
  if (const Failure failure = gl::write_png(options.out, window.image())) return fail(*failure, kNotWritten);
  if (const Failure failure = window.app().state_problem()) return fail(*failure, kNotWritten);
  return kDone;
}

ExitStatus run_snapshot(const SnapshotOptions& options) {
  const auto size = parse_picture_size(options.size);
  if (!size) return fail(size.error(), kUsage);
  if (options.scale < ui::kMinScale || options.scale > ui::kMaxScale)
    return fail({fmt::format("--scale {}", options.scale), "is out of range",
                 fmt::format("use a scale between {} and {}", ui::kMinScale, ui::kMaxScale)},
                kUsage);
  const auto timeline = timeline_options(options);
  if (!timeline) return fail(timeline.error(), kUsage);
  const auto script = ui::parse_script(options.script);
  if (!script) return fail(script.error(), kUsage);

  const auto load_with = load_options(options.load, saved_settings());
  if (!load_with) return fail(load_with.error(), kUsage);
  if (options.out.empty()) return fail(output_file("", Replaces::picture).error(), kUsage);
  for (const auto& [file, replaces] : {std::pair(&options.out, Replaces::picture), {&options.state, Replaces::state}})
    if (const ExitStatus status = check_output(*file, replaces); status != kDone) return status;

  Interrupts interrupts;  // before starting threads
  const ExitStatus status = take_picture(options, *size, *timeline, *script, *load_with, interrupts);
  if (interrupts.came()) interrupts.end();
  return status;
}
#else
ExitStatus run_snapshot(const SnapshotOptions&) {
  print_message("this build has no graphics; install the graphics packages (./dev setup) and build again");
  return kUsage;
}
#endif

std::function<ExitStatus()> declare_snapshot(Arguments arguments) {
  const auto options = std::make_shared<SnapshotOptions>();
  arguments.text("PATH", options->path,
                 "A trace file or a directory of trace files; not needed for the load and settings pages");
  arguments.required("--out", options->out, "PNG file to write");
  arguments.choice("--page", options->page, settings::kPageNames, "Page to show");
  arguments.text("--size", options->size, "Size in pixels, WxH");
  arguments.number("--scale", options->scale, "UI scale (1, 2, …)");
  arguments.choice("--theme", options->theme, std::array<std::string_view, 2>{"dark", "light"}, "Theme");
  arguments.text("--from", options->from,
                 "Left edge, relative to the start of the profile (ns, or with a unit: 12.3ms)");
  arguments.text("--to", options->to, "Right edge");
  arguments.text("--select", options->select, "Select the first slice that matches this filter expression");
  arguments.text("--script", options->script, "Keys and clicks to replay before taking the picture");
  arguments.text("--dump-state", options->state, "Also write the visible state as JSON to this file");
  add_clocks_option(arguments, options->clocks);
  arguments.list("--root", options->roots, "Folder to list on the Load page; repeatable");
  add_load_flags(arguments, options->load, StoreWriting::by_settings);
  return [options] { return run_snapshot(*options); };
}

}  // namespace

const Command registered::snapshot::kCommand{"snapshot", "Write a screenshot of the window without a display",
                                             declare_snapshot};

}  // namespace warpscope::cli
