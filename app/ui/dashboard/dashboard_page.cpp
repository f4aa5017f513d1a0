#include "app/ui/dashboard/dashboard_page.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <utility>

#include "app/ui/findings/account_bar.hpp"
#include "app/ui/findings/findings_page.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/widgets/menu.hpp"
#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::ui {
namespace {

constexpr std::array<Gesture, 5> kDashboardGestures{{
    {"Show details of a chart item", "Hover"},
    {"List its slices", "Click a sector, bar or legend entry"},
    {"Show them in the Timeline", "Double-click"},
    {"Restrict the dashboard to a time range", "Drag over a time chart"},
    {"Copy a panel", "Click its menu button"},
}};

constexpr float kMargin = 16;
constexpr float kPanelGap = 12;
constexpr float kLeastColumn = 360;
constexpr float kPanelHeight = 392;
constexpr int kMostColumns = 4;

std::vector<PanelState> default_panels() {
  std::vector<PanelState> panels;
  for (const PanelSpec& spec : panel_specs()) panels.push_back({.id = std::string(spec.id)});
  return panels;
}

}  // namespace

DashboardPage::DashboardPage(AppContext& app)
    : Page(registered::dashboard::kPage), app_(app), results_(app.wake), panels_(default_panels()) {
  add_commands();
}

bool DashboardPage::available() const { return app_.session.profile() != nullptr; }

std::span<const Gesture> DashboardPage::gestures() const { return kDashboardGestures; }

bool DashboardPage::busy() const {
  return available() && (results_.busy() || list_.busy() || (app_.findings != nullptr && app_.findings->busy()));
}

const DashboardPanel* DashboardPage::panel(std::size_t index) const {
  return index < views_.size() ? views_[index].get() : nullptr;
}

DashboardPanel& DashboardPage::view(std::size_t index) {
  if (index >= views_.size()) views_.resize(panels_.size());
  std::unique_ptr<DashboardPanel>& view = views_[index];
  if (!view) view = std::make_unique<DashboardPanel>();
  return *view;
}

void DashboardPage::profile_changed(AppContext& app) {
  const std::shared_ptr<const trace::Profile>& profile = app.session.profile();
  const std::string path = profile ? app.session.path().string() : std::string();
  const bool fresh = path != path_;
  results_.set_profile(profile, app.session.generation(), fresh, app.session.events());
  if (fresh) {
    list_.close(app);
    path_ = path;
    panels_ = default_panels();
    views_.clear();
    scope_.clear();
    focus_.reset();
    enlarged_.reset();
    to_top_ = true;
  }
  absent_ = profile ? absent_data(*profile) : AbsentData{};
  if (profile) scope_.profile_changed(*profile);
}

bool DashboardPage::escape(AppContext& app) {
  if (list_.shown()) {
    list_.close(app);
  } else if (enlarged_) {
    enlarged_.reset();
  } else if (keyboard_) {
    keyboard_ = false;
  } else if (scope_.restricted()) {
    scope_.clear();
  } else {
    return false;
  }
  return true;
}

std::vector<std::size_t> DashboardPage::shown() const {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < panels_.size(); ++i)
    if (!is_absent(spec_of(panels_[i]), absent_)) shown.push_back(i);
  return shown;
}

