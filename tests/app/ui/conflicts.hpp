#pragma once
// Finds key chords that are assigned to two commands in the same context.
#include "app/ui/model/commands.hpp"

namespace warpscope::tests {

struct Conflict {
  std::string first, second;  ///< command ids
  ui::KeyChord chord;
};

/// True if one key press fires both chords. A continuous command also matches with Shift held.
inline bool overlap(const ui::Command& a, const ui::KeyChord& x, const ui::Command& b, const ui::KeyChord& y) {
  if (x.is_character() || y.is_character()) return x == y;
  return x.key == y.key && x.ctrl == y.ctrl && x.alt == y.alt &&
         (x.shift == y.shift || (a.continuous && !x.shift) || (b.continuous && !y.shift));
}

/// Returns an empty list for a valid table.
inline std::vector<Conflict> conflicts_in(const ui::CommandTable& table) {
  std::vector<Conflict> found;
  const auto& commands = table.all();
  for (std::size_t i = 0; i < commands.size(); ++i)
    for (std::size_t j = i + 1; j < commands.size(); ++j) {
      const ui::Command& a = commands[i];
      const ui::Command& b = commands[j];
      if (!a.page.empty() && !b.page.empty() && a.page != b.page) continue;
      for (const ui::KeyChord& x : a.keys)
        for (const ui::KeyChord& y : b.keys)
          if (overlap(a, x, b, y)) found.push_back({a.id, b.id, x});
    }
  return found;
}

}  // namespace warpscope::tests
