// SlowCollective: collectives that transfer much slower than others of their kind, size and process group; kernels of
// NCCL's low-latency protocol on large messages; and many collectives too small to use the bandwidth.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "core/analysis/shared/device_time.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/base/rate.hpp"
#include "core/ingest/load/event_lookup.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::rules::registered::slow_collective {

namespace {

constexpr std::array kParameters{share_parameter()};
constexpr double kBest = 0.9;  // quantile that counts as the best rate
constexpr double kSlow = 0.5;  // of the best
constexpr std::size_t kLeastSamples = 5;
constexpr double kLeastBytes = 1 << 20;
constexpr std::uint64_t kMany = 50;         // collectives a step
constexpr Ns kBrief = 20'000;               // median duration of too small ones
constexpr Ns kLongForLowLatency = 400'000;  // about 4 MiB at the rates of one node

std::optional<double> size_of(std::string_view type) {
  for (const auto& [part, bytes] : {std::pair{"64", 8.0},
                                    {"32", 4.0},
                                    {"16", 2.0},
                                    {"8", 1.0},
                                    {"Half", 2.0},
                                    {"Double", 8.0},
                                    {"Float", 4.0},
                                    {"Long", 8.0},
                                    {"Int", 4.0},
                                    {"Byte", 1.0}})
    if (type.find(part) != std::string_view::npos) return bytes;
  return std::nullopt;
}

struct Sample {
  const GpuWindow* gpu = nullptr;
  Interval time;
  trace::SliceOrdinal slice = 0;
  double bytes = 0;
  [[nodiscard]] double rate() const { return bytes / static_cast<double>(std::max<Ns>(1, time.length())); }
};
/// Kind, process group, and size as a power of two.
using SampleKey = std::tuple<std::string, std::string, int>;

/// Reads kinds and sizes of the kernels from the trace; older traces have none. Errors: as EventLookup::read_each.
Failure read_samples(Facts& facts, const GpuWindow& gpu, const std::vector<analysis::GpuRow>& kernels,
                     std::map<SampleKey, std::vector<Sample>>& samples) {
  std::unordered_map<trace::SliceOrdinal, Interval> times;
  std::vector<trace::SliceOrdinal> slices;
  for (const analysis::GpuRow& kernel : kernels) {
    times.emplace(kernel.slice, kernel.time);
    slices.push_back(kernel.slice);
  }
  const ingest::EventLookup sources;
  const ingest::EventLookup& events = facts.input().events != nullptr ? *facts.input().events : sources;
  return events.read_each(
      *facts.profile().ranks[gpu.rank], std::move(slices),
      [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
        const std::string* const kind = event.find("args.Collective name");
        const std::string* const elements = event.find("args.In msg nelems");
        const std::string* const type = event.find("args.dtype");
        const std::string* const group = event.find("args.Process Group Name");
        double count = 0;
        if (kind == nullptr || elements == nullptr || type == nullptr || !size_of(*type)) return;
        std::from_chars(elements->data(), elements->data() + elements->size(), count);
        const double bytes = count * *size_of(*type);
        if (bytes < kLeastBytes) return;
        const int octave = std::ilogb(bytes);
        samples[{*kind, group == nullptr ? "" : *group, octave}].push_back({&gpu, times[slice], slice, bytes});
      },
      facts.input().cancel);
}

/// On each rank, part of a collective's duration is waiting for the last rank; the shortest is the transfer.
void remove_waits(Facts& facts, std::map<SampleKey, std::vector<Sample>>& samples) {
  std::map<std::pair<std::uint32_t, Ns>, Ns> shortest;  // by rank and start
  for (const analysis::MatchedCollective& collective : facts.collectives().collectives) {
    Ns least = collective.members.front().time.length();
    for (const auto& member : collective.members) least = std::min(least, member.time.length());
    for (const auto& member : collective.members) shortest[{member.rank, member.time.begin}] = least;
  }
  for (auto& [key, of_key] : samples)
    for (Sample& sample : of_key)
      if (const auto found = shortest.find({sample.gpu->rank, sample.time.begin}); found != shortest.end())
        sample.time.begin = sample.time.end - found->second;
}

struct Slow {
  Ns time = 0;
  std::string sentence;
  std::vector<Place> places{};
};

Slow slow_samples(Facts& facts, std::map<SampleKey, std::vector<Sample>>& samples) {
  Slow slow;
  Ns most = 0;
  for (auto& [key, of_key] : samples) {
    if (of_key.size() < kLeastSamples) continue;
    std::ranges::sort(of_key, {}, &Sample::rate);
    const double best = of_key[static_cast<std::size_t>(kBest * static_cast<double>(of_key.size() - 1))].rate();
    Ns time = 0;
    std::size_t count = 0;
    for (const Sample& sample : of_key) {
      if (sample.rate() >= kSlow * best) break;
      time += sample.time.length() - static_cast<Ns>(sample.bytes / best);
      ++count;
      slow.places.push_back(on_gpu(facts, *sample.gpu, sample.time, std::get<0>(key), sample.slice));
    }
    slow.time = saturating_add(slow.time, time);
    if (time <= most) continue;
    most = time;
    slow.sentence = fmt::format("{} of {} {} collectives{} run at less than half of the {} that the best ones reach",
                                count, of_key.size(), std::get<0>(key),
                                std::get<1>(key).empty() ? "" : fmt::format(" of process group {}", std::get<1>(key)),
                                format_bytes(static_cast<std::int64_t>(best * 1e9)) + "/s");
  }
  return slow;
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  std::map<SampleKey, std::vector<Sample>> samples;
  std::vector<Ns> lengths;
  std::map<NameId, Ns> low_latency;
  Ns exposed_brief = 0;
  Ns exposed_low_latency = 0;
  std::vector<Place> places;
  std::string unreadable;
  for (const GpuWindow& gpu : facts.gpus()) {
    if (facts.cancelled()) break;
    const auto rows = facts.rows(gpu.rank);
    std::vector<analysis::GpuRow> kernels;
    for (const analysis::GpuRow& row : *rows)
      if (row.device == gpu.device && row.kind == analysis::KernelClass::communication &&
          !common({row.time}, gpu.parts).empty())
        kernels.push_back(row);
    if (kernels.empty()) continue;
    const auto compute = analysis::union_of(*rows, [&](const analysis::GpuRow& row) {
      return row.device == gpu.device && row.kind == analysis::KernelClass::computation;
    });
    for (const analysis::GpuRow& kernel : kernels) {
      lengths.push_back(kernel.time.length());
      const std::string_view name = facts.profile().names().view(kernel.name);
      const bool low = name.find("_LL_") != std::string_view::npos && kernel.time.length() >= kLongForLowLatency;
      if (!low && kernel.time.length() >= kBrief) continue;
      const Ns alone = kernel.time.length() - analysis::common_length({kernel.time}, compute);
      (low ? exposed_low_latency : exposed_brief) += alone;
      if (!low) continue;
      low_latency[kernel.name] += alone;
      places.push_back(on_gpu(facts, gpu, kernel.time, trace::kernel_label(name), kernel.slice));
    }
    keep_longest(places);
    if (const Failure failure = read_samples(facts, gpu, kernels, samples); failure && unreadable.empty())
      unreadable = failure->message();
  }
  if (lengths.empty()) return {Verdict::not_evaluable, "The GPUs do not communicate.", {}};
  remove_waits(facts, samples);
  Slow slow = slow_samples(facts, samples);
  const double least = input.values.real(kShare);
  Outcome outcome{Verdict::no_issues, "", {}};
  const auto add = [&](Outcome one) {
    if (one.verdict == Verdict::issues_found) outcome.verdict = one.verdict;
    for (Finding& finding : one.findings) outcome.findings.push_back(std::move(finding));
  };
  add(judged(facts.matters(slow.time, least),
             {fmt::format("{}: {} more than at that rate.", slow.sentence, facts.of_step(slow.time)),
              "Check what else uses the links then: concurrent collectives, memcpys, other jobs. NCCL_DEBUG=INFO "
              "shows the chosen algorithm and ring.",
              slow.time, slow.time, false, std::move(slow.places)},
             ""));
  const auto most = std::ranges::max_element(low_latency, {}, [](const auto& each) { return each.second; });
  add(judged(
      facts.matters(exposed_low_latency, least),
      {fmt::format("Long collectives use NCCL's low-latency protocol ({}), which reaches a quarter to half of the "
                   "bandwidth: {} not overlapped by computation.",
                   most == low_latency.end() ? "" : trace::kernel_label(facts.profile().names().view(most->first)),
                   facts.of_step(exposed_low_latency)),
       "Unset NCCL_PROTO and NCCL_ALGO, or update NCCL: it chooses LL for small messages only.", exposed_low_latency,
       exposed_low_latency / 2, false, std::move(places),
       bars_by_name(facts, "Time of the low-latency protocol, by kernel", low_latency, trace::kernel_label)},
      ""));
  const std::uint64_t per_step = lengths.size() / std::max<std::size_t>(1, facts.steps());
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::ranges::nth_element(lengths, middle);
  add(judged(facts.by_steps() && per_step > kMany && *middle < kBrief && facts.matters(exposed_brief, least),
             {fmt::format("{} collectives a step, half of them below {}: {} not overlapped by computation.", per_step,
                          format_duration(kBrief), facts.of_step(exposed_brief)),
              "Join small messages: a larger bucket_cap_mb (DDP), fewer and larger FSDP units.",
              exposed_brief,
              exposed_brief / 2,
              false,
              {}},
             ""));
  outcome.why = fmt::format("{} with a median of {}.", counted(lengths.size(), "collective", "collectives"),
                            format_duration(*middle));
  if (!unreadable.empty())
    outcome.why += " Message sizes cannot be read: " + unreadable + ".";
  else if (samples.empty())
    outcome.why += " The traces have no message sizes, so rates cannot be compared.";
  return outcome;
}

}  // namespace

extern const Rule kRule;
const Rule kRule{
    "SlowCollective", "Slow collectives",
    "Collectives of 1 MiB or more at less than half of the rate of the best of their kind, size and process "
    "group; long ones with NCCL's low-latency protocol; more than 50 a step, mostly below 20 us.",
    kParameters, evaluate};

}  // namespace warpscope::rules::registered::slow_collective
