#pragma once
// The command palette: finds commands from a few typed letters and shows their keys.
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/model/commands.hpp"
#include "app/ui/widgets/dialog.hpp"

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
  void draw(AppContext& context);

 private:
  void draw_row(const AppContext& context, const PaletteRow& row, bool chosen, float width) const;

  std::string query_;
  int cursor_ = 0;
  int shown_rows_ = 12;
};

}  // namespace warpscope::ui
