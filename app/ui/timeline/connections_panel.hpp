#pragma once
// The Connections tab: launch, GPU activity, and forward and backward operators of the selection. A click on a row
// selects it.
#include <string>
#include <vector>

#include "app/ui/timeline/connection_rows.hpp"
#include "app/ui/timeline/panel.hpp"

namespace warpscope::ui {

class ConnectionsPanel final : public Panel {
 public:
  [[nodiscard]] std::string_view id() const override { return "connections"; }
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

  // Rows of the selection, cached until it changes.
  mutable std::vector<ConnectionRow> rows_;
  mutable std::shared_ptr<const trace::Profile> profile_;
  mutable std::optional<trace::SliceRef> of_;
  // Centre of each row in the last frame, screen px; negative if not drawn.
  std::vector<float> row_y_;
  float row_x_ = 0;
};

}  // namespace warpscope::ui
