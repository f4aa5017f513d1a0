#include "core/analysis/ranks/balance_split.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>

#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/device_time.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kLargeDeviation = 5 * 1.4826;  // median absolute deviations: five standard deviations
constexpr double kLargeShare = 0.02;            // of a step
constexpr Ns kLargeTime = 20'000;
constexpr std::size_t kEnoughPeers = 2;
constexpr Ns kNotMatched = -1;

/// `loads`: by name id, annotations of PyTorch's data loader.
std::vector<Interval> host_time(const trace::Profile& profile, const trace::Rank& rank,
                                const std::vector<bool>& loads) {
  std::vector<Interval> times;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::thread || track.launches == 0) continue;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      if (!holds_recorded(rank, l)) continue;
      const trace::Lane& lane = rank.lanes[l];
      for_each_part(lane, std::nullopt, [&](std::uint32_t i, Interval time) {
        const trace::Role role = profile.categories().role(lane.category(i));
        const bool loading = role == trace::Role::annotation && loads[lane.name(i)];
        if (role != trace::Role::op && role != trace::Role::launch && !loading) return;
        if (!times.empty() && time.begin >= times.back().begin && time.begin <= times.back().end)
          times.back().end = std::max(times.back().end, time.end);
        else
          times.push_back(time);
      });
    }
  }
  return joined(std::move(times));
}

class Splitter {
 public:
  Splitter(const AnalysisInput& input, const RankComparison& comparison, ClockChoice choice)
      : input_(input), matches_(comparison.matches()), waits_(matches_.job.events.size(), kNotMatched) {
    std::uint32_t most = 0;
    for (const JobCollective& collective : matches_.collectives) most = std::max(most, collective.count);
    const StringTable& names = input.profile.names();
    for (NameId id = 0; id < names.size(); ++id) loads_.push_back(names.view(id).starts_with("enumerate(DataLoader)"));
    ends_.resize(input.profile.ranks.size());
    for (std::size_t r = 0; r < ends_.size(); ++r)
      ends_[r].assign(input.profile.ranks[r]->steps.size(), std::numeric_limits<Ns>::min());
    for (const JobCollective& collective : matches_.collectives) {
      const CollectiveTiming timing = comparison.timing(collective, choice);
      const auto members = matches_.members_of(collective);
      for (std::uint32_t m = 0; m < members.size(); ++m) {
        const CommunicationEvent& event = matches_.event(members[m]);
        if (timing.waits) waits_[members[m]] = std::clamp<Ns>(timing.wait_of(m), 0, event.time.length());
        if (collective.count != most || event.step == kNoIndex) continue;
        Ns& end = ends_[event.rank][event.step];
        end = std::max(end, event.time.end);
      }
    }
  }

  void add_rank(std::uint32_t r, const GpuRows::Rows& rows, Balance& balance) const {
    const trace::Rank& rank = *input_.profile.ranks[r];
    if (rank.steps.empty()) ++balance.without_steps;
    std::array<std::vector<Interval>, kBalanceUses> uses;
    const auto of = [&](BalanceUse use) -> std::vector<Interval>& { return uses[static_cast<std::size_t>(use)]; };
    of(BalanceUse::compute) = union_of(rows, [](const GpuRow& row) { return row.kind == KernelClass::computation; });
    of(BalanceUse::copy) = union_of(rows, [](const GpuRow& row) { return row.kind == KernelClass::memory; });
    for (std::uint32_t e = matches_.job.first[r]; e < matches_.job.first[r + 1]; ++e) {
      const Interval time = matches_.event(e).time;
      const Ns arrived = time.begin + std::max<Ns>(0, waits_[e]);
      of(BalanceUse::wait).push_back({time.begin, arrived});
      of(BalanceUse::transfer).push_back({arrived, time.end});
    }
    of(BalanceUse::host) = host_time(input_.profile, rank, loads_);
    std::vector<Interval> taken;
    for (const BalanceUse use :
         {BalanceUse::compute, BalanceUse::copy, BalanceUse::transfer, BalanceUse::wait, BalanceUse::host}) {
      std::vector<Interval>& times = of(use);
      times = without(joined(std::move(times)), taken);
      taken.insert(taken.end(), times.begin(), times.end());
      taken = joined(std::move(taken));
    }
    RankBalance sum{.rank = r};
    for (std::size_t s = 0; s < rank.steps.size(); ++s) {
      const trace::Step& step = rank.steps[s];
      if (input_.scope.range && !is_within(step.time, *input_.scope.range)) continue;
      StepBalance split{.rank = r, .name = step.name, .time = step.time};
      if (ends_[r][s] > step.time.begin)
        split.time.end = ends_[r][s];
      else
        ++balance.uncommon;
      Ns rest = split.time.length();
      for (std::size_t use = 0; use + 1 < kBalanceUses; ++use) {
        split.uses[use] = common_length(split.time, uses[use]);
        rest -= split.uses[use];
      }
      split.uses[kBalanceUses - 1] = rest;
      for (std::size_t use = 0; use < kBalanceUses; ++use) sum.mean[use] += split.uses[use];
      ++sum.steps;
      balance.steps.push_back(split);
    }
    if (sum.steps == 0) return;
    for (Ns& use : sum.mean) use /= static_cast<Ns>(sum.steps);
    balance.ranks.push_back(sum);
  }

