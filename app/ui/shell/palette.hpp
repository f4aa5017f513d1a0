#pragma once
// The command palette: finds commands from a few typed letters, runs them, and shows and changes their keys. As help,
// it starts with the commands that have keys, those of the current page first, followed by its mouse gestures.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/model/commands.hpp"
#include "app/ui/page.hpp"
#include "app/ui/widgets/dialog.hpp"
#include "app/ui/widgets/list_cursor.hpp"

namespace warpscope::ui {

struct PaletteRow {
  const Command* command = nullptr;
  bool enabled = true;
  int score = 0;
  std::vector<std::size_t> matched;  ///< bytes of the name to highlight
};

/// Returns matching commands, best first; disabled ones come last. Pointers are valid until the table changes.
[[nodiscard]] std::vector<PaletteRow> palette_rows(const CommandTable& table, std::string_view query);

class Palette : public Dialog {
 public:
  Palette() : Dialog("##palette") {}
  void open(bool as_help) {
    help_ = as_help;
    Dialog::open();
  }
  /// `page`: id of the current page; `gestures`: its mouse gestures.
  void draw(AppContext& context, std::string_view page, std::span<const Gesture> gestures);
  /// Adds the next key pressed to the command with this id.
  void record(std::string id);
  /// True while waiting for that key, which must not run a command.
  [[nodiscard]] bool recording() const { return !recording_.empty(); }
  void write_state(JsonWriter& writer) const;

 private:
  void take_key(AppContext& context);
  void draw_row(const AppContext& context, const PaletteRow& row, bool chosen, float width) const;
  int draw_gestures(const AppContext& context, std::span<const Gesture> gestures, float width) const;
  void draw_key_menu(AppContext& context);
  void draw_footer(const AppContext& context, const Command* current);

  bool help_ = false;
  std::string query_;
  ListCursor cursor_;
  int shown_rows_ = 12;
  std::string recording_;  // id of a command
  bool fresh_ = false;     // the key or click that started recording is still in progress
  std::string changed_;    // id of the command whose keys were changed last, until the cursor moves
  std::string menu_for_;   // id of the command whose context menu is open
  std::string conflict_;   // as drawn, for write_state
};

}  // namespace warpscope::ui