void DashboardPage::draw(AppContext& app) {
  const std::shared_ptr<const trace::Profile> profile = app.session.profile();
  if (!profile) {
    nothing_here(app, "Shows charts of GPU and host activity.",
                 "Open a directory with " + app.commands.keys_text("file.open", 1) + ".");
    return;
  }
  list_.update(app);
  if (app.findings != nullptr) app.findings->update();
  partial_.draw(app, profile);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 corner = ImGui::GetCursorPos();
  ImGui::SetCursorPos({corner.x + app.px(kMargin), corner.y + app.px(8)});
  draw_bar(*profile);
  const float top = ImGui::GetCursorPosY() + app.px(4);
  const float list = list_.shown() ? app.px(CallsPanel::kWidth) : 0;
  const float height = std::max(1.0f, corner.y + room.y - top);
  // Keep the panel with the listed slices in view when the list opens.
  if (!std::exchange(list_shown_, list_.shown()) && list_.shown()) bring_ = true;
  ImGui::SetCursorPos({corner.x, top});
  draw_grid({room.x - list, height});
  if (list_.shown()) {
    ImGui::SetCursorPos({corner.x + room.x - list, top});
    list_.draw(app, height, true);
  }
  draw_panel_menu();
  results_.end_frame();
}

void DashboardPage::draw_bar(const trace::Profile& profile) {
  const float left = ImGui::GetCursorPosX();
  const float right = ImGui::GetWindowWidth() - app_.px(kMargin);
  scope_.draw(app_, profile);
  const float end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  const float place = right - small_width(app_, "New histogram…");
  if (end + app_.px(kPanelGap) <= place)
    ImGui::SameLine(place);
  else
    ImGui::SetCursorPosX(left);
  const auto answer = results_.get({"annotations", {}, scope_.scope()});
  const Table* families =
      answer && answer->tables.ok() && !answer->tables->empty() ? &answer->tables->front() : nullptr;
  if (auto request = maker_.draw(app_, families)) {
    PanelState made{.id = std::string(PanelState::kMadeHistogram)};
    made.annotation = std::move(request->annotation);
    made.gpu = request->gpu;
    const auto same = std::ranges::find_if(panels_, [&](const PanelState& panel) {
      return panel.made() && panel.annotation == made.annotation && panel.gpu == made.gpu;
    });
    focus_ = static_cast<std::size_t>(same - panels_.begin());
    if (same == panels_.end()) panels_.push_back(std::move(made));
    enlarged_.reset();
    bring_ = true;
  }
}

void DashboardPage::draw_account(float width) {
  headline_.clear();
  FindingsPage* const findings = app_.findings;
  const rules::Evaluation* const now = findings == nullptr ? nullptr : findings->evaluation();
  if (now == nullptr || now->account.empty() || scope_.restricted()) return;
  headline_ = rules::summary(*now);
  if (rules::issues_in(*now) > 0) {
    const rules::Ranked& first = now->findings.front();
    const std::string saving = rules::saving_text(*now, first);
    headline_ = first.finding.headline + (saving.empty() ? "" : ", " + saving);
  }
  const ImVec2 corner = ImGui::GetCursorPos();
  const float button = small_width(app_, "Show the findings");
  ImGui::SetCursorPosX(corner.x + width - button);
  if (small_button(app_, "##findings", "Show the findings")) app_.show_page(findings->id());
  ImGui::SetCursorPos(corner);
  ImGui::PushFont(app_.fonts.heading);
  text_wrapped(headline_, app_.theme.text, corner.x + width - button - app_.px(8));
  ImGui::PopFont();
  ImGui::SetCursorPosX(corner.x);
  if (const auto clicked = draw_account_bar(app_, *now, width)) {
    findings->choose(*clicked);
    app_.show_page(findings->id());
  }
}

