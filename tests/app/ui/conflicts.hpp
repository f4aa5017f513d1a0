#pragma once
// Finds key chords that are assigned to two commands in the same context.
#include "app/ui/model/commands.hpp"

namespace warpscope::tests {

struct Conflict {
  std::string first, second;  ///< command ids
  ui::KeyChord chord;
};

/// Returns an empty list for a valid table.
inline std::vector<Conflict> conflicts_in(const ui::CommandTable& table) {
  std::vector<Conflict> found;
  const auto& commands = table.all();
  for (std::size_t i = 0; i < commands.size(); ++i)
    for (std::size_t j = i + 1; j < commands.size(); ++j)
      for (const ui::KeyChord& chord : commands[i].keys)
        if (ui::fires_on(commands[j], commands[i], chord)) found.push_back({commands[i].id, commands[j].id, chord});
  return found;
}

}  // namespace warpscope::tests
