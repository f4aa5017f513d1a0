#include "core/analysis/causes/idle_account.hpp"

#include <algorithm>

#include "core/analysis/shared/device_time.hpp"
#include "core/analysis/shared/graph_nodes.hpp"
#include "core/analysis/shared/idle_gaps.hpp"

namespace warpscope::analysis {

namespace {

constexpr Ns kShortGap = 1'000'000;
constexpr Ns kDeviceDelay = 10'000;  // gaps between kernels launched in time measure 1 to 4 µs
constexpr Ns kClockNoise = 1'000;
constexpr double kContradicts = 0.5;  // of the launched activity starts before its launch

IdleLabel label_of(HostWork work, Ns gap) {
  switch (work) {
    case HostWork::data_loader:
      return IdleLabel::data_loader;
    case HostWork::compilation:
      return IdleLabel::compilation;
    case HostWork::allocation:
      return IdleLabel::allocation;
    case HostWork::collection:
      return IdleLabel::collection;
    case HostWork::checkpoint:
      return IdleLabel::checkpoint;
    case HostWork::wait:
      return IdleLabel::wait;
    case HostWork::stall:
      return IdleLabel::stall;
    default:
      return gap < kShortGap ? IdleLabel::launch : IdleLabel::host;
  }
}

/// Adds the parts of ascending intervals that are in `idle`.
class LabelWriter {
 public:
  LabelWriter(IdleAccount& account, const std::vector<Interval>& idle) : account_(account), idle_(idle) {}

  /// Intervals must ascend.
  void add(IdleLabel label, Interval time) {
    while (at_ < idle_.size() && idle_[at_].end <= time.begin) ++at_;
    for (std::size_t i = at_; i < idle_.size() && idle_[i].begin < time.end; ++i) {
      const Interval part{std::max(time.begin, idle_[i].begin), std::min(time.end, idle_[i].end)};
      if (part.empty()) continue;
      std::vector<Interval>& own = account_.of_label[static_cast<std::size_t>(label)];
      if (!own.empty() && own.back().end == part.begin)
        own.back().end = part.end;
      else
        own.push_back(part);
    }
  }

 private:
  IdleAccount& account_;
  const std::vector<Interval>& idle_;
  std::size_t at_ = 0;
};

void count_launches(std::uint32_t rank, const GpuRows& all, const std::vector<GpuRow>& own,
                    const std::vector<Interval>& parts, IdleAccount& account) {
  std::optional<Ns> reached;
  std::optional<Ns> before;  // the launch of the last activity: that of a CUDA graph launches many
  auto part = parts.begin();
  for (const GpuRow& row : own) {
    while (part != parts.end() && part->end <= row.time.begin) ++part;
    const bool inside = part != parts.end() && part->begin <= row.time.begin;
    const auto launch = all.launch_begin(rank, row);
    if (launch && inside && launch != before) {
      ++account.launches;
      if (reached && *launch >= *reached) ++account.late_launches;
      if (*launch > row.time.begin + kClockNoise) ++account.early_starts;
    }
    before = launch;
    reached = reached ? std::max(*reached, row.time.end) : row.time.end;
  }
}

}  // namespace

IdleAccount idle_account(const trace::Profile& profile, std::uint32_t rank_index, std::uint32_t device,
                         const GpuRows& all, std::span<const GpuRow> rows, const HostChain& chain,
                         const std::vector<Interval>& parts, const std::vector<Interval>& idle) {
  IdleAccount account;
  std::vector<GpuRow> own;
  own.reserve(rows.size());
  for (const GpuRow& row : rows)
    if (trace::is_run(row.role)) own.push_back(row);
  count_launches(rank_index, all, own, parts, account);
  account.clocks_contradict =
      static_cast<double>(account.early_starts) > kContradicts * static_cast<double>(account.launches);
  const std::vector<Interval> callbacks = times_of(host_nodes(profile, rank_index, device));
  const std::vector<Interval> waiting = without(idle, callbacks);
  const std::vector<Interval> in_callbacks = without(idle, waiting);
  account.of_label[static_cast<std::size_t>(IdleLabel::host_callback)] = in_callbacks;
  LabelWriter writer(account, waiting);
  Ns reached = idle.empty() ? 0 : idle.front().begin;
  const auto rest = [&](Ns until) {
    if (until > reached) writer.add(IdleLabel::unknown, {reached, until});
    reached = std::max(reached, until);
  };
  // Calls visit(interval) for the next `length` of time from `at` on that is not in callbacks; moves `at`.
  const auto take = [&](Ns& at, Ns length, auto visit) {
    while (length > 0) {
      const auto callback = std::ranges::upper_bound(callbacks, at, {}, &Interval::end);
      const bool any = callback != callbacks.end();
      if (any && callback->begin <= at) {
        at = callback->end;
        continue;
      }
      const Ns part = any ? std::min(length, callback->begin - at) : length;
      visit(Interval{at, at + part});
      at += part;
      length -= part;
    }
  };
  const IdleGaps gaps(profile, rank_index, all, own, kDeviceDelay);
  const auto add = [&](const IdleGap& gap) {
    if (account.clocks_contradict || idle.empty() || gap.time.end <= reached || gap.time.begin >= idle.back().end)
      return;
    rest(gap.time.begin);
    Ns at = gap.time.begin;
    const auto part = [&](IdleCause cause) { return gap.parts[static_cast<std::size_t>(cause)]; };
    take(at, part(IdleCause::host_wait), [&](Interval time) {
      chain.for_each(time,
                     [&](const HostPiece& piece) { writer.add(label_of(piece.work, gap.time.length()), piece.time); });
    });
    for (const auto& [cause, label] :
         {std::pair(IdleCause::no_launch_record, IdleLabel::unlinked),
          std::pair(IdleCause::stream_wait, IdleLabel::stream), std::pair(IdleCause::kernel_wait, IdleLabel::latency),
          std::pair(IdleCause::unknown, IdleLabel::unknown)})
      take(at, part(cause), [&](Interval time) { writer.add(label, time); });
    reached = gap.time.end;
  };
  gaps.for_each(own, add, idle.empty() ? std::nullopt : std::optional(idle.front().begin));
  if (!idle.empty()) rest(idle.back().end);
  return account;
}

}  // namespace warpscope::analysis
