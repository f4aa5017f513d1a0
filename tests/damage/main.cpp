// Damages generated files at random places, loads them, and checks that the diagnostics account for all slices,
// connections and samples that differ from those of the undamaged files. Run by ./dev damage; fixed seeds, so every run
// of a program yields the same figures.
//
// Damage is silent if something differs and the diagnostics do not account for it. It is invisible if the file is still
// valid JSON: a changed digit, or a gap that joins two events into one valid event. A flipped bit or changed byte must
// then affect only one event; otherwise, it also counts as silent.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>

#include "tests/damage/reading.hpp"

namespace {

using namespace warpscope::damage;

/// Number of damaged files by result.
struct Figures {
  int files = 0;
  int same = 0;       ///< nothing differs
  int reported = 0;   ///< something differs, and the diagnostics account for it
  int invisible = 0;  ///< something differs, but the file is valid
  int silent = 0;
};

void add_result(const Input& input, const Reading& whole, Kind kind, std::uint64_t seed, Figures& figures) {
  std::mt19937_64 random(seed);
  const auto [bytes, gone] = damaged(input, kind, random);
  const Loss loss = compare(whole, read(input, bytes), gone);
  ++figures.files;
  if (!loss.any()) {
    ++figures.same;
    return;
  }
  if (loss.events == 0 && loss.diagnostics > 0) {
    ++figures.reported;
    return;
  }
  // One event, with the connections at both ends.
  const bool single = kind == Kind::bit || kind == Kind::byte;
  const bool small = loss.lost <= 3 && loss.added <= 3;
  if (is_valid(input.format, bytes) && (small || !single)) {
    ++figures.invisible;
    return;
  }
  ++figures.silent;
  fmt::print("silent: {}, {}, seed {}: {} lost, {} new, {} of them unaccounted for, {} diagnostics\n",
             name_of(input.format), name_of(kind), seed, loss.lost, loss.added, loss.events, loss.diagnostics);
  if (const char* const folder = std::getenv("WARPSCOPE_DAMAGE_OUT"); folder != nullptr) {
    const std::filesystem::path path = std::filesystem::path(folder) / std::to_string(seed) / input.path;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
}

int run(int count, std::uint64_t seed) {
  constexpr std::string_view kRow = "{:<8}  {:<14} {:>6} {:>9} {:>9} {:>10} {:>7}\n";
  fmt::print(fmt::runtime(kRow), "format", "damage", "files", "the same", "reported", "invisible", "silent");
  Figures total;
  const std::size_t cells = std::size(kFormats) * std::size(kKinds);
  std::uint64_t next = seed * 1'000'000;
  std::size_t cell = 0;
  for (const Format format : kFormats) {
    const std::vector<Input> inputs = make_inputs(format, seed);
    std::vector<Reading> whole;
    for (const Input& input : inputs) whole.push_back(read(input, input.bytes));
    for (const Kind kind : kKinds) {
      Figures figures;
      const auto share = [&](std::size_t i) { return static_cast<std::size_t>(count) * i / cells; };
      for (std::size_t i = share(cell); i < share(cell + 1); ++i) {
        const std::size_t which = i % inputs.size();
        add_result(inputs[which], whole[which], kind, ++next, figures);
      }
      ++cell;
      fmt::print(fmt::runtime(kRow), name_of(format), name_of(kind), figures.files, figures.same, figures.reported,
                 figures.invisible, figures.silent);
      total.files += figures.files;
      total.same += figures.same;
      total.reported += figures.reported;
      total.invisible += figures.invisible;
      total.silent += figures.silent;
    }
  }
  fmt::print(fmt::runtime(kRow), "all", "", total.files, total.same, total.reported, total.invisible, total.silent);
  return total.silent == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(count > 1 ? std::atoi(arguments[1]) : 2000, count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1);
  } catch (const std::exception& error) {
    fmt::print(stderr, "damage: {}\n", error.what());
    return 2;
  }
}