void DashboardPage::draw_grid(ImVec2 size) {
  const float margin = app_.px(kMargin);
  const float gap = app_.px(kPanelGap);
  ImGui::BeginChild("##panels", size, 0, ImGuiWindowFlags_NoBackground);
  const float scrollbar = ImGui::GetStyle().ScrollbarSize;
  const float width = size.x - margin - std::max(margin, scrollbar + app_.px(4));
  if (std::exchange(to_top_, false)) ImGui::SetScrollY(0);
  // The first click opens the list, which may move the page, so the second click applies to the first one's target.
  second_click_ = listed_ && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (second_click_) list_slices(listed_->first, listed_->second, true);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) listed_.reset();
  if (enlarged_) {
    ImGui::SetCursorPos({margin, app_.px(4)});
    draw_panel(*enlarged_, {width, size.y - app_.px(4) - gap}, true);
    bring_ = false;
    ImGui::EndChild();
    return;
  }
  ImGui::SetCursorPos({margin, app_.px(4)});
  draw_account(width);
  const float top = ImGui::GetCursorPosY() + (headline_.empty() ? 0 : gap);
  columns_ = std::clamp(static_cast<int>((width + gap) / (app_.px(kLeastColumn) + gap)), 1, kMostColumns);
  const auto count = static_cast<float>(columns_);
  const ImVec2 panel(std::floor((width - gap * (count - 1)) / count), app_.px(kPanelHeight));
  const std::vector<std::size_t> shown = this->shown();
  for (std::size_t n = 0; n < shown.size(); ++n) {
    const auto column = static_cast<float>(n % static_cast<std::size_t>(columns_));
    const auto row = static_cast<float>(n / static_cast<std::size_t>(columns_));
    ImGui::SetCursorPos({margin + column * (panel.x + gap), top + row * (panel.y + gap)});
    draw_panel(shown[n], panel, false);
    if (bring_ && focus_ == shown[n]) {
      ImGui::SetScrollHereY(0.5f);
      bring_ = false;
      app_.keep_drawing();
    }
  }
  const auto rows =
      static_cast<float>((shown.size() + static_cast<std::size_t>(columns_) - 1) / static_cast<std::size_t>(columns_));
  ImGui::SetCursorPos({margin, top + rows * (panel.y + gap)});
  draw_absent(width);
  ImGui::Dummy({1, gap});
  ImGui::EndChild();
}

void DashboardPage::draw_absent(float width) const {
  constexpr int kMostLines = 4;
  const float left = ImGui::GetCursorPosX();
  for (const std::string& line : absent_lines(absent_)) {
    ImGui::SetCursorPosX(left);
    caption(app_, line, width, app_.theme.muted, kMostLines);
  }
}

void DashboardPage::draw_panel(std::size_t index, ImVec2 size, bool enlarged) {
  const PanelState& state = panels_.at(index);
  PanelFrame frame;
  frame.size = size;
  frame.focused = focus_ == index && !enlarged;
  frame.enlarged = enlarged;
  frame.restricted = scope_.restricted();
  frame.menu = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  const auto answer = results_.get(request_of(state, scope_.scope(), app_.settings.kernel_class));
  ImGui::PushID(static_cast<int>(index));
  const PanelAnswer given = view(index).draw(app_, state, answer, frame);
  ImGui::PopID();
  // A click anywhere in a panel gives it the keyboard focus.
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
      ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
      ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax())) {
    focus_ = index;
    keyboard_ = false;
  }
  take(index, given);
}

void DashboardPage::take(std::size_t index, const PanelAnswer& answer) {
  if (answer.action != PanelAction::none) focus_ = index;
  switch (answer.action) {
    case PanelAction::none:
      return;
    case PanelAction::list:
    case PanelAction::open:
      if (!answer.item || second_click_) return;
      listed_.emplace(index, *answer.item);
      list_slices(index, *answer.item, answer.action == PanelAction::open);
      return;
    case PanelAction::enlarge:
      enlarged_ = enlarged_ ? std::nullopt : std::optional(index);
      return;
    case PanelAction::menu:
      menu_wanted_ = true;
      return;
    case PanelAction::restrict_to_range:
      scope_.set_range_since_begin(*app_.session.profile(), answer.range);
  }
}

