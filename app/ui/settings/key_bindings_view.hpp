#pragma once
// The Settings page section for keys. Lists every command with its keys. Press a key to add it; click a key to remove
// it. Commands with conflicting keys show each other's names.
#include <string>

#include "app/ui/app_context.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

struct Command;

class KeyBindingsView {
 public:
  /// Draws into the current window, at full width.
  void draw(AppContext& context);
  /// True while waiting for a key press to record.
  [[nodiscard]] bool recording() const { return !recording_.empty(); }
  /// Starts recording a key for the command with this id; "" stops recording.
  void record(std::string id) { recording_ = std::move(id); }
  void write_state(JsonWriter& writer) const;

 private:
  void take_key(AppContext& context);
  void draw_filter(AppContext& context);
  void draw_command(AppContext& context, const Command& command, float left, float right);
  void draw_conflicts(AppContext& context, const Command& command, float left);

  std::string query_;
  std::string recording_;       // id of a command
  bool fresh_ = false;          // the click that started recording is still in progress
  int last_drawn_ = 0;          // frame
  std::size_t conflicts_ = 0;   // number drawn
  std::string conflict_words_;  // last text drawn, for write_state
};

}  // namespace warpscope::ui
