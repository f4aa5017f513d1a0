#pragma once
// The Settings page.
#include <cstdint>
#include <optional>
#include <string>

#include "app/ui/page.hpp"

namespace warpscope::ui {

class StoreUsage;

class SettingsPage : public Page {
 public:
  explicit SettingsPage(AppContext& context);

  void draw(AppContext& context) override;
  void write_state(JsonWriter& writer) const override;

 private:
  void draw_look(AppContext& context);
  void draw_loading(AppContext& context);
  void draw_memory(AppContext& context);
  void draw_store(AppContext& context);

  StoreUsage& stores_;
  bool show_memory_ = false;  // scroll to the memory limit
  bool memory_in_view_ = false;
  float memory_y_ = 0;       // screen px
  std::string memory_note_;  // as drawn, for write_state
  float content_width_ = 0;  // px, as drawn
  float widest_row_ = 0;
  double last_drawn_ = -1;
};

}  // namespace warpscope::ui
