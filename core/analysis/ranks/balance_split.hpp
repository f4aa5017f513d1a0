#pragma once
// Splits each step of each rank by activity, up to the end of the last collective that the ranks have in common. All
// ranks leave a collective together, so this needs no common clock, and durations are comparable across ranks: a rank
// that is slow in one activity waits less.
//
// Each moment counts once, as the first of these that is active: computation, memory operations, data transfer of a
// collective, waiting in the collective for its last rank, the host. O(n log n) in the slices of a rank, rank by rank.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/ranks/rank_comparison.hpp"

namespace warpscope::analysis {

enum class BalanceUse : std::uint8_t {
  compute,
  transfer,  ///< in a collective after its last rank arrived, without computation; or unmatched communication
  wait,      ///< in a collective for its last rank
  copy,      ///< memcpys and memsets
  host,      ///< the GPUs are idle, and a thread is in an operator, a runtime call or the data loader
  idle,
};
inline constexpr std::size_t kBalanceUses = 6;
inline constexpr std::array<std::string_view, kBalanceUses> kBalanceWords{
    "compute", "exposed transfer", "wait", "copy", "host", "idle"};
using BalanceUses = std::array<Ns, kBalanceUses>;

struct StepBalance {
  std::uint32_t rank = 0;  ///< index
  NameId name = 0;
  Interval time;       ///< from the start of the step to the end of the last common collective, as recorded
  BalanceUses uses{};  ///< add up to the length of `time`
};

struct RankBalance {
  std::uint32_t rank = 0;      ///< index
  std::uint64_t steps = 0;     ///< at least 1
  BalanceUses mean{};          ///< of the steps
  std::size_t peers = 0;       ///< number of other ranks with the same role; the fields below require some
  std::size_t differs_in = 0;  ///< index of the use in which the rank differs most from its peers
  Ns difference = 0;           ///< from their median
  Ns median = 0;               ///< of the peers
  Ns deviation = 0;            ///< median absolute deviation of the peers
  bool stands_out = false;     ///< the difference is large compared to the peers' deviation and to the step

  [[nodiscard]] Ns time() const;
};

struct Balance {
  std::vector<StepBalance> steps;   ///< by rank, then by start
  std::vector<RankBalance> ranks;   ///< by index; only ranks with steps
  std::uint64_t uncommon = 0;       ///< steps without a common collective, which are counted up to their own end
  std::uint64_t without_steps = 0;  ///< number of ranks without steps
};

/// Splits the steps within the scope's range.
[[nodiscard]] Balance balance_of(const AnalysisInput& input, const RankComparison& comparison, ClockChoice choice);

/// Returns a quantile of each use over the ranks.
[[nodiscard]] BalanceUses quantile_of(const Balance& balance, double quantile);
/// Returns the ranks that stand out (indices into Balance::ranks), largest difference first.
[[nodiscard]] std::vector<std::uint32_t> outliers_of(const Balance& balance);

}  // namespace warpscope::analysis
