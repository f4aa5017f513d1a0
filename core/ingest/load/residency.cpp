#include "core/ingest/load/residency.hpp"

#include <algorithm>
#include <utility>

namespace warpscope::ingest {

void Residency::seen(const std::string& file, std::uint64_t bytes) {
  const auto [at, fresh] = ranks_.try_emplace(file);
  if (fresh || bytes > at->second.bytes) at->second.grown = round_;
  at->second.bytes = bytes;
}

std::uint64_t Residency::total() const {
  std::uint64_t sum = 0;
  for (const auto& [file, rank] : ranks_) sum += rank.bytes;
  return sum;
}

std::vector<std::string> Residency::choose(std::uint64_t limit, std::uint64_t fixed,
                                           const std::function<std::uint64_t(const std::string&)>& least) {
  std::vector<std::string> chosen;
  std::uint64_t held = fixed + total();
  ++round_;
  if (held <= limit) return chosen;
  const auto target = static_cast<std::uint64_t>(static_cast<double>(limit) * kTarget);
  std::vector<std::pair<const std::string, Rank>*> by_growth;
  for (auto& rank : ranks_) by_growth.push_back(&rank);
  std::ranges::stable_sort(by_growth, {}, [](const auto* rank) { return rank->second.grown; });
  for (auto* const each : by_growth) {
    if (held <= target) break;
    auto& [file, rank] = *each;
    const std::uint64_t rest = least(file);
    if (rest >= rank.bytes) continue;
    held -= rank.bytes - rest;
    rank.bytes = rest;
    chosen.push_back(file);
  }
  return chosen;
}

}  // namespace warpscope::ingest
