#include "core/analysis/causes/time_account.hpp"

#include <algorithm>

#include "core/analysis/causes/idle_gaps.hpp"

namespace warpscope::analysis {

namespace {

constexpr Ns kEarlyStart = 1'000;
constexpr double kContradicts = 0.5;  // of the launched activity starts before its launch

/// Adds the parts of ascending intervals that are in `idle`.
class LabelWriter {
 public:
  LabelWriter(TimeAccount& account, const std::vector<Interval>& idle) : account_(account), idle_(idle) {}

  /// Intervals must ascend.
  void add(TimeLabel label, Interval time) {
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
  TimeAccount& account_;
  const std::vector<Interval>& idle_;
  std::size_t at_ = 0;
};

void count_launches(std::uint32_t rank, const GpuRows& all, std::span<const GpuRow> own,
                    const std::vector<Interval>& parts, TimeAccount& account) {
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
      if (*launch > row.time.begin + kEarlyStart) ++account.early_starts;
    }
    before = launch;
    reached = reached ? std::max(*reached, row.time.end) : row.time.end;
  }
}

void add_busy(const GpuWindow& gpu, std::span<const GpuRow> rows, const CollectiveWaits& waits, TimeAccount& account) {
  const auto put = [&](TimeLabel label, std::vector<Interval> time) {
    account.of_label[static_cast<std::size_t>(label)] = std::move(time);
  };
  const auto of = [&](KernelClass kind) {
    return common(gpu.parts, union_of(rows, [&](const GpuRow& row) { return row.kind == kind; }));
  };
  std::vector<Interval> computation = of(KernelClass::computation);
  const std::vector<Interval> communication = without(of(KernelClass::communication), computation);
  std::vector<Interval> waited;
  for (const GpuRow& row : rows)
    if (row.kind == KernelClass::communication)
      if (const Interval wait = waits.wait_of(gpu.rank, row.slice, row.time); !wait.empty()) waited.push_back(wait);
  std::vector<Interval> waiting = common(communication, joined(std::move(waited)));
  put(TimeLabel::memory, without(without(common(gpu.parts, gpu.busy), computation), communication));
  put(TimeLabel::transfer, without(communication, waiting));
  put(TimeLabel::waiting, std::move(waiting));
  put(TimeLabel::computation, std::move(computation));
}

void add_idle(const trace::Profile& profile, const GpuWindow& gpu, const GpuRows& all, std::span<const GpuRow> rows,
              const HostChain& chain, TimeAccount& account) {
  const std::vector<Interval>& idle = gpu.idle;
  if (idle.empty()) return;
  const std::vector<Interval> callbacks = times_of(host_nodes(profile, gpu.rank, gpu.device));
  const std::vector<Interval> waiting = without(idle, callbacks);
  account.of_label[static_cast<std::size_t>(TimeLabel::host_callback)] = without(idle, waiting);
  LabelWriter writer(account, waiting);
  Ns reached = idle.front().begin;
  const auto rest = [&](Ns until) {
    if (until > reached) writer.add(TimeLabel::unknown, {reached, until});
    reached = std::max(reached, until);
  };
  if (!account.clocks_contradict)
    IdleGaps(profile, gpu.rank, all, rows, chain)
        .for_each(
            rows,
            [&](const IdleGap& gap) {
              if (gap.time.end <= reached || gap.time.begin >= idle.back().end) return;
              rest(gap.time.begin);
              for (const IdlePiece& piece : gap.pieces)
                if (piece.label != TimeLabel::host_callback) writer.add(piece.label, piece.time);
              reached = gap.time.end;
            },
            idle.front().begin);
  rest(idle.back().end);
}

}  // namespace

TimeAccount time_account(const trace::Profile& profile, const GpuWindow& gpu, const GpuRows& all,
                         std::span<const GpuRow> rows, const HostChain& chain, const CollectiveWaits& waits) {
  TimeAccount account;
  count_launches(gpu.rank, all, rows, gpu.parts, account);
  account.clocks_contradict =
      static_cast<double>(account.early_starts) > kContradicts * static_cast<double>(account.launches);
  add_busy(gpu, rows, waits, account);
  add_idle(profile, gpu, all, rows, chain, account);
  account.of_label[static_cast<std::size_t>(TimeLabel::profiler)] = without(without(gpu.parts, gpu.busy), gpu.idle);
  for (std::size_t l = 0; l < kTimeLabels; ++l) account.times[l] = total_length(account.of_label[l]);
  return account;
}

}  // namespace warpscope::analysis
