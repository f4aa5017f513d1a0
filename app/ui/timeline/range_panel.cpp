// The Range tab: summarizes the marked range by name on another thread. Marking a new range replaces a running
// computation.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <memory>
#include <ranges>
#include <string>

#include "app/ui/model/background.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/timeline/range_saver.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/table_view.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

class RangePanel final : public Panel {
 public:
  [[nodiscard]] std::string label(const PanelContext& context) const override;
  void draw(PanelContext& context) override;
  [[nodiscard]] bool busy() const override { return work_.running() || saver_.busy(); }
  void forget() override {
    work_.stop();
    saver_.stop();
    table_ = {};
    revision_ = 0;
    ready_ = false;
  }
  void write_state(JsonWriter& writer, const PanelContext& context) const override;

 private:
  void update(PanelContext& context);
  void draw_header(PanelContext& context);

  Background<Table> work_;
  Table table_;
  TableView view_;
  RangeSaver saver_;
  std::uint64_t revision_ = 0;  // of the range in table_ or being computed; 0: none
  bool ready_ = false;
};

}  // namespace

std::string RangePanel::label(const PanelContext& context) const {
  return context.range == nullptr ? "Range" : "Range " + format_duration(context.range->time.length());
}

void RangePanel::update(PanelContext& context) {
  if (auto table = work_.take()) {
    table_ = std::move(*table);
    view_.set_table(table_);
    ready_ = true;
  }
  if (context.range == nullptr || context.range_revision == revision_) return;
  revision_ = context.range_revision;
  work_.start(
      [profile = context.profile, range = *context.range](const CancelToken& cancel) {
        const auto lanes = range.all_lanes ? analysis::all_lanes(*profile) : range.lanes;
        return analysis::range_summary(*profile, range.time, lanes, &cancel);
      },
      context.app.wake);
}

void RangePanel::draw_header(PanelContext& context) {
  const SelectedRange& range = *context.range;
  const Ns zero = context.profile->span.begin;
  const Ns step = std::max<Ns>(1, range.time.length() / 1000);
  std::string facts = fmt::format(
      "{} to {}, on {}", format_time_at(range.time.begin - zero, step), format_time_at(range.time.end - zero, step),
      range.all_lanes ? "all tracks"
                      : fmt::format("{} {}", range.lanes.size(), range.lanes.size() == 1 ? "row" : "rows"));
  if (!table_.note.empty() && ready_) facts += " · " + table_.note;
  ImGui::AlignTextToFramePadding();
  ImGui::PushFont(context.app.fonts.mono);
  text(format_duration(range.time.length()));
  ImGui::PopFont();
  ImGui::SameLine(0, context.app.px(12));
  text_muted(facts);
  ImGui::SameLine(0, context.app.px(16));
  if (ImGui::SmallButton("Zoom to fit")) context.go_to_interval(range.time);
  ImGui::SameLine(0, context.app.px(8));
  if (ImGui::SmallButton("Copy as CSV")) copy_csv(context.app, table_);
  ImGui::SameLine(0, context.app.px(8));
  if (saver_.writing())
    text_muted("Saving…");
  else if (ImGui::SmallButton("Save as a trace…"))
    saver_.ask(context);
}

void RangePanel::draw(PanelContext& context) {
  update(context);
  if (context.save_range) saver_.ask(context);
  saver_.draw(context);
  if (context.range == nullptr) {
    nothing_here(context.app, "Drag on the Timeline to summarize a range by name: count, total, mean and busy share.",
                 "Drag across tracks, or on the ruler for all tracks.");
    return;
  }
  draw_header(context);
  if (!ready_) {
    text_muted("Counting…");
    return;
  }
  if (table_.rows() == 0) {
    nothing_here(context.app, "No slices in this range on these tracks.", "Drag across rows with slices.");
    return;
  }
  TableView::Options options;
  options.clicked = [&](std::size_t row) { context.find(fmt::format("name=\"{}\"", table_.at(row, 0).text())); };
  options.tip = [&](std::size_t row) { return std::string(table_.at(row, 0).text()); };
  view_.draw(context.app, "range", table_, options);
}

void RangePanel::write_state(JsonWriter& writer, const PanelContext& context) const {
  writer.member("marked", context.range != nullptr);
  if (context.range == nullptr) return;
  writer.member("begin_ns", context.range->time.begin - context.profile->span.begin);
  writer.member("end_ns", context.range->time.end - context.profile->span.begin);
  writer.member("ready", ready_ && !work_.running());
  writer.member("names", table_.rows());
  const auto write_row = [&](std::size_t row) {
    writer.member("name", table_.at(row, 0).text());
    writer.member("count", table_.at(row, 2).integer());
    writer.member("total_ns", table_.at(row, 3).integer());
  };
  write_objects(writer, "rows", std::views::iota(std::size_t{0}, std::min<std::size_t>(table_.rows(), 20)), write_row,
                JsonWriter::Layout::one_line);
}

const TabSpec registered::range::kTab{"range", "Show the marked range", make_panel<RangePanel>};

}  // namespace warpscope::ui
