#pragma once
// The keys part of the Settings page: every command with its keys; chords are added by striking them and taken away by
// a click; two commands that fire on one chord are marked with each other's name.
#include <string>

#include "app/ui/app_context.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

struct Command;

class KeyBindingsView {
 public:
  /// Into the window that is open, all of its width.
  void draw(AppContext& context);
  /// The next key is recorded.
  [[nodiscard]] bool recording() const { return !recording_.empty(); }
  /// Records for the command of that id; "" stops.
  void record(std::string id) { recording_ = std::move(id); }
  void write_state(JsonWriter& writer) const;

 private:
  void take_key(AppContext& context);
  void draw_filter(AppContext& context);
  void draw_command(AppContext& context, const Command& command, float left, float right);
  void draw_conflicts(AppContext& context, const Command& command, float left);

  std::string query_;
  std::string recording_;       // id of a command
  bool fresh_ = false;          // the click that began it is not over
  int last_drawn_ = 0;          // frame
  std::size_t conflicts_ = 0;   // as drawn
  std::string conflict_words_;  // the last one drawn, for write_state
};

}  // namespace warpscope::ui
