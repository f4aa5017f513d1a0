#include "app/ui/shell/app.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/model/load_words.hpp"
#include "app/ui/model/searcher.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/shell/rail.hpp"
#include "core/analysis/ranks/clock_alignment.hpp"
#include "core/base/format.hpp"
#include "core/trace/resident_only.hpp"

namespace warpscope::ui {
namespace {

constexpr float kLongestStep = 0.05f;  // limits the huge delta after an idle period, so that nothing jumps
constexpr ImGuiWindowFlags kPart = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

/// Starts a part of the window: a child window with a background and no padding.
void begin_part(const char* id, ImVec2 size, scene::Color background) {
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, background);
  ImGui::BeginChild(id, size, 0, kPart);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace

App::App(AppOptions options)
    : options_(std::move(options)),
      settings_file_(options_.settings_path),
      session_(options_.loader, options_.wake),
      state_(options_.state_file),
      context_{session_, settings_, commands_, messages_, state_},
      columns_(options_.wake) {
  SettingsFile::Loaded loaded = settings_file_.load();
  settings_ = std::move(loaded.settings);
  if (loaded.problem) messages_.error(*loaded.problem);
  take_options();
  session_.align_clocks_with([](const trace::Profile& profile, const ingest::EventLookup* events,
                                const CancelToken& cancel) { return analysis::align_clocks(profile, events, cancel); });
  session_.show_recorded_clocks(options_.recorded_clocks);
  context_.show_page = [this](std::string_view id) { show_page(id); };
  context_.show_profile = [this] { show_when_ready_ = true; };
  context_.load = [this](const std::vector<std::filesystem::path>& paths) { load(paths); };
  context_.user_folder = options_.settings_path.parent_path();
  for (const std::string& root : options_.roots) context_.extra_roots.push_back(whole_path(root).string());
  context_.store_folder = options_.store_folder;
  context_.given_memory = {options_.memory_limit, kept_memory_limit_};
  context_.timeline = &options_.timeline;
  context_.wake = options_.wake ? options_.wake : [] {};
  state_.add([this](JsonWriter& writer) { write_state(writer); });
  add_file_commands();
  add_view_commands();
  if (options_.pages.empty())
    for (const PageSpec& spec : page_specs()) options_.pages.emplace_back(spec.make);
  for (const PageFactory& make : options_.pages) pages_.push_back(make(context_));
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    const std::string id(pages_[i]->id());
    Command command{
        "page." + id, "Show " + std::string(pages_[i]->spec().title), "Pages", {}, [this, id] { show_page(id); }};
    command.enabled = [this, i] { return pages_[i]->available(); };
    if (i < 10) {
      commands_.add(std::move(command), {"Alt+" + std::to_string((i + 1) % 10)});
    } else {
      commands_.add(std::move(command));
    }
  }
}

App::~App() { settings_file_.flush(to_save()); }

void App::take_options() {
  kept_memory_limit_ = settings_.memory_limit;
  if (options_.theme) settings_.theme = *options_.theme;
  if (options_.scale) settings_.scale = *options_.scale;
  if (options_.memory_limit) settings_.memory_limit = *options_.memory_limit;
}

LoadChoices App::choices() const {
  LoadChoices choices;
  choices.memory_limit = settings_.memory_limit;
  choices.keep_stores = settings_.keep_stores && options_.keep_stores;
  choices.store_limit = options_.store_limit.value_or(settings_.store_limit);
  choices.watch = options_.watch;
  return choices;
}

Settings App::to_save() const {
  Settings saved = settings_;
  if (saved.memory_limit == options_.memory_limit) saved.memory_limit = kept_memory_limit_;
  return saved;
}

Searcher* App::searcher() const { return session_.profile() || shown().id() == "load" ? shown().searcher() : nullptr; }

bool App::update_session() {
  trace::ResidentOnly resident;
  const bool changed = session_.update();
  missed_by_session_ = resident.take_missed();
  return changed;
}

void App::take_news() {
  if (session_.opened() != opened_seen_) {
    opened_seen_ = session_.opened();
    top_bar_.find().clear(shown().searcher());
  }
  if (update_session()) {
    const std::string path = session_.path().string();
    if (session_.profile() && (settings_.recents.empty() || settings_.recents.front() != path)) {
      remember_recent(settings_, path);
    }
    for (const auto& page : pages_) page->profile_changed(context_);
  }
  while (const auto error = session_.take_error()) messages_.error(*error);
  while (const auto error = columns_.take_error()) messages_.error(*error);
  if (show_when_ready_ && session_.profile()) show_first_page();
}

void App::show_first_page() {
  const auto asked =
      std::ranges::find(pages_, std::string_view(options_.first_page), [](const auto& page) { return page->id(); });
  if (asked != pages_.end()) {
    show_page(options_.first_page);
    // A page that needs no profile is shown only once, because later loads should show the profile.
    if (!(*asked)->spec().needs_profile) options_.first_page.clear();
  }
  if (!show_when_ready_) return;
  const auto page =
      std::ranges::find_if(pages_, [](const auto& each) { return each->spec().needs_profile && each->available(); });
  if (page == pages_.end()) return;
  show_when_ready_ = false;
  page_index_ = static_cast<std::size_t>(page - pages_.begin());
}

bool App::popup_open() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); }

