// SmallKernels: much GPU time is spent in kernels so short that their overhead matters.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::rules::registered::small_kernels {

namespace {

constexpr std::string_view kLength = "length";
constexpr std::array kParameters{
    share_parameter("0.1"),
    analysis::duration_parameter(kLength, "duration below which a kernel is considered small", "10us", 1)};

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  const Ns length = input.values.duration(kLength);
  Ns time = 0;
  std::uint64_t count = 0;
  std::uint64_t all = 0;
  std::map<NameId, Ns> by_name;
  std::vector<Place> places;
  for (const GpuWindow& gpu : facts.gpus()) {
    if (facts.cancelled()) break;
    const auto rows = facts.rows(gpu);
    // The time in which a kernel overlaps others has no cost.
    const auto others = analysis::union_of(rows, [&](const analysis::GpuRow& row) {
      return row.kind != analysis::KernelClass::computation || row.time.length() >= length;
    });
    auto other = others.begin();
    analysis::IntervalWalk parts(gpu.parts);
    for (const analysis::GpuRow& row : rows) {
      if (row.kind != analysis::KernelClass::computation) continue;
      if (!parts.contains(row.time.begin)) continue;
      ++all;
      if (row.time.length() >= length) continue;
      ++count;
      while (other != others.end() && other->end <= row.time.begin) ++other;
      Ns alone = row.time.length();
      for (auto at = other; at != others.end() && at->begin < row.time.end; ++at)
        alone -= std::min(at->end, row.time.end) - std::max(at->begin, row.time.begin);
      time = saturating_add(time, alone);
      by_name[row.name] += alone;
      if (places.size() < kMostPlaces) places.push_back(on_gpu(facts, gpu, row.time, "", row.slice));
    }
  }
  const auto most = std::ranges::max_element(by_name, {}, [](const auto& each) { return each.second; });
  const std::string name = most == by_name.end() ? "" : trace::kernel_label(facts.profile().names().view(most->first));
  const std::string why = fmt::format("{} of {} are shorter than {}; they take {} ({}) while nothing else is running.",
                                      format_count(static_cast<std::int64_t>(count)), counted(all, "kernel", "kernels"),
                                      format_duration(length), facts.a_step(time), format_share(facts.share(time)));
  if (count == 0)
    return {Verdict::no_issues, fmt::format("None of the {} is shorter than {}.", counted(all, "kernel", "kernels"),
                                            format_duration(length))};
  const std::uint64_t per_step = count / std::max<std::size_t>(1, facts.steps());
  return judged(
      facts.matters(time, input.values.real(kShare)),
      {fmt::format("{} {}, each shorter than {}, take {}, mostly in {}.", counted(per_step, "kernel", "kernels"),
                   a_step_words(facts), format_duration(length), facts.of_step(time), name),
       "", time, time / 2, false, std::move(places),
       bars_by_name(facts, "Time in small kernels, by name", by_name, trace::kernel_label)},
      why);
}

}  // namespace

extern const Rule kRule{"SmallKernels",
                        "Small kernels",
                        "Compute kernels shorter than 10 us take at least 10 % of the evaluated time while nothing "
                        "else is running.",
                        kParameters,
                        evaluate,
                        "Fuse small kernels: torch.compile, foreach=True or fused=True for the optimizer, fewer casts "
                        "(aten::_to_copy), channels_last. The estimated savings are at most half of their time."};

}  // namespace warpscope::rules::registered::small_kernels
