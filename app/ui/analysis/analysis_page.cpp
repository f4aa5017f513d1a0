#include "app/ui/analysis/analysis_page.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/has_words.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/side_list.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr float kAnalysesWidth = 240;

constexpr std::array<Gesture, 3> kAnalysisGestures{{
    {"Select a row", "Click"},
    {"Show the row in the Timeline", "Double-click"},
    {"Zoom a flame graph in or out", "Click a box"},
}};

}  // namespace

AnalysisPage::AnalysisPage(AppContext& app)
    : TabsPage(app, registered::analysis::kPage, {}, "Shows analyses of the open trace, each with a chart and a table.",
               kAnalysesWidth) {
  add_commands();
  show(0);
}

std::span<const Gesture> AnalysisPage::gestures() const { return kAnalysisGestures; }

void AnalysisPage::add_commands() {
  const CommandGroup add(app_.commands, "Analysis", id(), [this] { return available(); });
  add("analysis.next", "Next analysis", {"Down"}, [this] { move(1); }).repeats();
  add("analysis.previous", "Previous analysis", {"Up"}, [this] { move(-1); }).repeats();
  add_row_commands(add);
  for (std::size_t i = 0; i < analysis::analyses().size(); ++i) {
    const analysis::Analysis& each = analysis::analyses()[i];
    if (each.compares) continue;
    add("analysis.show." + std::string(each.name), "Analysis: " + std::string(each.title), {},
        [this, i] {
          show(i);
          app_.show_page(id());
        })
        .keywords(std::string(each.name))
        .everywhere();
  }
}

bool AnalysisPage::titled(std::size_t index) const {
  const analysis::Analysis& each = analysis::analyses()[index];
  return has_words(query_, fmt::format("{} {}", each.name, each.title));
}

std::vector<std::size_t> AnalysisPage::listed() const {
  std::vector<std::size_t> listed;
  std::vector<std::size_t> described;
  for (std::size_t i = 0; i < analysis::analyses().size(); ++i) {
    const analysis::Analysis& each = analysis::analyses()[i];
    if (each.compares) continue;  // the page has only one profile
    if (titled(i))
      listed.push_back(i);
    else if (has_words(query_, fmt::format("{} {} {}", each.name, each.title, each.about)))
      described.push_back(i);
  }
  listed.insert(listed.end(), described.begin(), described.end());
  return listed;
}

void AnalysisPage::search(std::string_view query) {
  query_ = query;
  const std::vector<std::size_t> order = listed();
  if (!query_.empty() && !order.empty() && !titled(shown_)) show(order.front());
}

SearchStatus AnalysisPage::status() const {
  SearchStatus status;
  if (query_.empty()) return status;
  const std::vector<std::size_t> order = listed();
  status.count = order.size();
  if (const auto at = std::ranges::find(order, shown_); at != order.end())
    status.current = static_cast<std::size_t>(at - order.begin()) + 1;
  return status;
}

void AnalysisPage::move(int by) {
  const std::vector<std::size_t> order = listed();
  if (order.empty()) return;
  const auto at = std::ranges::find(order, shown_);
  if (at == order.end()) return show(order.front());
  const auto now = static_cast<std::size_t>(at - order.begin());
  show(order[(now + (by > 0 ? 1 : order.size() - 1)) % order.size()]);
}

void AnalysisPage::show(std::size_t index) {
  shown_ = index;
  show_analysis(analysis::analyses()[index], {});
}

void AnalysisPage::draw_list(float width, bool menu) {
  std::vector<SideItem> items;
  std::vector<std::size_t> indices;  // registry indices of the items
  std::optional<std::size_t> on;
  for (const std::size_t i : listed()) {
    if (i == shown_) on = items.size();
    const analysis::Analysis& each = analysis::analyses()[i];
    items.push_back({.name = each.title,
                     .about = each.about,
                     .further = each.name,
                     .group = titled(i) ? analysis::group_of(each) : "Matches in descriptions"});
    indices.push_back(i);
  }
  if (items.empty() && !menu) text_muted("No analysis matches");
  const auto clicked =
      menu ? side_menu(app_, analysis::analyses()[shown_].title, items, on) : side_list(app_, items, on, width);
  if (clicked) show(indices[*clicked]);
}

const PageSpec registered::analysis::kPage{"analysis", "Analysis", Icon::analysis, make_page<AnalysisPage>};

}  // namespace warpscope::ui
