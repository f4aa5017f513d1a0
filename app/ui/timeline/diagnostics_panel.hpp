#pragma once
// The Diagnostics tab: each kind of diagnostic with its count, place and explanation.
#include <memory>
#include <string>

#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/table_view.hpp"
#include "core/base/table.hpp"

namespace warpscope::ui {

class DiagnosticsPanel final : public Panel {
 public:
  [[nodiscard]] std::string_view id() const override { return "diagnostics"; }
  [[nodiscard]] std::string label(const PanelContext& context) const override;
  void draw(PanelContext& context) override;
  void forget() override { profile_.reset(); }
  void write_state(JsonWriter& writer, const PanelContext& context) const override;

 private:
  std::shared_ptr<const trace::Profile> profile_;  // of table_
  Table table_;
  TableView view_;
};

}  // namespace warpscope::ui
