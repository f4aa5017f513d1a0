#pragma once
// Which ranks to give back to their stores when all of them together hold more memory than they may.
//
// A rank whose columns are brought in when they are looked at grows while someone looks, and only then. So the rank
// that has not grown for longest is the one that nobody has looked at for longest: it goes first. (Least recently used,
// with growth for use; a rank that is looked at but has all its columns in looks unused, goes, and comes back at the
// next look with the newest date.)
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpscope::ingest {

/// What a load answers for of `bytes` that its process holds, if it held `before` as the load began: all of it, but for
/// what was there beyond the `base` that a load is granted for everything but slices (a window, other profiles).
[[nodiscard]] constexpr std::uint64_t held_by_load(std::uint64_t bytes, std::uint64_t before, std::uint64_t base) {
  const std::uint64_t others = before > base ? before - base : 0;
  return bytes > others ? bytes - others : 0;
}

class Residency {
 public:
  /// Where giving back stops, as a share of the limit: room to look at something without giving back at each look.
  static constexpr double kTarget = 0.9;

  /// The rank of `file` holds `bytes` now. Call for each rank, then choose().
  void seen(const std::string& file, std::uint64_t bytes);
  void forget(const std::string& file) { ranks_.erase(file); }

  /// Files of the ranks to give back so that `fixed` bytes and all ranks hold no more than `limit`; none if they do
  /// not. `least(file)`: what the rank holds with nothing brought in. Ends the round: the next seen() belongs to a
  /// later one.
  template <class Least>
  [[nodiscard]] std::vector<std::string> choose(std::uint64_t limit, std::uint64_t fixed, Least least);

  [[nodiscard]] std::uint64_t total() const;

 private:
  struct Rank {
    std::uint64_t bytes = 0;
    std::uint64_t grown = 0;  // round
  };
  [[nodiscard]] std::vector<std::string> by_growth() const;  // the longest unlooked-at first

  std::map<std::string, Rank> ranks_;
  std::uint64_t round_ = 0;
};

template <class Least>
std::vector<std::string> Residency::choose(std::uint64_t limit, std::uint64_t fixed, Least least) {
  std::vector<std::string> chosen;
  std::uint64_t held = fixed + total();
  ++round_;
  if (held <= limit) return chosen;
  const auto target = static_cast<std::uint64_t>(static_cast<double>(limit) * kTarget);
  for (const std::string& file : by_growth()) {
    if (held <= target) break;
    Rank& rank = ranks_[file];
    const std::uint64_t rest = least(file);
    if (rest >= rank.bytes) continue;
    held -= rank.bytes - rest;
    rank.bytes = rest;
    chosen.push_back(file);
  }
  return chosen;
}

}  // namespace warpscope::ingest
