// what_dominates: one sentence for each of the largest uses of GPU time, largest first, with the analysis that shows
// the details and a location in the Timeline.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/causes/fault_text.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/device_time.hpp"
#include "core/analysis/shared/idle_gaps.hpp"
#include "core/base/format.hpp"
#include "core/trace/kernel_label.hpp"
#include "core/trace/missing_ranks.hpp"

namespace warpscope::analysis::registered::what_dominates {

namespace {

constexpr std::array kParameters{kCommunicationParameter, kKernelClassParameter};
constexpr double kLeastShare = 0.05;  // smaller shares get no sentence
constexpr double kWorthMending = 0.15;
constexpr std::size_t kMostAnswers = 3;
constexpr std::string_view kComputing = "kernel_time";

/// A location in the Timeline: a time range on a device.
struct Place {
  std::int64_t rank = 0;
  std::int64_t device = 0;
  Interval time;
};

/// Results, other than the sums, that need a pass over all GPU activity.
struct Longest {
  std::optional<Place> idle;
  std::array<std::optional<Place>, kTimeUses.size()> use;
  NameId kernel = 0;
  Ns kernel_time = 0;  // total of the compute kernel with the most time

  static void take(std::optional<Place>& longest, const Place& place) {
    if (!longest || place.time.length() > longest->time.length()) longest = place;
  }
};

Longest longest_of(const AnalysisInput& input, const KernelClasses::Choice& choice) {
  Longest longest;
  const GpuRows all(input.profile, input.scope, choice, input.cancel, input.shared);
  std::vector<Ns> by_name(input.profile.names().size());
  for (const std::uint32_t r : all.ranks()) {
    const trace::Rank& rank = *input.profile.ranks[r];
    const std::shared_ptr<const GpuRows::Rows> own = all.of(r);
    const GpuRows::Rows& rows = *own;
    if (cancelled(input.cancel)) break;
    for (const GpuRow& row : rows)
      if (row.kind == KernelClass::computation)
        by_name[row.name] = saturating_add(by_name[row.name], row.time.length());
    for (const DeviceTime& device : device_times(rows, input.scope.evaluated_on_gpu(r))) {
      const auto place = [&](Interval time) { return Place{rank.number, rank.devices[device.device].id, time}; };
      for (std::size_t use = 0; use < device.uses.size(); ++use)
        for (const Interval& time : device.uses[use]) Longest::take(longest.use[use], place(time));
      const std::array whole{device.time};
      std::vector<Interval> idle = without(whole, device.uses[0]);
      idle = without(idle, device.uses[1]);
      for (const Interval& time : without(idle, device.uses[2])) Longest::take(longest.idle, place(time));
    }
  }
  const auto most = std::ranges::max_element(by_name);
  if (most != by_name.end()) {
    longest.kernel = static_cast<NameId>(most - by_name.begin());
    longest.kernel_time = *most;
  }
  return longest;
}

struct Answer {
  std::string text;
  Ns time = 0;
  std::string_view analysis;
  std::optional<Place> place{};
  std::string_view name{};
};

std::string share_text(Ns part, Ns whole) {
  return format_share(static_cast<double>(part) / static_cast<double>(whole));
}

Ns sum_of(const Table& table, ColumnRole role) {
  Ns sum = 0;
  if (const auto column = table.find_role(role))
    for (std::size_t row = 0; row < table.rows(); ++row) sum = saturating_add(sum, table.at(row, *column).integer());
  return sum;
}

std::string idle_text(const Table& ranks, Ns idle, Ns time, bool one) {
  IdleTimes parts{};
  for (std::size_t c = 0; c < parts.size(); ++c) parts[c] = sum_of(ranks, kIdleRoles[c]);
  return idle_sentence(idle, time, parts, one);
}

std::string exposed_text(const trace::Profile& profile, Ns exposed, Ns time) {
  std::string text =
      fmt::format("{} of GPU time is exposed communication, not overlapped by computation.", share_text(exposed, time));
  if (const auto missing = static_cast<std::int64_t>(trace::missing_ranks(profile).count); missing > 0)
    text += fmt::format(" Part of this may be time spent waiting for the {} without {}.",
                        missing == 1 ? "rank" : fmt::format("{} ranks", format_count(missing)),
                        missing == 1 ? "a trace" : "traces");
  return text;
}

/// The fault that costs the job most, as on the Findings page.
std::optional<Answer> worst_fault(const AnalysisInput& input, const Longest& longest, Ns time) {
  if (input.scope.range) return std::nullopt;
  const auto comparison = compare_ranks(input);
  const auto faults = shared_faults(input);
  const Fault* const most = largest_fault(*faults);
  if (most == nullptr) return std::nullopt;
  // On all ranks and evaluated steps.
  const auto everywhere = static_cast<double>(comparison->matches().compared.size() * faults->steps);
  const Ns saved = std::min(time, static_cast<Ns>(everywhere * static_cast<double>(most->saving)));
  Answer answer{fault_headline(input.profile, *comparison, *faults, *most) + ".", saved, "what_if",
                most->kind == FaultKind::communication ? longest.use[1] : longest.idle};
  if (most->places.empty()) return answer;
  const trace::SliceRef first = most->places.front();
  const trace::Rank& rank = *input.profile.ranks[first.rank];
  const Ns begin = rank.begin(first.slice);
  if (!rank.devices.empty())
    answer.place =
        Place{rank.number, rank.devices.front().id, {begin, saturating_add(begin, rank.duration(first.slice))}};
  return answer;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const KernelClasses::Choice choice{.communication = input.values.text(kCommunicationParameter.name),
                                     .rules = input.values.text(kKernelClassParameter.name)};
  const std::vector<Setting> settings{{std::string(kCommunicationParameter.name), choice.communication},
                                      {std::string(kKernelClassParameter.name), choice.rules}};
  auto times = run_analysis(*find_analysis("where_time_goes"), input.profile, input.scope, settings, input.cancel,
                            nullptr, input.events, input.shared);
  if (!times) return times.error();
  Table table("what-dominates", "What dominates",
              {col::answer, Column("time", col::total), col::share, col::analysis, col::rank, col::device, col::begin(),
               col::duration, col::name});
  const Table& ranks = times->front();
  const Ns time = sum_of(ranks, ColumnRole::total);
  table.note = ranks.note;
  if (input.profile.ranks.size() > 1) {
    const auto comparison = compare_ranks(input);
    if (const std::string& error = comparison->matches().job.unreadable; !error.empty())
      table.note = joined_notes({table.note, fmt::format("Cannot read the arguments of collectives: {}.", error)});
  }
  if (time <= 0) {
    if (table.note.empty()) table.note = "All GPU activity in this selection has zero duration.";
    return std::vector{std::move(table)};
  }
  const Longest longest = longest_of(input, choice);
  const bool one = ranks.rows() == 1 && input.profile.ranks.size() == 1;
  std::vector<Answer> answers;
  const Ns idle = sum_of(ranks, ColumnRole::idle);
  answers.push_back({idle_text(ranks, idle, time, one), idle, "idle_time_breakdown", longest.idle});
  const Ns exposed = sum_of(ranks, kUseRoles[1]);
  answers.push_back({exposed_text(input.profile, exposed, time), exposed, "comm_comp_overlap", longest.use[1]});
  const Ns memory = sum_of(ranks, kUseRoles[2]);
  answers.push_back({fmt::format("{} of GPU time goes to memcpys and memsets alone.", share_text(memory, time)), memory,
                     "memory_operations", longest.use[2]});
  // Compute time is the normal case: it gets a sentence only if it is the largest.
  const Ns compute = sum_of(ranks, kUseRoles[0]);
  if (compute > std::max({idle, exposed, memory})) {
    const std::string_view name = input.profile.names().view(longest.kernel);
    answers.push_back(
        {fmt::format("{} of GPU time is computation. The most expensive kernel is {}: {}.", share_text(compute, time),
                     trace::kernel_label(name), format_duration(longest.kernel_time)),
         compute, kComputing, std::nullopt, name});
  }
  // Compute time is not a loss: sort it after any loss above kWorthMending.
  std::ranges::stable_sort(answers, std::greater(), [&](const Answer& answer) {
    const double share = static_cast<double>(answer.time) / static_cast<double>(time);
    return std::pair(answer.analysis != kComputing && share >= kWorthMending, share);
  });
  std::erase_if(answers, [&](const Answer& answer) {
    return static_cast<double>(answer.time) < kLeastShare * static_cast<double>(time);
  });
  // Causes come before their symptoms.
  if (auto fault = worst_fault(input, longest, time)) answers.insert(answers.begin(), std::move(*fault));
  if (answers.size() > kMostAnswers) answers.resize(kMostAnswers);
  for (const Answer& answer : answers) {
    const auto& place = answer.place;
    table.add_row({answer.text, answer.time, share_of(answer.time, time), answer.analysis,
                   place ? Cell(place->rank) : Cell(), place ? Cell(place->device) : Cell(),
                   place ? Cell(place->time.begin - input.profile.span.begin) : Cell(),
                   place ? Cell(place->time.length()) : Cell(), answer.name.empty() ? Cell() : Cell(answer.name)});
  }
  return std::vector{std::move(table)};
}

constexpr std::array kCharts{ChartSpec{"what-dominates", ChartKind::none}};  // sentences

}  // namespace

extern const Analysis kAnalysis{"what_dominates",
                                "What dominates",
                                "What costs the job most (what_if), then the largest uses of GPU time: idle time, "
                                "exposed communication, memory operations, computation; each with the analysis that "
                                "shows the details.",
                                kParameters,
                                run,
                                kCharts};

}  // namespace warpscope::analysis::registered::what_dominates
