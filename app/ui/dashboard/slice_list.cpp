#include "app/ui/dashboard/slice_list.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/ui/model/commands.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui {

void SliceList::start(AppContext& app, PickRequest request, bool open) {
  const std::shared_ptr<const trace::Profile> profile = app.session.profile();
  if (!profile) return;
  request_ = request;
  generation_ = app.session.generation();
  open_ = true;
  ready_ = false;
  show_when_found_ = open;
  keep_selection_ = false;
  work_.start([profile, request = std::move(request)](
                  const CancelToken& cancel) { return pick_slices(*profile, request, cancel); },
              app.wake);
}

void SliceList::profile_changed(AppContext& app) {
  if (!open_) return;
  start(app, PickRequest(request_), false);
  keep_selection_ = true;
}

void SliceList::update(AppContext& app) {
  auto found = work_.take();
  if (!found || !found->slices || generation_ != app.session.generation()) return;
  result_ = std::move(*found);
  view_ = {};
  view_.set_table(result_.table);
  ready_ = true;
  chosen_.reset();
  app.session.pick(result_.slices);
  const std::vector<trace::SliceRef>& slices = result_.slices->slices;
  if (keep_selection_) {
    const auto selected = app.session.selection() ? std::ranges::find(slices, *app.session.selection()) : slices.end();
    if (selected != slices.end()) chosen_ = static_cast<std::size_t>(selected - slices.begin());
  } else if (!slices.empty()) {
    choose(app, 0);
  }
  if (show_when_found_) show_in_timeline(app);
}

void SliceList::close(AppContext& app) {
  work_.stop();
  open_ = ready_ = false;
  result_ = {};
  app.session.pick(nullptr);
}

void SliceList::choose(AppContext& app, std::size_t index) {
  chosen_ = index;
  scroll_ = true;
  app.session.pick(result_.slices);
  app.session.go_to(result_.slices->slices[index]);
}

void SliceList::step(AppContext& app, int direction) {
  if (!ready_ || result_.slices->slices.empty()) return;
  const auto count = static_cast<std::ptrdiff_t>(result_.slices->slices.size());
  const auto from = chosen_ ? static_cast<std::ptrdiff_t>(*chosen_) : direction > 0 ? -1 : 0;
  choose(app, static_cast<std::size_t>(((from + direction) % count + count) % count));
}

void SliceList::show_in_timeline(AppContext& app) {
  if (!ready_ || !chosen_) return;
  app.session.pick(result_.slices);
  show_in_timeline_page(app, result_.slices->slices[*chosen_]);
}

void SliceList::draw_header(AppContext& app) {
  const float right = ImGui::GetContentRegionAvail().x;
  const float top = ImGui::GetCursorPosY();
  const float left = ImGui::GetCursorPosX();
  const std::size_t count = ready_ ? result_.slices->slices.size() : 0;
  std::string facts = "Searching…";
  if (ready_) {
    facts = fmt::format("{} {} · {}", format_count(static_cast<std::int64_t>(count)), count == 1 ? "slice" : "slices",
                        format_duration(result_.total));
    if (count > kMostListed) facts += fmt::format(" · showing the {} longest", format_count(kMostListed));
  }
  const std::string place = chosen_ && count > 0
                                ? fmt::format("{} of {}", format_count(static_cast<std::int64_t>(*chosen_ + 1)),
                                              format_count(static_cast<std::int64_t>(count)))
                                : std::string();
  const float side = app.px(24);
  const float show = small_width(app, "Show in the Timeline");
  const float copy = small_width(app, "Copy as CSV");
  const float place_width = small_width(app, place);
  float x = right - side - app.px(8) - copy - app.px(8) - show - app.px(8) - place_width - 2 * side;
  const float room = std::max(app.px(80), x - app.px(16));
  ImGui::SetCursorPosY(top + app.px(2));
  const float words = std::min(room * 0.6f, ImGui::CalcTextSize(request_.label.c_str()).x + 1);
  text_fitted(app, request_.label, words, app.theme.text);
  ImGui::SameLine(0, app.px(12));
  ImGui::SetCursorPosY(top + app.px(3));
  caption(app, facts, room - words - app.px(12), app.theme.muted);
  const auto at = [&](float width) {
    ImGui::SetCursorPos({left + x, top});
    x += width;
  };
  ImGui::BeginDisabled(count == 0);
  at(side);
  if (icon_button(app, "##previous", Icon::chevron_left, "Previous slice", "dashboard.previous-slice")) step(app, -1);
  at(place_width);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + app.px(8));
  small_label(app, place);
  at(side + app.px(8));
  if (icon_button(app, "##next", Icon::chevron_right, "Next slice (longest first)", "dashboard.next-slice"))
    step(app, 1);
  at(show + app.px(8));
  if (small_button(app, "##show", "Show in the Timeline", count > 0, app.commands.keys_text("dashboard.show-slice", 1)))
    show_in_timeline(app);
  at(copy + app.px(8));
  if (small_button(app, "##copy", "Copy as CSV", count > 0)) copy_csv(app, result_.table);
  ImGui::EndDisabled();
  at(side);
  if (icon_button(app, "##close", Icon::close, "Close the list", "app.escape")) close(app);
}

void SliceList::draw(AppContext& app, float height) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(app.px(12), app.px(6)));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, app.theme.panel);
  ImGui::BeginChild("##slices", {0, height}, ImGuiChildFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  draw_header(app);
  if (open_ && ready_) {
    if (result_.slices->slices.empty()) {
      panel_words(app, ImGui::GetContentRegionAvail(), "", "No matching slices in this selection.");
    } else {
      TableView::Options options;
      options.chosen = chosen_;
      options.scroll_to_chosen = std::exchange(scroll_, false);
      options.clicked = [&](std::size_t row) { choose(app, row); };
      options.double_clicked = [&](std::size_t) { show_in_timeline(app); };
      options.tip = [&](std::size_t row) { return std::string(result_.table.at(row, 0).text()); };
      view_.draw(app, "##table", result_.table, options);
    }
  }
  ImGui::EndChild();
}

void SliceList::write_state(JsonWriter& writer) const {
  writer.member("open", open_);
  writer.member("label", open_ ? request_.label : std::string());
  writer.member("ready", ready_);
  writer.member("count", ready_ ? result_.slices->slices.size() : 0);
  writer.member("chosen", chosen_ && ready_ ? static_cast<std::int64_t>(*chosen_) + 1 : 0);
}

}  // namespace warpscope::ui
