#include "app/ui/shell/app.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/model/load_words.hpp"
#include "app/ui/model/searcher.hpp"
#include "app/ui/shell/app_impl.hpp"
#include "app/ui/shell/rail.hpp"
#include "core/analysis/ranks/clock_alignment.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"
#include "core/trace/resident_only.hpp"

namespace warpscope::ui {
namespace {

constexpr float kLongestStep = 0.05f;  // the delta after an idle period is huge; nothing may jump by it
constexpr ImGuiWindowFlags kPart = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

/// Begins a part of the window: a child with a background and no padding.
void begin_part(const char* id, ImVec2 size, scene::Color background) {
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, background);
  ImGui::BeginChild(id, size, 0, kPart);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace

App::Impl::Impl(AppOptions app_options)
    : options(std::move(app_options)),
      settings_file(options.settings_path),
      session(options.loader, options.wake),
      state(options.state_file),
      context{session, settings, commands, messages, state},
      browser(options.wake),
      report(options.write_report),
      stores(options.store_folder, options.wake),
      columns(options.wake) {
  SettingsFile::Loaded loaded = settings_file.load();
  settings = std::move(loaded.settings);
  if (loaded.problem) messages.error(*loaded.problem);
  take_options();
  session.align_clocks_with([](const trace::Profile& profile, const ingest::EventLookup* events,
                               const CancelToken& cancel) { return analysis::align_clocks(profile, events, cancel); });
  session.show_recorded_clocks(options.recorded_clocks);
  context.show_page = [this](std::string_view id) { show_page(id); };
  context.show_profile = [this] { show_when_ready = true; };
  context.load = [this](const std::vector<std::filesystem::path>& paths) { load(paths); };
  context.user_folder = options.settings_path.parent_path();
  context.extra_roots = options.roots;
  context.stores = &stores;
  context.given_memory = {options.memory_limit, kept.memory_limit};
  context.timeline = &options.timeline;
  context.wake = options.wake ? options.wake : [] {};
  if (options.desktop_is_dark) context.desktop_dark = options.desktop_is_dark();
  state.add([this](JsonWriter& writer) { write_state(writer); });
  add_commands();
  if (options.pages.empty())
    for (const PageSpec& spec : page_specs()) options.pages.emplace_back(spec.make);
  for (const PageFactory& make : options.pages) pages.push_back(make(context));
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const std::string id(pages[i]->id());
    Command command{
        "page." + id, "Show " + std::string(pages[i]->spec().title), "Pages", {}, [this, id] { show_page(id); }};
    command.enabled = [this, i] { return pages[i]->available(); };
    if (i < 9) {
      commands.add(std::move(command), {"Alt+" + std::to_string(i + 1)});
    } else {
      commands.add(std::move(command));
    }
  }
}

IdleTimer::Clock::time_point App::Impl::now() const {
  return options.clock ? options.clock() : IdleTimer::Clock::now();
}

void App::Impl::refresh_keys() {
  if (bound_revision == commands.revision() && bound == settings.keys) return;
  bound_revision = commands.revision();
  bound = settings.keys;
  apply_bindings(commands, bound);
}

void App::Impl::close_if_idle() {
  const ImGuiIO& io = ImGui::GetIO();
  bool used = session.loading() || io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || io.MouseWheel != 0 ||
              io.MouseWheelH != 0 || !io.InputQueueCharacters.empty();
  for (const bool down : io.MouseDown) used = used || down;
  for (int key = ImGuiKey_NamedKey_BEGIN; !used && key < ImGuiKey_NamedKey_END; ++key)
    used = ImGui::IsKeyDown(static_cast<ImGuiKey>(key));
  const IdleTimer::State how = idle.update(now(), settings.close_when_idle ? settings.idle_hours : 0, used);
  if (how == IdleTimer::State::notice && !idle_notice)
    messages.info("Closing in one minute: inactive. Move the mouse to stay", context.now);
  idle_notice = how == IdleTimer::State::notice;
  if (how == IdleTimer::State::over) quit = true;
}

void App::Impl::follow_desktop() {
  if (const auto told = desktop.take(); told && *told != context.desktop_dark) {
    context.desktop_dark = *told;
    context.keep_drawing();  // the next frame is the first with the new theme
  }
}

App::Impl::~Impl() { settings_file.flush(to_save()); }

void App::Impl::take_options() {
  kept = settings;
  if (options.theme) settings.theme = *options.theme;
  if (options.scale) settings.scale = *options.scale;
  if (options.memory_limit) settings.memory_limit = *options.memory_limit;
  given = settings;
}

LoadChoices App::Impl::choices() const {
  LoadChoices choices;
  choices.memory_limit = settings.memory_limit;
  choices.keep_stores = settings.keep_stores && options.keep_stores;
  choices.store_limit = options.store_limit.value_or(settings.store_limit);
  choices.watch = options.watch;
  return choices;
}

Settings App::Impl::to_save() const {
  Settings saved = settings;
  if (saved.theme == given.theme) saved.theme = kept.theme;
  if (saved.scale == given.scale) saved.scale = kept.scale;
  if (saved.memory_limit == given.memory_limit) saved.memory_limit = kept.memory_limit;
  return saved;
}

float App::Impl::wanted_scale(float display_scale) const {
  return std::clamp(settings.scale > 0 ? settings.scale : display_scale, kMinScale, kMaxScale);
}

Searcher* App::Impl::searcher() const {
  return session.profile() || shown().id() == "load" ? shown().searcher() : nullptr;
}

bool App::Impl::update_session() {
  trace::ResidentOnly resident;
  const bool changed = session.update();
  missed_by_session = resident.take_missed();
  return changed;
}

void App::Impl::take_news() {
  if (session.opened() != opened_seen) {
    opened_seen = session.opened();
    top_bar.find().clear(shown().searcher());
  }
  if (update_session()) {
    const std::string path = session.path().string();
    if (session.profile() && (settings.recents.empty() || settings.recents.front() != path)) {
      remember_recent(settings, path);
    }
    for (const auto& page : pages) page->profile_changed(context);
  }
  while (const auto error = session.take_error()) messages.error(*error);
  while (const auto unloaded = session.take_unloaded()) {
    messages.info(
        "Unloaded " + unloaded->name + ": " + format_bytes(static_cast<std::int64_t>(unloaded->bytes)) + " freed",
        context.now);
  }
  while (const auto error = columns.take_error()) messages.error(*error);
  if (const auto freed = stores.update()) {
    messages.info("Freed " + format_bytes(static_cast<std::int64_t>(*freed)), context.now);
  }
  if (show_when_ready && session.profile()) show_first_page();
}

void App::Impl::show_first_page() {
  const auto asked =
      std::ranges::find(pages, std::string_view(options.first_page), [](const auto& page) { return page->id(); });
  if (asked != pages.end()) {
    show_page(options.first_page);
    // A page without a profile is shown only once: later loads should show the profile.
    if (!(*asked)->spec().needs_profile) options.first_page.clear();
  }
  if (!show_when_ready) return;
  const auto page =
      std::ranges::find_if(pages, [](const auto& each) { return each->spec().needs_profile && each->available(); });
  if (page == pages.end()) return;
  show_when_ready = false;
  page_index = static_cast<std::size_t>(page - pages.begin());
}

bool App::Impl::popup_open() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

void App::Impl::frame() {
  const ImGuiIO& io = ImGui::GetIO();
  context.dt = std::min(io.DeltaTime, kLongestStep);
  context.now = ImGui::GetTime();
  context.animating = false;
  session.choose(choices());
  take_news();
  context.when_loaded.update();
  refresh_recent_commands();
  refresh_profile_commands();
  refresh_keys();
  close_if_idle();
  follow_desktop();
  take_dropped();
  // Keys belong to an open popup, if there is one; Esc closes it (escape()).
  if (!shown().takes_keys()) commands.dispatch(shown().id(), dialog_open() || popup_open());
  draw_root();
  draw_dialogs();
  report.take_news(context);
  messages.draw(context);
  if (const auto error = settings_file.update(to_save(), SettingsFile::Clock::now())) messages.error(*error);
  state.update();
}

void App::Impl::draw_root() {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const Metrics& px = context.px;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(display);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin("##root", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground | kPart);
  ImGui::PopStyleVar(3);

  const float rail = rail_width(context);
  const float bar = px(TopBar::kHeight);
  const float edge = px(1);
  ImGui::SetCursorPos({0, 0});
  begin_part("##rail", {rail - edge, display.y}, context.theme.panel);
  draw_rail(context, pages, shown().id());
  ImGui::EndChild();
  ImGui::SetCursorPos({rail, 0});
  begin_part("##bar", {display.x - rail, bar - edge}, context.theme.panel);
  top_bar.draw(context, searcher(), shown().id());
  ImGui::EndChild();
  ImGui::SetCursorPos({rail, bar});
  ImGui::BeginChild("##page", {display.x - rail, display.y - bar}, 0, kPart | ImGuiWindowFlags_NoBackground);
  shown().draw(context);
  ImGui::EndChild();

  // The separators are drawn in the gaps between the parts.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({rail, bar - edge}, {display.x, bar}, context.theme.line);
  if (settings.rail_folded) {
    list.AddRectFilled({rail - edge, 0}, {rail, display.y}, context.theme.line);
  } else {
    const ImVec2 top{rail - edge, 0};
    const float wanted = rail_edge.drag(context, "##rail-edge", top, {top.x, display.y}, true, rail);
    if (wanted != rail) {
      settings.rail_folded = wanted < px(64);
      settings.rail_width = std::clamp(px.units(wanted), 96.0f, 280.0f);
    }
  }
  ImGui::End();
}

void App::Impl::draw_dialogs() {
  palette.draw(context);
  help.draw(context, shown().gestures());
  if (const auto chosen = browser.draw(context)) browsing_for_root ? add_root(*chosen) : open(*chosen);
  report.draw(context);
}

void App::Impl::write_state(JsonWriter& writer) const {
  writer.member("page", shown().id());
  writer.member("dialog", palette.is_open()   ? "palette"
                          : help.is_open()    ? "help"
                          : browser.is_open() ? "browser"
                          : report.is_open()  ? "report"
                                              : "");
  writer.member("browser", browser.is_open() ? browser.directory().string() : std::string());
  writer.member("browser_up_x", static_cast<double>(browser.up_at().x));
  writer.member("browser_up_y", static_cast<double>(browser.up_at().y));
  writer.member("path", session.path().string());
  writer.member("profile", session.is_open() ? session.name() : std::string());
  writer.member("loading", session.loading());
  writer.member("load_share", session.progress().fraction());
  writer.member("watching", session.progress().watching);
  writer.member("awaiting", session.progress().awaiting);
  writer.member("growing", session.progress().growing());
  writer.member("unfinished", session.progress().unfinished());
  writer.member("catching_up", catching_up(session.progress()).files);
  writer.member("ranks_on_disk", session.progress().waiting_in_store);
  if (options.tells_frame_times) {
    writer.member("longest_frame_ns", frame_watch.longest());
    writer.member("longest_frame_page", frame_watch.page());
  }
  writer.key("status");
  writer.begin_array();
  for (const StatusNote& note : session.status_notes()) writer.value(note.text);
  writer.end_array();
  writer.member("keeping", session.progress().keeping);
  writer.member("files_from_store", std::ranges::count(session.progress().files, true, &FileStatus::from_store));
  writer.member("ranks", session.profile() ? session.profile()->ranks.size() : 0);
  writer.member("complete", session.profile() != nullptr && session.profile()->complete);
  writer.key("open");
  writer.begin_array();
  for (const OpenProfile* one : session.all()) {
    writer.begin_object();
    writer.member("name", one->name());
    writer.member("path", one->path.string());
    writer.member("current", one->id == session.current_id());
    writer.member("loading", one->progress.running);
    writer.member("cancelled", one->progress.cancelled);
    writer.member("load_share", one->progress.fraction());
    writer.member("ranks", one->profile ? one->profile->ranks.size() : 0);
    writer.end_object();
  }
  writer.end_array();
  writer.member("unloading", session.unloading());
  writer.member("theme", context.theme.dark() ? "dark" : "light");
  writer.member("scale", static_cast<double>(context.px.scale));
  writer.member("animating", context.animating || commands.any_held());
  writer.member("query", top_bar.find().query());
  writer.member("filtered_out", top_bar.find().filtered_out(searcher()));
  writer.key("selection");
  if (session.selection() && session.profile()) {
    const trace::SliceRef slice = *session.selection();
    writer.begin_object();
    writer.member("name", session.profile()->name(slice));
    writer.member("begin_ns", session.profile()->begin(slice));
    writer.member("duration_ns", session.profile()->duration(slice));
    writer.end_object();
  } else {
    writer.value(nullptr);
  }
  writer.key("messages");
  writer.begin_array();
  for (const Message& message : messages.all()) writer.value(message.what);
  writer.end_array();
  writer.key("pages");
  writer.begin_object();
  for (const auto& page : pages) {
    writer.key(page->id());
    writer.begin_object();
    page->write_state(writer);
    writer.end_object();
  }
  writer.end_object();
}

App::App(AppOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
App::~App() = default;

void App::open(const std::filesystem::path& path) { impl_->open(path); }
void App::drop(const std::vector<std::filesystem::path>& paths) { impl_->drop(paths); }

bool App::prepare(float display_scale) {
  Impl& impl = *impl_;
  const Settings& settings = impl.settings;
  const Theme theme =
      make_theme(wants_dark(settings.theme, impl.context.desktop_dark), settings.hues, settings.strength);
  const float scale = impl.wanted_scale(display_scale);
  const FontChoice fonts{settings.font_size, settings.font_words, settings.font_figures};
  const bool other_fonts = !impl.style || scale != impl.context.px.scale || fonts != impl.fonts;
  if (!other_fonts && impl.style->kind == theme.kind) return false;
  impl.context.px = Metrics{scale};
  impl.context.theme = theme;
  impl.style = theme;
  impl.fonts = fonts;
  apply_style(theme, impl.context.px);
  if (other_fonts) impl.context.fonts = build_fonts(scale, fonts);
  return other_fonts;
}

void App::got_keyboard() {
  // The desktop theme is changed in another window, so the focus returns afterwards.
  if (impl_->options.desktop_is_dark)
    impl_->desktop.start([ask = impl_->options.desktop_is_dark](const CancelToken&) { return ask(); },
                         impl_->context.wake);
}
void App::frame() {
  Impl& impl = *impl_;
  if (impl.options.tells_frame_times) impl.frame_watch.begin();
  // Drawing never waits for the disk: what the frame misses is loaded by other threads, which wake the window.
  trace::ResidentOnly resident;
  impl.frame();
  std::vector<ColumnLoader::Column> missed = resident.take_missed();
  // What identifies the selection is less urgent than what is drawn.
  for (auto& column : std::exchange(impl.missed_by_session, {})) missed.push_back(std::move(column));
  impl.columns.want(missed);
  if (impl.options.tells_frame_times) impl.frame_watch.end(impl.shown().id());
}

bool App::animating() const {
  // ImGui spreads simultaneous input (typing faster than the frame rate) over several frames.
  const bool input_waits = ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
  return input_waits || impl_->context.animating || impl_->commands.any_held();
}
bool App::quit_asked() const { return impl_->quit; }
AppContext& App::context() { return impl_->context; }
const AppContext& App::context() const { return impl_->context; }
std::string_view App::page() const { return impl_->shown().id(); }
void App::show_page(std::string_view id) { impl_->show_page(id); }
bool App::restrict_to(Interval range) {
  const auto profile = impl_->session.profile();
  return profile != nullptr && impl_->shown().restrict_to(*profile, range);
}
std::string App::state_text() const { return impl_->state.text(); }
Failure App::state_problem() const { return impl_->state.problem(); }

bool App::busy() const {
  return impl_->session.busy() || impl_->shown().busy() || impl_->browser.busy() || impl_->report.busy() ||
         impl_->stores.busy() || impl_->desktop.running() || impl_->looking_at_dropped.running() ||
         impl_->columns.busy();
}

std::optional<double> App::next_frame_in() const {
  std::optional<double> due = impl_->messages.due_in(ImGui::GetTime());
  if (const auto saving = impl_->settings_file.due_in(SettingsFile::Clock::now())) {
    due = std::min(due.value_or(*saving), *saving);
  }
  if (const auto closing = impl_->idle.due_in(impl_->now())) due = std::min(due.value_or(*closing), *closing);
  return due;
}

std::string App::title() const {
  return impl_->session.is_open() ? impl_->session.name() + " – Warpscope" : std::string("Warpscope");
}

}  // namespace warpscope::ui
