#pragma once
// The Settings page.
#include <cstdint>
#include <optional>
#include <string>

#include "app/ui/page.hpp"

namespace warpscope::ui {

class SettingsPage : public Page {
 public:
  explicit SettingsPage(AppContext& context);

  void draw(AppContext& context) override;
  void write_state(JsonWriter& writer) const override;

 private:
  void draw_look(AppContext& context);
  void draw_loading(AppContext& context);
  void draw_store(AppContext& context);

  std::string store_folder_;  // of this run
  std::string memory_note_;   // as drawn, for write_state
  float content_width_ = 0;   // px, as drawn
  float widest_row_ = 0;
};

}  // namespace warpscope::ui
