// The Collective tab: a sentence that explains which rank arrived last and why, followed by the selected collective's
// kernels on all ranks of the process group, by arrival, last first. Clicking a row goes to that rank's kernel.
#include <imgui.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/timeline/collectives/job_ranks.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/table_view.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/counted.hpp"

namespace warpscope::ui {
namespace {

constexpr int kMostRowsInState = 64;

class CollectivePanel final : public Panel {
 public:
  [[nodiscard]] std::string label(const PanelContext& context) const override {
    const ChosenCollective* chosen = context.collective;
    if (chosen == nullptr || chosen->slices.empty()) return "Collective";
    return "Collective " + format_count(static_cast<std::int64_t>(chosen->slices.size()));
  }
  void draw(PanelContext& context) override;
  void forget() override {
    shown_ = scene::Ribbon::kNone;
    profile_.reset();
  }
  void write_state(JsonWriter& writer, const PanelContext& context) const override;

 private:
  void draw_rows(PanelContext& context, const ChosenCollective& chosen);

  std::uint32_t shown_ = scene::Ribbon::kNone;  // collective in view_
  std::shared_ptr<const trace::Profile> profile_;
  std::optional<trace::SliceRef> selected_;  // as of the last frame
  TableView view_;
  ImVec2 table_;  // top left corner on the screen
  float row_height_ = 0;
};

}  // namespace

void CollectivePanel::draw(PanelContext& context) {
  const AppContext& app = context.app;
  const ChosenCollective* chosen = context.collective;
  if (chosen == nullptr) {
    shown_ = scene::Ribbon::kNone;
    if (context.matching)
      text_muted("Matching the collectives of " + counted(context.profile->ranks.size(), "rank", "ranks") + "…");
    else if (!context.unmatched.empty())
      nothing_here(app, "Collectives cannot be matched across ranks.", context.unmatched);
    else if (context.profile->ranks.size() < 2)
      nothing_here(app, "Compares the ranks of a collective.",
                   "This requires traces from several ranks; open their directory.");
    else
      nothing_here(app, "Lists a collective's kernels on all ranks and explains why the last rank was late.",
                   "Select a communication kernel in the Timeline.");
    return;
  }
  if (chosen->id == scene::Ribbon::kNone) {
    shown_ = scene::Ribbon::kNone;
    nothing_here(app, "The selected kernel has no match on other ranks.", chosen->reason);
    return;
  }
  text_wrapped(chosen->sentence, app.theme.text);
  small_label(app, fit_text(chosen->clocks + " " + sentence(chosen->about) + ".", ImGui::GetContentRegionAvail().x));
  draw_rows(context, *chosen);
}

void CollectivePanel::draw_rows(PanelContext& context, const ChosenCollective& chosen) {
  const AppContext& app = context.app;
  const bool changed = shown_ != chosen.id || profile_ != context.profile;
  if (changed) {
    shown_ = chosen.id;
    profile_ = context.profile;
    view_.set_table(chosen.rows);
  }
  TableView::Options options;
  const auto own = context.selection ? std::ranges::find(chosen.slices, *context.selection) : chosen.slices.end();
  if (own != chosen.slices.end()) options.chosen = static_cast<std::size_t>(own - chosen.slices.begin());
  options.scroll_to_chosen = changed || selected_ != context.selection;
  selected_ = context.selection;
  std::optional<trace::SliceRef> clicked;  // going there changes the rows
  options.clicked = [&](std::size_t row) { clicked = chosen.slices[row]; };
  options.tip = [&](std::size_t) {
    return "Click to go there; " + app.commands.keys_text("collective.previous", 1) + " and " +
           app.commands.keys_text("collective.next", 1) + " step through the ranks in arrival order, " +
           app.commands.keys_text("collective.last", 1) + " goes to the last";
  };
  table_ = ImGui::GetCursorScreenPos();
  row_height_ = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  view_.draw(app, "##collective", chosen.rows, options);
  if (clicked) context.go_to(*clicked);
}

void CollectivePanel::write_state(JsonWriter& writer, const PanelContext& context) const {
  const ChosenCollective* chosen = context.collective;
  writer.member("matching", context.matching);
  if (chosen == nullptr) return;
  writer.member("sentence", chosen->sentence);
  writer.member("reason", chosen->reason);
  writer.member("clocks", chosen->clocks);
  writer.member("count", chosen->slices.size());
  writer.member("table_x", static_cast<double>(table_.x));
  writer.member("table_y", static_cast<double>(table_.y));
  writer.member("row_height", static_cast<double>(row_height_));
  const auto write_row = [&](trace::SliceRef slice) {
    writer.member("rank", context.profile->ranks[slice.rank]->number);
    writer.member("selected", slice == context.selection);
  };
  write_objects(writer, "rows", chosen->slices | std::views::take(kMostRowsInState), write_row,
                JsonWriter::Layout::one_line);
}

const TabSpec registered::collective::kTab{"collective", "Show the collective's ranks", make_panel<CollectivePanel>};

}  // namespace warpscope::ui