void App::lay_out() {
  const ImGuiIO& io = ImGui::GetIO();
  context_.dt = std::min(io.DeltaTime, kLongestStep);
  context_.now = ImGui::GetTime();
  context_.animating = false;
  session_.choose(choices());
  take_news();
  context_.when_loaded.update();
  refresh_recent_commands();
  take_dropped();
  // Keys go to an open popup, if there is one; Esc closes it (escape()).
  commands_.dispatch(shown().id(), dialog_open() || popup_open());
  draw_root();
  draw_dialogs();
  messages_.draw(context_);
  if (const auto error = settings_file_.update(to_save(), SettingsFile::Clock::now())) messages_.error(*error);
  state_.update();
}

void App::draw_root() {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const Metrics& px = context_.px;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(display);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin("##root", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground | kPart);
  ImGui::PopStyleVar(3);

  const float rail = rail_width(context_);
  const float bar = px(TopBar::kHeight);
  const float edge = px(1);
  ImGui::SetCursorPos({0, 0});
  begin_part("##rail", {rail - edge, display.y}, context_.theme.panel);
  draw_rail(context_, pages_, shown().id());
  ImGui::EndChild();
  ImGui::SetCursorPos({rail, 0});
  begin_part("##bar", {display.x - rail, bar - edge}, context_.theme.panel);
  top_bar_.draw(context_, searcher(), shown().id());
  ImGui::EndChild();
  ImGui::SetCursorPos({rail, bar});
  ImGui::BeginChild("##page", {display.x - rail, display.y - bar}, 0, kPart | ImGuiWindowFlags_NoBackground);
  shown().draw(context_);
  ImGui::EndChild();

  // The separators are drawn in the gaps between the parts.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({rail, bar - edge}, {display.x, bar}, context_.theme.line);
  list.AddRectFilled({rail - edge, 0}, {rail, display.y}, context_.theme.line);
  ImGui::End();
}

void App::draw_dialogs() {
  palette_.draw(context_, shown().id(), shown().gestures());
  if (const auto chosen = browser_.draw(context_)) browsing_for_root_ ? add_root(*chosen) : open(*chosen);
}

