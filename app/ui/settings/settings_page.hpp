#pragma once
// The Settings page, including all keyboard shortcuts.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/look/font_list.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/page.hpp"
#include "app/ui/settings/key_bindings_view.hpp"

namespace warpscope::ui {

class StoreUsage;

class SettingsPage : public Page {
 public:
  explicit SettingsPage(AppContext& context);

  void draw(AppContext& context) override;
  void write_state(JsonWriter& writer) const override;

  [[nodiscard]] bool takes_keys() const override { return keys_.recording(); }
  [[nodiscard]] bool busy() const override { return looking_for_fonts_.running(); }

 private:
  void add_commands(AppContext& context);
  void draw_look(AppContext& context);
  void draw_loading(AppContext& context);
  void draw_memory(AppContext& context);
  void draw_store(AppContext& context);
  void draw_font(AppContext& context, const char* label, bool mono, std::string& family) const;
  void come_up(AppContext& context);

  StoreUsage& stores_;
  KeyBindingsView keys_;
  Background<std::vector<FontFile>> looking_for_fonts_;
  std::vector<FontFile> fonts_;
  bool show_memory_ = false;
  bool memory_wanted_ = false;  // scroll the memory limit to the center in this draw
  bool memory_in_view_ = false;
  float memory_y_ = 0;        // screen px
  double shown_memory_ = -1;  // time of that scroll
  std::string memory_note_;   // as drawn, for write_state
  float content_width_ = 0;   // px, as drawn
  float widest_row_ = 0;
  double last_drawn_ = -1;
};

}  // namespace warpscope::ui
