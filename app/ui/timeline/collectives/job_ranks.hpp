#pragma once
// Compares a job's ranks for the Timeline: matches communication kernels across ranks, and determines which ranks are
// late, and why. The result is immutable, computed once per profile on another thread (rank_matcher.hpp), and shared by
// all parts of the Timeline that compare ranks.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/ranks/collective_arrivals.hpp"
#include "core/base/progress.hpp"
#include "core/base/table.hpp"
#include "core/ingest/load/event_lookup.hpp"
#include "render/scene/ribbon_set.hpp"

namespace warpscope::ui {

struct JobRanks {
  /// A late rank.
  struct Late {
    std::size_t place = 0;  ///< 0: the rank that costs the most
    std::string sentence;   ///< "Rank 5: kernels 1.3× slower, 12 % (3.1 ms per step)"
  };

  std::shared_ptr<const trace::Profile> profile;
  analysis::ClockChoice clocks = analysis::ClockChoice::aligned;  ///< clocks used for wait times
  std::shared_ptr<const analysis::RankComparison> comparison;     ///< null: see `reason`
  analysis::EventsBySlice by_slice;
  std::shared_ptr<const scene::RibbonSet> ribbons;  ///< ids are indices of collectives; never null
  std::map<std::uint32_t, Late> late;               ///< by rank index
  std::string reason;                               ///< why matching failed; "" on success
};

/// Matches all ranks. `rules`: the user's kernel classification rules.
[[nodiscard]] JobRanks compare_job(std::shared_ptr<const trace::Profile> profile, const ingest::EventLookup* events,
                                   const std::string& rules, analysis::ClockChoice clocks, const CancelToken& cancel);

/// Returns why the rank of a track tree entry is late, such as "Rank 5: kernels 1.3× slower, …"; "" if it is not late.
/// For a folded node, describes its worst rank. `ranks` may be null. The track tree marks late ranks, so they are easy
/// to find among 1024 rows.
[[nodiscard]] std::string_view late_reason(const JobRanks* ranks, const trace::Profile& profile,
                                           const trace::TreeEntry& entry, bool open);

/// A communication kernel's wait time (for the last rank) and transfer time.
struct KernelWait {
  Ns wait = 0;
  Ns transfer = 0;
  std::int64_t last = 0;  ///< number of the last rank
  bool is_last = false;   ///< the kernel ran on that rank
};

/// Returns the wait and transfer time of a communication kernel; nullopt if the slice is not in a collective or its
/// wait time is unknown. O(R log R) for R ranks.
[[nodiscard]] std::optional<KernelWait> wait_of(const JobRanks& ranks, trace::SliceRef slice);

/// A communication kernel's collective, with one row per rank.
struct ChosenCollective {
  std::uint32_t id = scene::Ribbon::kNone;  ///< kNone: not in a collective; see `reason`
  std::string reason{};                     ///< why the kernel has no match on other ranks
  std::string sentence{};                   ///< which rank arrived last, by how much, and why the rank is late
  std::string about{};                      ///< "allreduce of 8 ranks · process group 0 · 12.0 MiB · step 13"
  std::string clocks{};                     ///< sentence about the clocks used for the times
  Table rows{};                             ///< by arrival, last first
  std::vector<trace::SliceRef> slices{};    ///< by row
};

/// Returns the collective of a communication kernel; nullopt for other slices. O(R log R) for R ranks; O(K) for K
/// kernels if the kernel has no match.
[[nodiscard]] std::optional<ChosenCollective> collective_of(const JobRanks& ranks, trace::SliceRef slice);

}  // namespace warpscope::ui