void App::write_state(JsonWriter& writer) const {
  writer.member("page", shown().id());
  writer.member("dialog", palette_.is_open() ? "palette" : browser_.is_open() ? "browser" : "");
  writer.member("browser", browser_.is_open() ? browser_.directory().string() : std::string());
  writer.member("browser_up_x", static_cast<double>(browser_.up_at().x));
  writer.member("browser_up_y", static_cast<double>(browser_.up_at().y));
  writer.member("path", session_.path().string());
  writer.member("profile", session_.is_open() ? session_.name() : std::string());
  writer.member("loading", session_.loading());
  writer.member("load_share", session_.progress().fraction());
  writer.member("watching", session_.progress().watching);
  writer.member("awaiting", session_.progress().awaiting);
  writer.member("growing", session_.progress().growing());
  writer.member("unfinished", session_.progress().unfinished());
  if (options_.tells_frame_times) {
    writer.member("longest_frame_ns", frame_watch_.longest());
    writer.member("longest_frame_page", frame_watch_.page());
  }
  write_values(writer, "status", session_.status_notes(), &StatusNote::text);
  writer.member("keeping", session_.progress().keeping);
  writer.member("files_from_store", std::ranges::count(session_.progress().files, true, &FileStatus::from_store));
  writer.member("ranks", session_.profile() ? session_.profile()->ranks.size() : 0);
  writer.member("complete", session_.profile() != nullptr && session_.profile()->complete);
  write_objects(writer, "open", session_.all(), [&](const OpenProfile* one) {
    writer.member("name", one->name());
    writer.member("path", one->path.string());
    writer.member("current", one->id == session_.current_id());
    writer.member("loading", one->progress.running);
    writer.member("cancelled", one->progress.cancelled);
    writer.member("load_share", one->progress.fraction());
    writer.member("ranks", one->profile ? one->profile->ranks.size() : 0);
  });
  writer.member("unloading", session_.unloading());
  writer.member("theme", context_.theme.dark() ? "dark" : "light");
  writer.member("scale", static_cast<double>(context_.px.scale));
  writer.member("animating", context_.animating || commands_.any_held());
  writer.member("query", top_bar_.find().query());
  if (session_.selection() && session_.profile()) {
    write_object(writer, "selection", [&, slice = *session_.selection()] {
      writer.member("name", session_.profile()->name(slice));
      writer.member("begin_ns", session_.profile()->begin(slice));
      writer.member("duration_ns", session_.profile()->duration(slice));
    });
  } else {
    writer.member("selection", nullptr);
  }
  write_values(writer, "messages", messages_.all(), &Message::what);
  write_object(writer, "pages", [&] {
    for (const auto& page : pages_) write_object(writer, page->id(), [&] { page->write_state(writer); });
  });
}

bool App::prepare(float display_scale) {
  const Theme theme = make_theme(settings_.theme == ThemeChoice::dark, settings_.hues);
  const float scale = std::clamp(settings_.scale > 0 ? settings_.scale : display_scale, kMinScale, kMaxScale);
  const bool other_fonts = !style_ || scale != context_.px.scale;
  if (!other_fonts && style_->kind == theme.kind) return false;
  context_.px = Metrics{scale};
  context_.theme = theme;
  style_ = theme;
  apply_style(theme, context_.px);
  if (other_fonts) context_.fonts = build_fonts(scale);
  return other_fonts;
}

void App::frame() {
  if (options_.tells_frame_times) frame_watch_.begin();
  // Drawing never waits for the disk: other threads load the columns that the frame misses, then wake the window.
  trace::ResidentOnly resident;
  lay_out();
  std::vector<ColumnLoader::Column> missed = resident.take_missed();
  // Columns that identify the selection are less urgent than columns to draw.
  for (auto& column : std::exchange(missed_by_session_, {})) missed.push_back(std::move(column));
  columns_.want(missed);
  if (options_.tells_frame_times) frame_watch_.end(shown().id());
}

bool App::animating() const {
  // ImGui spreads simultaneous input (typing faster than the frame rate) over several frames.
  const bool input_waits = ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
  return input_waits || context_.animating || commands_.any_held();
}

bool App::restrict_to(Interval range) {
  const auto profile = session_.profile();
  return profile != nullptr && shown().restrict_to(*profile, range);
}

bool App::busy() const {
  return session_.busy() || shown().busy() || browser_.busy() || looking_at_dropped_.running() || columns_.busy();
}

std::optional<double> App::next_frame_in() const {
  std::optional<double> due = messages_.due_in(ImGui::GetTime());
  if (const auto saving = settings_file_.due_in(SettingsFile::Clock::now())) {
    due = std::min(due.value_or(*saving), *saving);
  }
  return due;
}

std::string App::title() const {
  return session_.is_open() ? session_.name() + " – Warpscope" : std::string("Warpscope");
}

}  // namespace warpscope::ui
