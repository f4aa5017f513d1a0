#include "app/ui/operators/operators_page.hpp"

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

struct Tab {
  std::string_view id;
  std::string_view title;
  std::string_view analysis;
  float chart_share = 0.35f;
  std::string_view hidden{};       ///< a parameter whose place the table's own controls take
  std::string_view also_hidden{};  ///< another
  std::string_view preset{};       ///< value of the first
};

// The table sorts and shows all rows, so the tabs have no fields for these.
constexpr std::array<Tab, 10> kTabs{{
    {.id = "overview", .title = "Overview", .analysis = "step_overview", .chart_share = 0.45f},
    {.id = "operators",
     .title = "Operators",
     .analysis = "operators",
     .hidden = "row_limit",
     .also_hidden = "sort",
     .preset = "0"},
    {.id = "kernels", .title = "Kernels", .analysis = "kernels", .hidden = "row_limit", .preset = "0"},
    {.id = "modules", .title = "Modules", .analysis = "modules"},
    {.id = "flame-graph", .title = "Flame graph", .analysis = "call_tree", .chart_share = 0.6f},
    {.id = "memory", .title = "Memory", .analysis = "allocations"},
    {.id = "communication", .title = "Communication", .analysis = "comm_comp_overlap"},
    {.id = "collectives", .title = "Collectives", .analysis = "collectives"},
    {.id = "efficiency",
     .title = "Efficiency",
     .analysis = "efficiency",
     .chart_share = 0.5f,
     .hidden = "row_limit",
     .preset = "0"},
    {.id = "pivot", .title = "Pivot", .analysis = "pivot"},
}};

constexpr std::array<Gesture, 4> kRowGestures{{
    {"Show the calls of a row", "Click"},
    {"Show the row in the Timeline", "Double-click"},
    {"Zoom a flame graph in or back", "Click on a box"},
    {"Expand or collapse a row", "Click on its arrow"},
}};

}  // namespace

OperatorsPage::OperatorsPage(AppContext& app) : Page(registered::operators::kPage), app_(app), view_(app) {
  add_commands();
  show(0);
}

bool OperatorsPage::available() const { return app_.session.profile() != nullptr; }
std::span<const Gesture> OperatorsPage::gestures() const { return kRowGestures; }

void OperatorsPage::add_commands() {
  const CommandGroup add(app_.commands, "Operators", id(), [this] { return available(); });
  const auto turn = [this](std::size_t by) { return [this, by] { show((tab_ + by) % kTabs.size()); }; };
  add("operators.next-tab", "Next tab", {"Ctrl+Right"}, turn(1)).repeats();
  add("operators.previous-tab", "Previous tab", {"Ctrl+Left"}, turn(kTabs.size() - 1)).repeats();
  add("operators.next-row", "Next row", {"Down"}, [this] { view_.move_row(1); }).repeats();
  add("operators.previous-row", "Previous row", {"Up"}, [this] { view_.move_row(-1); }).repeats();
  add("operators.next-call", "Select the next call of the row", {"."}, [this] { calls_.step(app_, 1); }).repeats();
  add("operators.previous-call", "Select the previous call of the row", {","}, [this] {
    calls_.step(app_, -1);
  }).repeats();
  add("operators.show-calls", "Show all calls of the row in the Timeline", {"T"},
      [this] { calls_.show_in_timeline(app_); });
  view_.add_commands(add, id());
  for (std::size_t i = 0; i < kTabs.size(); ++i)
    add("operators.tab." + std::string(kTabs[i].id), "Operators: " + std::string(kTabs[i].title), {},
        [this, i] {
          show(i);
          app_.show_page(id());
        })
        .keywords(std::string(kTabs[i].analysis))
        .everywhere();
}

void OperatorsPage::show(std::size_t tab) {
  tab_ = tab;
  const Tab& of = kTabs[tab];
  AnalysisLook look;
  look.chart_share = of.chart_share;
  if (!of.preset.empty()) look.presets.emplace_back(of.hidden, of.preset);
  for (const std::string_view name : {of.hidden, of.also_hidden})
    if (!name.empty()) look.hidden.push_back(name);
  look.beside = [this](float height) { calls_.draw(app_, height); };
  look.beside_width = [this] { return calls_.shown() ? CallsPanel::kWidth : 0; };
  view_.show(*analysis::find_analysis(of.analysis), std::move(look));
}

void OperatorsPage::profile_changed(AppContext& app) {
  view_.profile_changed(app);
  calls_.profile_changed();
}

SearchStatus OperatorsPage::status() const {
  SearchStatus status;
  if (view_.table() != nullptr) status.count = view_.shown_order().size();
  return status;
}

std::optional<analysis::CallQuery> OperatorsPage::query() const {
  const Table* table = view_.table();
  const auto& profile = app_.session.profile();
  if (table == nullptr || !profile || !view_.chosen() || *view_.chosen() >= table->rows()) return std::nullopt;
  auto query = calls_of_row(*profile, *table, *view_.chosen());
  if (!query) return std::nullopt;
  if (query->scope.ranks.empty()) query->scope.ranks = view_.scope().ranks;
  query->scope.range = view_.scope().range;
  return query;
}

void OperatorsPage::draw_tabs() {
  std::vector<std::string_view> words;
  for (const Tab& tab : kTabs) words.push_back(tab.title);
  if (const auto clicked = choice(app_, "##tabs", words, tab_)) show(*clicked);
}

void OperatorsPage::draw(AppContext& app) {
  if (!app.session.profile()) {
    nothing_here(app, "Shows what operators, kernels and modules cost in the open trace.",
                 "Open a directory with " + app.commands.keys_text("file.open", 1) + ".");
    return;
  }
  calls_.show(app, query());
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float margin = app.px(kEdge);
  ImGui::SetCursorPos({margin, margin});
  ImGui::BeginChild("##operators", {room.x - 2 * margin, room.y - margin - app.px(8)}, 0,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
  draw_tabs();
  ImGui::Dummy({0, app.px(4)});
  view_.draw();
  ImGui::EndChild();
}

void OperatorsPage::write_state(JsonWriter& writer) const {
  writer.member("tab", kTabs[tab_].id);
  writer.member("busy", busy());
  view_.write_state(writer);
  calls_.write_state(writer);
}

const PageSpec registered::operators::kPage{"operators", "Operators", Icon::operators, make_page<OperatorsPage>};

}  // namespace warpscope::ui