 private:
  const AnalysisInput& input_;
  const JobCollectives& matches_;
  std::vector<bool> loads_;            // by name id
  std::vector<Ns> waits_;              // by event
  std::vector<std::vector<Ns>> ends_;  // by rank and step: end of the last common collective
};

void compare_with_peers(Balance& balance, const RankComparison& comparison) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> roles;
  for (std::uint32_t r = 0; r < balance.ranks.size(); ++r)
    roles[comparison.role_of(balance.ranks[r].rank)].push_back(r);
  for (const auto& [role, members] : roles) {
    if (members.size() < 2) continue;
    // With the rank itself: a median hardly changes, and all ranks are compared with the same value.
    BalanceUses medians{};
    BalanceUses deviations{};
    for (std::size_t use = 0; use < kBalanceUses; ++use) {
      std::vector<Ns> values;
      for (const std::uint32_t r : members) values.push_back(balance.ranks[r].mean[use]);
      medians[use] = median_of(values);
      for (Ns& value : values) value = std::abs(value - medians[use]);
      deviations[use] = median_of(values);
    }
    for (const std::uint32_t r : members) {
      RankBalance& rank = balance.ranks[r];
      rank.peers = members.size() - 1;
      const auto differs = [&](std::size_t use) { return std::abs(rank.mean[use] - medians[use]); };
      // A rank that is slow waits less: the reason is what it is slow in.
      constexpr auto kWait = static_cast<std::size_t>(BalanceUse::wait);
      std::size_t most = kWait;
      for (std::size_t use = 0; use < kBalanceUses; ++use)
        if (use != kWait && (most == kWait ? 2 * differs(use) >= differs(kWait) : differs(use) > differs(most)))
          most = use;
      rank.differs_in = most;
      rank.difference = rank.mean[most] - medians[most];
      rank.median = medians[most];
      rank.deviation = deviations[most];
      const auto difference = static_cast<double>(differs(most));
      rank.stands_out = rank.peers >= kEnoughPeers && differs(most) >= kLargeTime &&
                        difference >= kLargeShare * static_cast<double>(rank.time()) &&
                        difference >= kLargeDeviation * static_cast<double>(deviations[most]);
    }
  }
}

}  // namespace

Ns RankBalance::time() const { return std::accumulate(mean.begin(), mean.end(), Ns{0}); }

Balance balance_of(const AnalysisInput& input, const RankComparison& comparison, ClockChoice choice) {
  Balance balance;
  const GpuRows rows(input.profile, {input.scope.ranks, {}}, {.rules = input.values.text(kKernelClassParameter.name)},
                     input.cancel, input.shared);
  const Splitter splitter(input, comparison, choice);
  for (const std::uint32_t r : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    splitter.add_rank(r, *rows.of(r), balance);
  }
  compare_with_peers(balance, comparison);
  return balance;
}

BalanceUses quantile_of(const Balance& balance, double quantile) {
  BalanceUses uses{};
  if (balance.ranks.empty()) return uses;
  for (std::size_t use = 0; use < kBalanceUses; ++use) {
    std::vector<Ns> values;
    for (const RankBalance& rank : balance.ranks) values.push_back(rank.mean[use]);
    const auto at = values.begin() + std::lround(quantile * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, at);
    uses[use] = *at;
  }
  return uses;
}

std::vector<std::uint32_t> outliers_of(const Balance& balance) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t r = 0; r < balance.ranks.size(); ++r)
    if (balance.ranks[r].stands_out) found.push_back(r);
  std::ranges::stable_sort(found, std::greater(),
                           [&](std::uint32_t r) { return std::abs(balance.ranks[r].difference); });
  return found;
}

}  // namespace warpscope::analysis
