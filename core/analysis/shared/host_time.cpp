#include "core/analysis/shared/host_time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/device_time.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

constexpr RoleSet kBusyRoles = role_set(trace::Role::op, trace::Role::launch);

/// Builds the union of a thread's calls, lane by lane from the top. Most of a deeper lane is already covered; one
/// parallel walk finds the rest, so only that is inserted. O(slices + lanes · covered).
class ThreadUnion {
 public:
  explicit ThreadUnion(const RoleOfCategory& roles) : roles_(roles) {}

  void add(const trace::Lane& lane) {
    fresh_.clear();
    std::size_t at = 0;
    for_each_part(lane, std::nullopt, [&](std::uint32_t i, Interval slice) {
      if ((kBusyRoles & role_set(roles_[lane.category(i)])) == 0) return;
      // The walk needs ordered ends, which a folded lane does not have.
      if (!lane.folded()) {
        while (at < covered_.size() && covered_[at].end < slice.end) ++at;
        if (at < covered_.size() && covered_[at].begin <= slice.begin) return;
      }
      fresh_.push_back(slice);
    });
    if (fresh_.empty()) return;
    covered_.insert(covered_.end(), fresh_.begin(), fresh_.end());
    covered_ = joined(std::move(covered_));
  }

  [[nodiscard]] trace::IntervalTree tree() const { return trace::merged_intervals(covered_); }

 private:
  const RoleOfCategory& roles_;
  std::vector<Interval> covered_;
  std::vector<Interval> fresh_;
};

std::vector<HostThread> threads_of(const trace::Profile& profile, const std::vector<std::uint32_t>& ranks,
                                   const CancelToken* cancel) {
  const RoleOfCategory roles = roles_of_categories(profile);
  std::vector<HostThread> threads;
  for (const std::uint32_t r : ranks) {
    const trace::Rank& rank = *profile.ranks[r];
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
      const trace::Track& track = rank.tracks[t];
      if (track.kind != trace::TrackKind::thread || track.launches == 0) continue;
      ThreadUnion covered(roles);
      for (const std::uint32_t l : recorded_lanes(rank, track)) {
        if (cancelled(cancel)) return threads;
        covered.add(rank.lanes[l]);
      }
      threads.push_back({r, t, covered.tree()});
    }
  }
  return threads;
}

}  // namespace

std::shared_ptr<const std::vector<HostThread>> launching_threads(const trace::Profile& profile, const Scope& scope,
                                                                 const CancelToken* cancel, SharedResults* shared) {
  const std::vector<std::uint32_t> ranks = ranks_in(profile, scope);
  return get_shared(
      shared, fmt::format("of {}", fmt::join(ranks, " ")), cancel, [&] { return threads_of(profile, ranks, cancel); },
      [](const std::vector<HostThread>& threads) {
        std::size_t bytes = 0;
        for (const HostThread& thread : threads) bytes += sizeof(HostThread) + thread.busy.whole_bytes();
        return bytes;
      });
}

std::string host_time_note(std::size_t threads) {
  if (threads == 0)
    return "No host thread launched GPU work in this selection, and there are no CPU samples. For CPU utilization, put "
           "SageMaker Debugger's system metrics next to the traces.";
  return fmt::format(
      "Percentage of time that the {} launching {} spent in operators and runtime calls, including waits. This is not "
      "CPU utilization; for that, put SageMaker Debugger's system metrics next to the traces.",
      format_count(static_cast<std::int64_t>(threads)), threads == 1 ? "thread" : "threads");
}

}  // namespace warpscope::analysis
