// The Connections tab: the selection's launch, GPU activity, and forward and backward operators. Clicking a row selects
// its slice.
#include <imgui.h>

#include <algorithm>
#include <ranges>
#include <string>
#include <vector>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/timeline/connection_rows.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/table_view.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"
#include "core/trace/resident_only.hpp"
#include "core/trace/slice_label.hpp"

namespace warpscope::ui {
namespace {

constexpr std::size_t kMostInState = 50;

Ns begin_of(const trace::Profile& profile, trace::SliceRef slice) { return profile.begin(slice) - profile.span.begin; }

Table table_of(const trace::Profile& profile, const std::vector<ConnectionRow>& rows) {
  Table table("connections", "Connections",
              {{"kind", "", ColumnKind::text},
               {"name", "", ColumnKind::text},
               {"track", "", ColumnKind::text},
               {"start", "", ColumnKind::time},
               {"duration", "", ColumnKind::duration},
               {std::string(analysis::kApiStartToKernelStart), "", ColumnKind::duration},
               {std::string(analysis::kApiEndToKernelStart), "", ColumnKind::duration}});
  for (const ConnectionRow& row : rows)
    table.add_row({to_string(row.end), trace::slice_label(profile, row.slice), track_path(profile, row.slice),
                   begin_of(profile, row.slice), profile.duration(row.slice),
                   row.latency ? Cell(row.latency->from_start) : Cell(),
                   row.latency ? Cell(row.latency->from_end) : Cell()});
  return table;
}

class ConnectionsPanel final : public Panel {
 public:
  [[nodiscard]] std::string label(const PanelContext& context) const override {
    update(context);
    return rows_.empty() ? "Connections" : "Connections " + format_count(static_cast<std::int64_t>(rows_.size()));
  }
  void draw(PanelContext& context) override;
  void forget() override {
    of_.reset();
    profile_.reset();
    rows_.clear();
  }
  void write_state(JsonWriter& writer, const PanelContext& context) const override;

 private:
  void update(const PanelContext& context) const;

  // Rows of the selection, cached until it changes; recomputed while required columns are being loaded.
  mutable std::vector<ConnectionRow> rows_;
  mutable Table table_;
  mutable TableView view_;
  mutable bool loading_ = false;
  mutable std::shared_ptr<const trace::Profile> profile_;
  mutable std::optional<trace::SliceRef> of_;
  ImVec2 at_;  // top left corner of the table on the screen
  float row_height_ = 0;
};

void ConnectionsPanel::update(const PanelContext& context) const {
  if (!loading_ && profile_ == context.profile && of_ == context.selection) return;
  profile_ = context.profile;
  of_ = context.selection;
  rows_.clear();
  loading_ = false;
  if (!of_) return;
  auto rows = trace::if_resident([this] {
    auto found = connection_rows(*profile_, *of_);
    table_ = table_of(*profile_, found);
    return found;
  });
  loading_ = !rows;
  if (!rows) return;
  rows_ = std::move(*rows);
  view_.set_table(table_);
}

void ConnectionsPanel::draw(PanelContext& context) {
  update(context);
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
  TableView::Options options;
  const auto own = std::ranges::find(rows_, *context.selection, &ConnectionRow::slice);
  if (own != rows_.end()) options.chosen = static_cast<std::size_t>(own - rows_.begin());
  std::optional<trace::SliceRef> clicked;  // going there changes the rows
  options.clicked = [&](std::size_t row) { clicked = rows_[row].slice; };
  options.tip = [&](std::size_t row) {
    return std::string(context.profile->name(rows_[row].slice)) + "\nClick to go there; " +
           app.commands.keys_text("connection.previous", 1) + " and " + app.commands.keys_text("connection.next", 1) +
           " step through them";
  };
  at_ = ImGui::GetCursorScreenPos();
  row_height_ = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  view_.draw(app, "##connections", table_, options);
  if (clicked) context.go_to(*clicked);
}

void ConnectionsPanel::write_state(JsonWriter& writer, const PanelContext& context) const {
  update(context);
  writer.member("count", rows_.size());
  writer.member("row_x", static_cast<double>(at_.x) + 20);
  const auto write_row = [&](std::size_t i) {
    const ConnectionRow& row = rows_[i];
    writer.member("what", to_string(row.end));
    writer.member("name", context.profile->name(row.slice));
    writer.member("track", track_path(*context.profile, row.slice));
    writer.member("begin_ns", begin_of(*context.profile, row.slice));
    writer.member("duration_ns", context.profile->duration(row.slice));
    writer.key("latency_ns");
    row.latency ? writer.value(row.latency->from_start) : writer.value(nullptr);
    writer.member("selected", row.slice == context.selection);
    writer.member("y", static_cast<double>(at_.y + row_height_ * (static_cast<float>(i) + 1.5f)));
  };
  write_objects(writer, "rows", std::views::iota(std::size_t{0}, std::min(rows_.size(), kMostInState)), write_row,
                JsonWriter::Layout::one_line);
}

}  // namespace

const TabSpec registered::connections::kTab{"connections", "Show the connections", make_panel<ConnectionsPanel>};

}  // namespace warpscope::ui
