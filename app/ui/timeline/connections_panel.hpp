#pragma once
// The Connections tab: the launch and the runs that belong to the selection, forward and backward operators too. A
// click on a row goes there.
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

  // The rows of the selection, kept while it is the same.
  mutable std::vector<ConnectionRow> rows_;
  mutable std::shared_ptr<const trace::Profile> profile_;
  mutable std::optional<trace::SliceRef> of_;
  // Middle of each row drawn in the last frame, px on the screen; negative if it was not.
  std::vector<float> row_y_;
  float row_x_ = 0;
};

}  // namespace warpscope::ui
