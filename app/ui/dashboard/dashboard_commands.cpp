// Keyboard commands of the Dashboard: panel navigation, chart navigation, and all menu items.
#include <algorithm>

#include "app/ui/dashboard/dashboard_page.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/small_controls.hpp"

namespace warpscope::ui {

std::optional<std::size_t> DashboardPage::focused() const {
  if (enlarged_) return enlarged_;
  const std::vector<std::size_t> on_page = shown();
  if (focus_ && std::ranges::find(on_page, *focus_) != on_page.end()) return focus_;
  return std::nullopt;
}

void DashboardPage::move_focus(int columns, int rows) {
  const std::vector<std::size_t> shown = this->shown();
  if (shown.empty()) return;
  keyboard_ = bring_ = true;
  const auto at = focus_ ? std::ranges::find(shown, *focus_) : shown.end();
  if (at == shown.end()) {
    focus_ = shown.front();
    return;
  }
  const auto to = (at - shown.begin()) + columns + static_cast<std::ptrdiff_t>(rows) * columns_;
  if (to >= 0 && to < static_cast<std::ptrdiff_t>(shown.size())) focus_ = shown[static_cast<std::size_t>(to)];
  if (enlarged_) enlarged_ = focus_;
}

void DashboardPage::step_item(int direction) {
  if (!focused()) move_focus(0, 0);
  const auto index = focused();
  if (!index) return;
  DashboardPanel& of = view(*index);
  keyboard_ = true;
  const auto count = static_cast<std::ptrdiff_t>(of.items());
  if (count == 0) return;
  const std::ptrdiff_t from = of.chosen() ? static_cast<std::ptrdiff_t>(*of.chosen()) : direction > 0 ? -1 : 0;
  of.choose(static_cast<std::uint32_t>(((from + direction) % count + count) % count));
}

void DashboardPage::add_commands() {
  add_panel_commands();
  add_list_commands();
  add_scope_commands();
  const auto here = [this] { return available(); };
  const CommandGroup add(app_.commands, "Dashboard", id(), here);
  add("dashboard.new-histogram", "New histogram of annotations…", {"B"}, [this] {
    app_.show_page(id());
    maker_.open();
  });
}

void DashboardPage::add_panel_commands() {
  const CommandGroup move(app_.commands, "Dashboard", id(), [this] { return available(); });
  move("dashboard.panel-right", "Next panel", {"Right", "D"}, [this] { move_focus(1, 0); }).repeats();
  move("dashboard.panel-left", "Previous panel", {"Left", "A"}, [this] { move_focus(-1, 0); }).repeats();
  move("dashboard.panel-down", "Panel below", {"Down", "S"}, [this] { move_focus(0, 1); }).repeats();
  move("dashboard.panel-up", "Panel above", {"Up", "W"}, [this] { move_focus(0, -1); }).repeats();
  move("dashboard.next-part", "Next chart item", {"]"}, [this] { step_item(1); }).repeats();
  move("dashboard.previous-part", "Previous chart item", {"["}, [this] { step_item(-1); }).repeats();
  const CommandGroup add(app_.commands, "Dashboard", id(), [this] { return available() && focused(); });
  add("dashboard.list", "List the slices of the selected chart item", {"Enter"}, [this] {
    if (const auto item = view(*focused()).chosen()) list_slices(*focused(), *item, false);
  });
  add("dashboard.enlarge", "Toggle enlarged panel", {"E"},
      [this] { enlarged_ = enlarged_ ? std::nullopt : focused(); });
  add("dashboard.copy", "Copy the panel as CSV", {"Ctrl+C"}, [this] {
    if (const Table* table = view(*focused()).table()) copy_csv(app_, *table);
  });
  add("dashboard.remove", "Remove the histogram", {"Delete"}, [this] {
    const std::size_t index = *focused();
    if (!panels_[index].made()) return;
    panels_.erase(panels_.begin() + static_cast<std::ptrdiff_t>(index));
    if (index < views_.size()) views_.erase(views_.begin() + static_cast<std::ptrdiff_t>(index));
    enlarged_.reset();
    focus_.reset();
  });
}

void DashboardPage::add_list_commands() {
  const CommandGroup add(app_.commands, "Dashboard", id(), [this] { return available() && list_.shown(); });
  add("dashboard.next-call", "Next slice in the list (longest first)", {"N"}, [this] {
    list_.step(app_, 1);
  }).repeats();
  add("dashboard.previous-call", "Previous slice in the list", {"P"}, [this] { list_.step(app_, -1); }).repeats();
  add("dashboard.show-calls", "Show the slice in the Timeline", {"Shift+Enter", "F"},
      [this] { list_.show_in_timeline(app_); });
}

void DashboardPage::add_scope_commands() {
  const CommandGroup add(app_.commands, "Dashboard", id(), [this] { return available(); });
  add("dashboard.whole-profile", "Reset the dashboard to the evaluated steps of all ranks", {"Shift+R"}, [this] {
    scope_.clear();
  }).when([this] { return scope_.restricted(); });
  add("dashboard.marked-range", "Restrict the dashboard to the range marked in the Timeline", {"R"}, [this] {
    if (app_.session.marked()) scope_.set_range(*app_.session.profile(), *app_.session.marked());
  }).when([this] { return available() && app_.session.marked().has_value(); });
  using Part = ScopeBar::Part;
  const auto part = [&](const char* command_id, const char* name, const char* key, Part which) {
    add(command_id, name, {key}, [this, which] { scope_.open(which); });
  };
  part("dashboard.restrict-time", "Restrict the dashboard to a time range…", "1", Part::time);
  part("dashboard.restrict-steps", "Restrict the dashboard to steps…", "2", Part::steps);
  part("dashboard.restrict-ranks", "Restrict the dashboard to ranks…", "3", Part::ranks);
}

}  // namespace warpscope::ui
