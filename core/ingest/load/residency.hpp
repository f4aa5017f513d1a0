#pragma once
// Chooses which ranks to unload to their stores when all ranks together exceed the memory limit.
//
// A rank whose columns are loaded on demand grows only while it is viewed. So the rank that has not grown for the
// longest time was viewed least recently and is unloaded first. (This is an LRU policy that treats growth as use. A
// viewed rank that is already fully loaded looks unused; it gets unloaded, then reloaded as the most recent rank on the
// next access.)
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace warpscope::ingest {

class Residency {
 public:
  /// Unloading stops at this fraction of the limit, leaving room to view ranks without unloading on each access.
  static constexpr double kTarget = 0.9;

  /// Records that the rank of `file` now uses `bytes`. Call for each rank, then call choose().
  void seen(const std::string& file, std::uint64_t bytes);

  /// Returns the files of the ranks to unload so that `fixed` bytes plus all ranks use at most `limit`; empty if they
  /// already do. `least(file)`: size of the unloaded rank in bytes. Ends the round: the next seen() starts a new one.
  [[nodiscard]] std::vector<std::string> choose(std::uint64_t limit, std::uint64_t fixed,
                                                const std::function<std::uint64_t(const std::string&)>& least);

  [[nodiscard]] std::uint64_t total() const;

 private:
  struct Rank {
    std::uint64_t bytes = 0;
    std::uint64_t grown = 0;  // round
  };
  std::map<std::string, Rank> ranks_;
  std::uint64_t round_ = 0;
};

}  // namespace warpscope::ingest
