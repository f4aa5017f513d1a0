// The Diagnostics tab: each kind of diagnostic with its count, location and explanation.
#include <memory>
#include <string>

#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/table_view.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "core/base/diagnostics_table.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"
#include "core/base/table.hpp"

namespace warpscope::ui {
namespace {

class DiagnosticsPanel final : public Panel {
 public:
  [[nodiscard]] std::string label(const PanelContext& context) const override;
  void draw(PanelContext& context) override;
  void forget() override { profile_.reset(); }
  void write_state(JsonWriter& writer, const PanelContext& context) const override;

 private:
  std::shared_ptr<const trace::Profile> profile_;  // of table_
  Table table_;
  TableView view_;
};

}  // namespace

std::string DiagnosticsPanel::label(const PanelContext& context) const {
  const std::size_t count = context.profile->diagnostics.all().size();
  return count == 0 ? "Diagnostics" : "Diagnostics " + format_count(static_cast<std::int64_t>(count));
}

void DiagnosticsPanel::draw(PanelContext& context) {
  if (context.profile->diagnostics.empty()) {
    nothing_here(context.app, "Lists problems in the input.", "No diagnostics.");
    return;
  }
  if (profile_ != context.profile) {
    profile_ = context.profile;
    table_ = diagnostics_table(profile_->diagnostics, profile_->path);
    view_.set_table(table_);
  }
  TableView::Options options;
  options.clicked = [&](std::size_t row) { jump_to(context.app, *by_severity(profile_->diagnostics)[row]); };
  options.tip = [this](std::size_t row) { return std::string(table_.at(row, kExplanationColumn).text()); };
  view_.draw(context.app, "##diagnostics", table_, options);
}

void DiagnosticsPanel::write_state(JsonWriter& writer, const PanelContext& context) const {
  writer.member("count", context.profile->diagnostics.all().size());
}

const TabSpec registered::diagnostics::kTab{"diagnostics", "Show the diagnostics", make_panel<DiagnosticsPanel>};

}  // namespace warpscope::ui