void DashboardPage::draw_panel_menu() {
  if (std::exchange(menu_wanted_, false)) ImGui::OpenPopup("##panel-menu");
  if (!begin_menu_popup(app_, "##panel-menu")) return;
  if (const auto index = focused()) {
    const DashboardPanel& of = view(*index);
    const PanelState& state = panels_[*index];
    if (const auto item = of.chosen()) {
      const std::string name = of.item_name(state, *item);
      text_muted(fit_text(name, app_.px(320)));
      ImGui::Separator();
      if (const auto* more = analysis::find_analysis(of.analysis_of(*item)); more != nullptr) {
        menu_item(app_, "dashboard.list", fmt::format("Show the analysis \"{}\"", more->title));
      } else if (of.slices_of(app_, state, *item)) {
        menu_item(app_, "dashboard.list", "List its slices");
        if (ImGui::MenuItem("Show them in the Timeline")) list_slices(*index, *item, true);
      }
      if (ImGui::MenuItem("Copy name")) copy_text(app_, name);
      ImGui::Separator();
    }
    menu_item(app_, "dashboard.copy");
    ImGui::Separator();
    menu_item(app_, "dashboard.enlarge", enlarged_ ? "Back to all panels" : "Enlarge");
    const analysis::Analysis* whole = analysis::find_analysis(spec_of(state).analysis);
    if (whole != nullptr)
      menu_item(app_, fmt::format("analysis.show.{}", whole->name),
                fmt::format("Show the analysis \"{}\"", whole->title));
    if (state.made()) menu_item(app_, "dashboard.remove");
  }
  end_menu_popup();
}

void DashboardPage::list_slices(std::size_t index, std::uint32_t item, bool open) {
  const PanelState& state = panels_[index];
  const DashboardPanel& of = view(index);
  if (const std::string_view more = of.analysis_of(item); !more.empty()) {
    app_.commands.run("analysis.show." + std::string(more));
    return;
  }
  auto query = of.slices_of(app_, state, item);
  const auto row = of.data().drawing.row_of(item);
  if (!query || !row) return;
  query->scope = scope_.scope();
  query->kernel_rules = app_.settings.kernel_class;
  std::string label = of.item_name(state, item);
  if (const ColumnRole role = spec_of(state).chart.x; role == ColumnRole::kernel || query->on_device)
    label = query->durations ? label : trace::kernel_label(label);
  else if (!query->durations)
    label = title_of(state) + ": " + label;
  list_.show(app_, std::move(query), std::move(label));
  list_.select_first(app_, open);
}

void DashboardPage::write_state(JsonWriter& writer) const {
  const std::shared_ptr<const trace::Profile>& profile = app_.session.profile();
  writer.member("scope", profile ? scope_.text(*profile) : std::string());
  writer.member("headline", headline_);
  writer.member("partial", partial_.text());
  writer.member("columns", columns_);
  writer.member("busy", busy());
  writer.member("enlarged", enlarged_ ? panels_[*enlarged_].id : std::string());
  write_object(writer, "list", [&] { list_.write_state(writer); });
  const auto write_panel = [&](std::size_t i) {
    const PanelState& state = panels_[i];
    const DashboardPanel* of = panel(i);
    writer.member("id", state.id);
    writer.member("title", title_of(state));
    writer.member("absent", is_absent(spec_of(state), absent_));
    writer.member("ready", of != nullptr && of->tables() != nullptr);
    writer.member("empty", of == nullptr || of->data().empty());
    writer.member("items", of != nullptr ? of->items() : 0);
    if (of != nullptr) {
      const charts::Drawing& drawing = of->chart().drawing();
      writer.member("x", static_cast<double>(of->chart().at().x));
      writer.member("y", static_cast<double>(of->chart().at().y));
      writer.member("width", static_cast<double>(drawing.width));
      writer.member("height", static_cast<double>(drawing.height));
    }
  };
  write_objects(writer, "panels", std::views::iota(std::size_t{0}, profile ? panels_.size() : 0), write_panel,
                JsonWriter::Layout::one_line);
}

const PageSpec registered::dashboard::kPage{"dashboard", "Dashboard", Icon::dashboard, make_page<DashboardPage>};

}  // namespace warpscope::ui
