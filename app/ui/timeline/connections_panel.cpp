// The Connections tab: the selection's launch, GPU activity, and forward and backward operators. Clicking a row selects
// its slice.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <string>
#include <vector>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/timeline/connection_rows.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"
#include "core/trace/resident_only.hpp"
#include "core/trace/slice_label.hpp"

namespace warpscope::ui {
namespace {

class ConnectionsPanel final : public Panel {
 public:
  [[nodiscard]] std::string label(const PanelContext& context) const override;
  void draw(PanelContext& context) override;
  void forget() override {
    of_.reset();
    profile_.reset();
    rows_.clear();
  }
  void write_state(JsonWriter& writer, const PanelContext& context) const override;

 private:
  void update(const PanelContext& context) const;
  void draw_row(PanelContext& context, std::size_t index);

  // Rows of the selection, cached until it changes; recomputed while required columns are being loaded.
  mutable std::vector<ConnectionRow> rows_;
  mutable bool loading_ = false;
  mutable std::shared_ptr<const trace::Profile> profile_;
  mutable std::optional<trace::SliceRef> of_;
  // Center of each row in the last frame, screen px; negative if not drawn.
  std::vector<float> row_y_;
  float row_x_ = 0;
};

constexpr float kLatencyWidth = 184;

constexpr std::size_t kMostInState = 50;

Ns begin_of(const trace::Profile& profile, trace::SliceRef slice) { return profile.begin(slice) - profile.span.begin; }

void figure(const AppContext& app, const std::string& words) {
  const float lower = std::round((app.fonts.ui->FontSize - app.fonts.mono->FontSize) / 2);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + lower);
  ImGui::PushFont(app.fonts.mono);
  align_right(text_width(words));
  text(words);
  ImGui::PopFont();
}

void header(const char* words, bool right) {
  ImGui::TableNextColumn();
  if (right) align_right(text_width(words));
  text_muted(words);
}

}  // namespace

void ConnectionsPanel::update(const PanelContext& context) const {
  if (!loading_ && profile_ == context.profile && of_ == context.selection) return;
  profile_ = context.profile;
  of_ = context.selection;
  rows_.clear();
  loading_ = false;
  if (!of_) return;
  auto rows = trace::if_resident([this] { return connection_rows(*profile_, *of_); });
  loading_ = !rows;
  if (rows) rows_ = std::move(*rows);
}

std::string ConnectionsPanel::label(const PanelContext& context) const {
  update(context);
  return rows_.empty() ? "Connections" : "Connections " + format_count(static_cast<std::int64_t>(rows_.size()));
}

void ConnectionsPanel::draw(PanelContext& context) {
  update(context);
  row_y_.assign(rows_.size(), -1);
  const AppContext& app = context.app;
  if (!context.selection) {
    nothing_here(app, "Shows the launch of the selected kernel, or the kernels of the selected launch.",
                 "Select a kernel, memcpy or runtime call in the Timeline.");
    return;
  }
  if (loading_) {
    text_muted("Loading…");
    return;
  }
  if (rows_.empty()) {
    nothing_here(app, "The selected slice has no connections.",
                 "Connections link launches to the GPU activity they start.");
    return;
  }
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_Resizable | ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_PadOuterX;
  const float padding = std::floor((app.px(24) - ImGui::GetFontSize()) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(app.px(8), padding));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(app.px(8), 2 * padding));  // no gaps between highlighted rows
  if (!ImGui::BeginTable("##connections", 7, kFlags)) {
    ImGui::PopStyleVar(2);
    return;
  }
  const float figures = app.px(128);
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthFixed, app.px(88));
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 3);
  ImGui::TableSetupColumn("track", ImGuiTableColumnFlags_WidthStretch, 2);
  ImGui::TableSetupColumn("start", ImGuiTableColumnFlags_WidthFixed, app.px(176));
  ImGui::TableSetupColumn("duration", ImGuiTableColumnFlags_WidthFixed, figures);
  ImGui::TableSetupColumn("from start", ImGuiTableColumnFlags_WidthFixed, app.px(kLatencyWidth));
  ImGui::TableSetupColumn("from end", ImGuiTableColumnFlags_WidthFixed, app.px(kLatencyWidth));
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow();
  header("Kind", false);
  header("Name", false);
  header("Track", false);
  header("Start", true);
  header("Duration", true);
  header(analysis::kApiStartToKernelStart.data(), true);
  header(analysis::kApiEndToKernelStart.data(), true);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows_.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) draw_row(context, static_cast<std::size_t>(i));
  ImGui::EndTable();
  ImGui::PopStyleVar(2);
}

void ConnectionsPanel::draw_row(PanelContext& context, std::size_t index) {
  const ConnectionRow row = rows_[index];  // a click may change the rows
  const AppContext& app = context.app;
  const trace::Profile& profile = *context.profile;
  const std::string_view name = profile.name(row.slice);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(static_cast<int>(index));
  const bool chosen = row.slice == context.selection;
  const bool clicked = ImGui::Selectable("##row", chosen, ImGuiSelectableFlags_SpanAllColumns);
  row_x_ = item_center().x;
  row_y_[index] = item_center().y;
  if (ImGui::IsItemHovered())
    tooltip(app, name, {},
            "Click to go there; " + app.commands.keys_text("connection.previous", 1) + " and " +
                app.commands.keys_text("connection.next", 1) + " step through them");
  ImGui::SameLine(0, 0);
  text(to_string(row.end));
  ImGui::TableNextColumn();
  text(fit_text(trace::slice_label(profile, row.slice), ImGui::GetContentRegionAvail().x));
  ImGui::TableNextColumn();
  text(fit_text(track_path(profile, row.slice), ImGui::GetContentRegionAvail().x));
  ImGui::TableNextColumn();
  figure(app, format_time_at(begin_of(profile, row.slice), 100));
  ImGui::TableNextColumn();
  figure(app, format_duration(profile.duration(row.slice)));
  ImGui::TableNextColumn();
  if (row.latency) figure(app, format_duration(row.latency->from_start));
  ImGui::TableNextColumn();
  if (row.latency) figure(app, format_duration(row.latency->from_end));
  ImGui::PopID();
  if (clicked) context.go_to(row.slice);
}

void ConnectionsPanel::write_state(JsonWriter& writer, const PanelContext& context) const {
  update(context);
  writer.member("count", rows_.size());
  writer.member("row_x", static_cast<double>(row_x_));
  const auto write_row = [&](std::size_t i) {
    const ConnectionRow& row = rows_[i];
    writer.member("what", to_string(row.end));
    writer.member("name", context.profile->name(row.slice));
    writer.member("track", track_path(*context.profile, row.slice));
    writer.member("begin_ns", begin_of(*context.profile, row.slice));
    writer.member("duration_ns", context.profile->duration(row.slice));
    writer.key("latency_ns");
    row.latency ? writer.value(row.latency->from_start) : writer.value(nullptr);
    writer.key("latency_from_end_ns");
    row.latency ? writer.value(row.latency->from_end) : writer.value(nullptr);
    writer.member("selected", row.slice == context.selection);
    if (i < row_y_.size() && row_y_[i] >= 0) writer.member("y", static_cast<double>(row_y_[i]));
  };
  write_objects(writer, "rows", std::views::iota(std::size_t{0}, std::min(rows_.size(), kMostInState)), write_row,
                JsonWriter::Layout::one_line);
}

const TabSpec registered::connections::kTab{"connections", "Show the connections", make_panel<ConnectionsPanel>};

}  // namespace warpscope::ui
