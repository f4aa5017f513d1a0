#include "core/analysis/shared/queue_lengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/request/runs.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

QueueLengths::QueueLengths(const trace::Profile& profile, const Scope& scope, const Choice& choice,
                           const CancelToken* cancel, SharedResults* shared)
    : profile_(profile),
      scope_(scope),
      hta_(choice.hta),
      runs_(profile, scope, {.hta = choice.hta, .rounding = choice.rounding, .host_calls = false},
            choice.hta ? LaunchCalls::hta_queues : LaunchCalls::all, cancel, shared) {}

std::shared_ptr<const std::vector<QueueLength>> QueueLengths::of(std::uint32_t rank) {
  const auto bytes_of = [](const OfRank& found) {
    std::size_t bytes = 0;
    for (const QueueLength& each : found.lengths)
      bytes += each.length.times.capacity() * sizeof(Ns) + each.length.values.capacity() * sizeof(double);
    return bytes;
  };
  const std::string what = "queues " + range_key(scope_.on_gpu(rank));
  const auto found = runs_.derived(
      what, rank, [&] { return compute(rank); }, bytes_of);
  early_ += found->early;
  return {found, &found->lengths};
}

QueueLengths::OfRank QueueLengths::compute(std::uint32_t r) const {
  OfRank found;
  const trace::Rank& rank = *profile_.ranks[r];
  struct Stream {
    std::uint32_t device = 0;
    std::uint32_t track = 0;
    CurveBuilder changes{};
  };
  // Keyed by the identity of the stream; there are only a few.
  std::map<std::pair<std::int64_t, std::int64_t>, Stream> streams;
  const auto add = [&](const GpuRow& first) {
    const Ns launched = runs_.call(r, first).begin;
    if (!hta_ && first.time.begin < launched) {
      ++found.early;
      return;
    }
    const std::int64_t number = rank.tracks[first.track].id;
    const std::pair key(hta_ ? 0 : rank.devices[first.device].id, number);
    Stream& stream = streams.try_emplace(key, Stream{first.device, first.track}).first->second;
    stream.changes.add(launched, 1);
    stream.changes.add(first.time.begin, -1);
  };
  {
    const std::shared_ptr<const GpuRows::Rows> rows = runs_.of(r);
    for_each_launch(*rows, true, [&](std::span<const GpuRow> launch) {
      if (!hta_) return add(launch.front());
      for (const GpuRow& run : launch) add(run);
    });
  }
  for (auto& [key, stream] : streams) {
    StepCurve length = within(hta_ ? stream.changes.every_change() : stream.changes.curve(), scope_.on_gpu(r));
    if (!length.empty()) found.lengths.push_back({stream.device, stream.track, std::move(length)});
  }
  return found;
}

std::string QueueLengths::note(std::size_t rows) const {
  std::string early;
  if (early_ == 1) early = "Excludes one launch that starts after its GPU activity: the host and device clocks differ.";
  if (early_ > 1)
    early = fmt::format("Excludes {} launches that start after their GPU activity: the host and device clocks differ.",
                        format_count(static_cast<std::int64_t>(early_)));
  return joined_notes({rows == 0 ? without_launches_note(profile_, ranks()) : "", early,
                       impossible_note(count_impossible(profile_, {ranks(), {}}, kRunRoles), "GPU slice")});
}

std::vector<QueueLength> queue_lengths(const trace::Profile& profile, std::uint32_t rank, const CancelToken* cancel) {
  return *QueueLengths(profile, {{rank}, {}}, {}, cancel).of(rank);
}

}  // namespace warpscope::analysis
