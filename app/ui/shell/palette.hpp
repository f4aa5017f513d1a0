#pragma once
// The command palette: finds commands by words, runs them, and shows their keys. As help, it starts
// with the commands that have keys, those of the current page first, followed by its mouse gestures.
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
  int rank = 0;  ///< 0: the name starts with the query; 1: the name contains its words; 2: other text does
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

 private:
  void draw_row(const AppContext& context, const PaletteRow& row, bool chosen, float width) const;
  int draw_gestures(const AppContext& context, std::span<const Gesture> gestures, float width) const;

  bool help_ = false;
  std::string query_;
  ListCursor cursor_;
  int shown_rows_ = 12;
};

}  // namespace warpscope::ui
