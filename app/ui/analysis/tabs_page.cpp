#include "app/ui/analysis/tabs_page.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/ui/analysis/row_target.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui {
namespace {

constexpr float kEdge = 16;
constexpr float kNarrowPage = 520;  // minimum width next to a list

constexpr std::array<Gesture, 4> kRowGestures{{
    {"Show a row's calls", "Click"},
    {"Show the row in the Timeline", "Double-click"},
    {"Zoom a flame graph in or out", "Click a box"},
    {"Expand or collapse a row", "Click its arrow"},
}};

}  // namespace

TabsPage::TabsPage(AppContext& app, const PageSpec& spec, std::span<const AnalysisTab> tabs, std::string_view purpose,
                   float list_width)
    : Page(spec),
      app_(app),
      view_(app, spec.name),
      calls_(spec.name),
      tabs_(tabs),
      purpose_(purpose),
      list_width_(list_width) {
  if (tabs.empty()) return;
  add_commands();
  show(0);
}

bool TabsPage::available() const { return app_.session.profile() != nullptr; }
std::span<const Gesture> TabsPage::gestures() const { return kRowGestures; }

void TabsPage::add_commands() {
  const CommandGroup add(app_.commands, spec().title, id(), [this] { return available(); });
  const std::string command = std::string(id()) + ".";
  const auto turn = [this](std::size_t by) { return [this, by] { show((tab_ + by) % tabs_.size()); }; };
  add(command + "next-tab", "Next tab", {"Ctrl+Right"}, turn(1)).repeats();
  add(command + "previous-tab", "Previous tab", {"Ctrl+Left"}, turn(tabs_.size() - 1)).repeats();
  add(command + "next-row", "Next row", {"Down"}, [this] { view_.move_row(1); }).repeats();
  add(command + "previous-row", "Previous row", {"Up"}, [this] { view_.move_row(-1); }).repeats();
  add_row_commands(add);
  for (std::size_t i = 0; i < tabs_.size(); ++i)
    add(command + "tab." + std::string(tabs_[i].id), fmt::format("{}: {}", spec().title, tabs_[i].title), {},
        [this, i] {
          show(i);
          app_.show_page(id());
        })
        .keywords(std::string(tabs_[i].analysis))
        .everywhere();
}

void TabsPage::add_row_commands(const CommandGroup& add) {
  const std::string command = std::string(id()) + ".";
  add(command + "next-call", "Select the row's next call", {"."}, [this] { calls_.step(app_, 1); }).repeats();
  add(command + "previous-call", "Select the row's previous call", {","}, [this] { calls_.step(app_, -1); }).repeats();
  add(command + "show-calls", "Show all of the row's calls in the Timeline", {"T"},
      [this] { calls_.show_in_timeline(app_); });
  view_.add_commands(add);
}

void TabsPage::show(std::size_t tab) {
  tab_ = tab;
  const AnalysisTab& of = tabs_[tab];
  AnalysisLook look;
  look.chart_share = of.chart_share;
  look.table = of.table;
  look.title = of.title;
  if (!of.preset.empty()) look.presets.emplace_back(of.hidden, of.preset);
  for (const std::string_view name : {of.hidden, of.also_hidden})
    if (!name.empty()) look.hidden.push_back(name);
  show_analysis(*analysis::find_analysis(of.analysis), std::move(look));
}

void TabsPage::show_analysis(const analysis::Analysis& analysis, AnalysisLook look) {
  if (!look.beside) {
    look.beside = [this](float height) { calls_.draw(app_, height); };
    look.beside_width = [this] { return calls_.shown() ? CallsPanel::kWidth : 0; };
  }
  view_.show(analysis, std::move(look));
}

void TabsPage::profile_changed(AppContext& app) { view_.profile_changed(app); }

SearchStatus TabsPage::status() const {
  SearchStatus status;
  if (view_.table() != nullptr) status.count = view_.shown_order().size();
  return status;
}

std::optional<analysis::CallQuery> TabsPage::query() const {
  const Table* table = view_.table();
  const auto& profile = app_.session.profile();
  if (table == nullptr || !profile || !view_.chosen() || *view_.chosen() >= table->rows()) return std::nullopt;
  auto query = calls_of_row(*profile, *table, *view_.chosen());
  if (!query) return std::nullopt;
  if (query->scope.ranks.empty()) query->scope.ranks = view_.scope().ranks;
  query->scope.range = view_.scope().range;
  query->scope.evaluated_only = view_.scope().evaluated_only;
  return query;
}

void TabsPage::draw(AppContext& app) {
  if (!app.session.profile()) {
    nothing_here(app, purpose_, "Open a directory with " + app.commands.keys_text("file.open", 1) + ".");
    return;
  }
  const Table* table = view_.table();
  const auto count = table != nullptr ? table->find_role(ColumnRole::count) : std::nullopt;
  std::optional<std::int64_t> of_row;
  if (count && view_.chosen() && *view_.chosen() < table->rows()) of_row = table->at(*view_.chosen(), *count).integer();
  const auto asked = query();
  calls_.show(app, asked, asked ? asked->name : std::string(), of_row);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float margin = app.px(kEdge);
  const bool narrow = room.x < app.px(list_width_ + kNarrowPage);
  float left = margin;
  if (list_width_ > 0 && !narrow) {
    ImGui::SetCursorPos({app.px(8), margin});
    ImGui::BeginChild("##list", {app.px(list_width_), room.y - margin}, 0, ImGuiWindowFlags_NoBackground);
    draw_list(ImGui::GetContentRegionAvail().x, false);
    ImGui::EndChild();
    left = app.px(8) + app.px(list_width_) + margin;
  }
  ImGui::SetCursorPos({left, margin});
  ImGui::BeginChild("##answer", {room.x - left - margin, room.y - margin - app.px(8)}, 0,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
  if (!tabs_.empty()) {
    std::vector<std::string_view> words;
    for (const AnalysisTab& tab : tabs_) words.push_back(tab.title);
    if (const auto clicked = small_choice(app_, "##tabs", words, tab_)) show(*clicked);
    ImGui::Dummy({0, app.px(4)});
  } else if (narrow) {
    draw_list(ImGui::GetContentRegionAvail().x, true);
  }
  view_.draw();
  ImGui::EndChild();
}

void TabsPage::write_state(JsonWriter& writer) const {
  if (!tabs_.empty()) writer.member("tab", tabs_[tab_].id);
  writer.member("busy", busy());
  view_.write_state(writer);
  calls_.write_state(writer);
}

}  // namespace warpscope::ui
