// HostStall: single host calls that take much longer than the same call usually does.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/rules/kineto/stall_suspects.hpp"

namespace warpscope::rules::registered::host_stall {

namespace {

constexpr std::array kParameters{share_parameter()};

/// All stalls of one name.
struct Group {
  std::uint64_t count = 0;
  Ns time = 0;
  Ns usual = 0;
  std::array<Ns, kStallSuspects> suspects{};  ///< time by suspect
};

StallSuspect main_suspect(const std::array<Ns, kStallSuspects>& times) {
  return static_cast<StallSuspect>(std::ranges::max_element(times) - times.begin());
}

Detail stalls_table(Facts& facts, const std::map<NameId, Group>& groups) {
  Table table("stalls", "Stalled calls by name",
              {{"name", "", ColumnRole::name},
               {"calls", "", ColumnRole::count},
               {"total", "", ColumnKind::duration, ColumnRole::total},
               {"mean", "", ColumnKind::duration, ColumnRole::mean},
               {"usual", "", ColumnKind::duration, ColumnRole::median},
               {"suspect", "", ColumnKind::text}});
  for (const auto& [name, group] : groups)
    table.add_row({facts.profile().names().view(name), group.count, group.time,
                   group.time / static_cast<Ns>(group.count), group.usual, to_string(main_suspect(group.suspects))});
  sort_rows(table, 2, SortOrder::descending);
  table.note = "Suspects follow from the kind of call and from what other threads do meanwhile.";
  return {std::move(table)};
}

/// " Likely because of page faults of host memory (71 % of this time)."
std::string suspect_words(const std::array<Ns, kStallSuspects>& times, Ns all) {
  const StallSuspect most = main_suspect(times);
  if (most == StallSuspect::unknown || all <= 0) return "";
  return fmt::format(
      " Likely because of {} ({} of this time).", to_string(most),
      format_share(static_cast<double>(times[static_cast<std::size_t>(most)]) / static_cast<double>(all)));
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  std::map<NameId, Group> groups;
  std::vector<Place> places;
  Ns cost = 0;
  std::uint64_t count = 0;
  std::array<Ns, kStallSuspects> suspects{};
  std::optional<std::uint32_t> before;
  for (const GpuWindow& gpu : facts.gpus()) {
    if (before == gpu.rank || facts.cancelled()) continue;
    before = gpu.rank;
    if (facts.stalls(gpu.rank).empty()) continue;
    const StallJudge judge(facts, gpu.rank);
    for (const HostStall& stall : facts.stalls(gpu.rank)) {
      if (common({stall.time}, gpu.parts).empty()) continue;
      Group& group = groups[stall.name];
      ++group.count;
      group.time = saturating_add(group.time, stall.self);
      group.usual = std::max(group.usual, stall.usual);
      cost = saturating_add(cost, stall.self);
      const auto suspect = static_cast<std::size_t>(judge.suspect_of(stall));
      group.suspects[suspect] = saturating_add(group.suspects[suspect], stall.self);
      suspects[suspect] = saturating_add(suspects[suspect], stall.self);
      ++count;
      places.push_back(at_slice(facts, gpu.rank, stall.slice));
    }
    keep_longest(places);
  }
  const Ns idle = time_of_cause(facts, IdleCause::stall, "").time;
  const std::string why = count == 0
                              ? "No host call takes much longer than others of its name."
                              : fmt::format("{}, {} in total; GPUs are idle meanwhile for {} ({}).",
                                            counted(count, "stalled host call", "stalled host calls"),
                                            facts.a_step(cost), facts.a_step(idle), format_share(facts.share(idle)));
  if (count == 0) return {Verdict::no_issues, why, {}};
  const auto most = std::ranges::max_element(groups, {}, [](const auto& each) { return each.second.time; });
  const std::string others =
      groups.size() > 1 ? fmt::format(" and calls of {}", counted(groups.size() - 1, "other name", "other names")) : "";
  const Group& group = most->second;
  std::map<NameId, Ns> times;
  for (const auto& [name, each] : groups) times[name] = each.time;
  Outcome outcome =
      judged(facts.matters(std::min(idle, cost), input.values.real(kShare)),
             {fmt::format("{} of {}{} stall for {} on average instead of {}; GPUs are idle meanwhile for {}.{}",
                          counted(group.count, "call", "calls"), facts.profile().names().view(most->first), others,
                          format_duration(group.time / static_cast<Ns>(group.count)), format_duration(group.usual),
                          facts.of_step(idle), suspect_words(suspects, cost)),
              std::string(advice_for(main_suspect(suspects))), idle, std::min(idle, cost), false, std::move(places),
              bars_by_name(facts, "Time in stalled calls, by name", times)},
             why);
  outcome.details.push_back(stalls_table(facts, groups));
  return outcome;
}

}  // namespace

extern const Rule kRule{"HostStall",
                        "Stalled host calls",
                        "Operators and runtime calls whose own time exceeds 1 ms and the median of their name by ten "
                        "robust standard deviations, while GPUs are idle.",
                        kParameters,
                        evaluate,
                        "Something outside the call stops the host: too few CPU cores (OMP_NUM_THREADS, data loader "
                        "workers, CPU binding), page faults, Python's garbage collection (gc.freeze()) or lock, memory "
                        "allocated through the driver, or compilation on first use. Record the host's load, and "
                        "Python's garbage collection with record_python_gc_info=True."};

}  // namespace warpscope::rules::registered::host_stall
