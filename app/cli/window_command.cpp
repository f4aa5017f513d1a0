#include "app/cli/window_command.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "app/settings/page_names.hpp"
#include "core/ingest/bytes/converted_profile.hpp"
#include "core/ingest/remote/remote_path.hpp"

#if WARPSCOPE_GRAPHICS
#include "app/cli/window_options.hpp"
#include "app/settings/settings_text.hpp"
#include "app/ui/shell/window.hpp"
#include "core/base/ending_signal.hpp"
#include "core/ingest/listing/discover.hpp"
#endif

namespace warpscope::cli {

namespace {

struct WindowCommandOptions {
  std::string path;    ///< empty: the Load page
  std::string page;    ///< shown after the load; empty: the default page
  std::string size;    ///< "1600x1000", or empty: last size
  std::string clocks;  ///< "aligned", "recorded", or empty: aligned
  std::string state;   ///< path of the state dump, or empty
  bool watch = false;
  std::vector<std::string> roots;
  LoadFlags load;
};

Failure check_watch(const WindowCommandOptions& options) {
  if (options.watch && ingest::is_remote(options.path))
    return Error{options.path, "is on another machine and cannot be watched", "omit --watch, and reload with F5"};
  std::error_code ignored;
  if (!options.watch || options.path.empty() || std::filesystem::is_directory(options.path, ignored)) return {};
  if (!ingest::opens_as_store(options.path)) return {};
  return Error{options.path, "is a converted profile and never changes, so it cannot be watched",
               "open it without --watch, or watch the trace directory: warpscope --watch DIR"};
}

#if WARPSCOPE_GRAPHICS
ExitStatus run_window_command(const WindowCommandOptions& options) {
  if (const Failure failure = check_watch(options)) return fail(*failure, kUsage);
  if (const ExitStatus state = check_output(options.state, Replaces::state); state != kDone) return state;
  // The window reports errors in the settings itself.
  const auto saved = settings::read_load_settings(settings::default_settings_path());
  const auto load_with = load_options(options.load, saved ? *saved : settings::LoadSettings());
  if (!load_with) return fail(load_with.error(), kUsage);
  ui::AppOptions app = window_options(*load_with, options.roots, options.clocks, options.state);
  if (options.load.memory) app.memory_limit = load_with->memory_limit;
  app.keep_stores = !options.load.no_store;
  app.watch = options.watch;
  app.first_page = options.page;
  app.settings_path = settings::default_settings_path();

  ui::WindowOptions window;
  if (!options.path.empty()) window.path = options.path;
  if (!options.size.empty()) {
    const auto size = parse_picture_size(options.size);
    if (!size) return fail(size.error(), kUsage);
    window.width = size->width;
    window.height = size->height;
  }
  const auto ended = ui::run_window(std::move(app), window);
  if (!ended) return fail(ended.error(), kNothingRead);
  if (*ended != 0) end_by_signal(*ended);
  return kDone;
}
#else
ExitStatus run_window_command(const WindowCommandOptions& options) {
  if (const Failure failure = check_watch(options)) return fail(*failure, kUsage);
  print_message(
      "this build has no window; install the graphics packages (./dev setup) and build again, or use `warpscope info "
      "PATH`");
  return kUsage;
}
#endif

}  // namespace

std::function<ExitStatus()> declare_window(Arguments arguments) {
  const auto options = std::make_shared<WindowCommandOptions>();
  arguments.text("PATH", options->path,
                 "A trace file, a directory of trace files, a converted file (.wscope), or one of these on another "
                 "machine: ssh://HOST/PATH");
  arguments.choice("--page", options->page, settings::kPageNames, "Page to open after loading");
  arguments.text("--size", options->size, "Window size, WxH");
  arguments.text("--dump-state", options->state,
                 "Write the visible state to this file as JSON whenever the state changes");
  arguments.list("--root", options->roots, "Folder to list on the Load page in this run; repeatable");
  add_clocks_option(arguments, options->clocks);
  arguments.flag("--watch", options->watch, "Load new and growing files in PATH");
  add_load_flags(arguments, options->load, StoreWriting::by_settings);
  return [options] {
    // With --watch, the window waits for a missing path.
    if (!options->path.empty() && !options->watch && !ingest::is_remote(options->path))
      if (const Failure failure = ingest::missing_path(options->path)) return fail(*failure, kNothingRead);
    return run_window_command(*options);
  };
}

}  // namespace warpscope::cli
