#pragma once
// The Range tab: summarizes the marked range by name, on another thread. A newer range replaces a running computation.
#include <memory>
#include <string>

#include "app/ui/model/background.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/table_view.hpp"

namespace warpscope::ui {

class RangePanel final : public Panel {
 public:
  [[nodiscard]] std::string_view id() const override { return "range"; }
  [[nodiscard]] std::string label(const PanelContext& context) const override;
  void draw(PanelContext& context) override;
  [[nodiscard]] bool busy() const override { return work_.running(); }
  void forget() override {
    work_.stop();
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
  std::uint64_t revision_ = 0;  // of the range in table_ or being computed; 0: none
  bool ready_ = false;
};

}  // namespace warpscope::ui
