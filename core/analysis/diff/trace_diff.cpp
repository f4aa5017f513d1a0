// trace_diff and ops_diff: count and time of each operator and kernel in two profiles, and names added, removed, or
// called more or less often.
#include <algorithm>
#include <array>
#include <string_view>

#include "core/analysis/diff/profile_diff.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/tables.hpp"

namespace warpscope::analysis::registered {

namespace {

constexpr std::array<std::string_view, 3> kDiffDevices{"ALL", "CPU", "GPU"};
constexpr Parameter kControlRank = text_parameter(
    "control_rank",
    "ranks of the first profile: all, first, or numbers such as 0,3-5; default: the selected ranks, or the first one "
    "with hta");
constexpr Parameter kTestRank =
    text_parameter("test_rank", "ranks of the second profile; default: all, or the first one with hta");
constexpr Parameter kControlIteration = text_parameter("control_iteration",
                                                       "steps of the first profile: all (including activity outside "
                                                       "steps), first, or numbers such as 12-14; default: all, or "
                                                       "the first one with hta");
constexpr Parameter kTestIteration =
    text_parameter("test_iteration", "steps of the second profile, in the same form as control_iteration");
constexpr Parameter kDeviceType =
    choice_parameter("device_type", "activity to count: host calls, GPU activity, or both", kDiffDevices);
constexpr std::array kTraceParameters{
    kControlRank,      kTestRank,
    kControlIteration, kTestIteration,
    kDeviceType,       flag_parameter("short_names", "combine kernels with the same short name into one row"),
    kHtaParameter,     kRoundingParameter};
constexpr std::array kOpsParameters{kControlRank, kTestRank,     kControlIteration, kTestIteration,
                                    kDeviceType,  kHtaParameter, kRoundingParameter};

/// Roles of calls on host threads; GPU activity has kRunRoles.
constexpr RoleSet kHostRoles = role_set(trace::Role::launch, trace::Role::op, trace::Role::annotation,
                                        trace::Role::python, trace::Role::overhead, trace::Role::other);

Result<std::vector<std::uint32_t>> parse_side_ranks(const trace::Profile& profile, std::string_view text) {
  if (text == "all") return std::vector<std::uint32_t>();
  if (text != "first") return parse_ranks(profile, text);
  const auto least = std::ranges::min_element(profile.ranks, {}, [](const auto& rank) { return rank->number; });
  if (least == profile.ranks.end()) return std::vector<std::uint32_t>();
  return std::vector{static_cast<std::uint32_t>(least - profile.ranks.begin())};
}

/// Returns `given`, or its default if empty.
std::string_view chosen(const std::string& given, bool hta) {
  if (!given.empty()) return given;
  return hta ? "first" : "all";
}

Result<DiffSide> side_of(const AnalysisInput& input, const trace::Profile& profile, const Parameter& rank,
                         const Parameter& iteration) {
  const bool hta = input.values.flag(kHtaParameter.name);
  DiffSide side{profile};
  const std::string& given = input.values.text(rank.name);
  if (given.empty() && &profile == &input.profile && !input.scope.ranks.empty()) {
    side.ranks = input.scope.ranks;
  } else {
    auto ranks = parse_side_ranks(profile, chosen(given, hta));
    if (!ranks) return ranks.error();
    side.ranks = std::move(*ranks);
  }
  const std::string& numbers = input.values.text(iteration.name);
  auto steps = parse_steps(profile, chosen(numbers, hta));
  if (!steps && !numbers.empty()) return steps.error();
  if (steps) side.steps = std::move(*steps);  // without numbered steps, compares everything
  return side;
}

/// Compares both profiles name by name, as selected by the parameters; no names without a second profile. Fails on an
/// unknown rank or step.
Result<std::vector<NameDiff>> chosen_diff(const AnalysisInput& input, bool short_names) {
  if (input.other == nullptr) return std::vector<NameDiff>();
  const auto control = side_of(input, input.profile, kControlRank, kControlIteration);
  if (!control) return control.error();
  const auto test = side_of(input, *input.other, kTestRank, kTestIteration);
  if (!test) return test.error();
  const std::string& device = input.values.text(kDeviceType.name);
  const bool hta = input.values.flag(kHtaParameter.name);
  const DiffChoice choice{.host = device == "GPU" ? RoleSet{0} : kHostRoles,
                          .devices = device == "CPU" ? RoleSet{0} : kRunRoles,
                          .shadows = hta,
                          .rounding = hta && input.values.flag(kRoundingParameter.name),
                          .short_names = short_names,
                          .hta_names = hta};
  return profile_diff(*control, *test, choice, input.cancel);
}

std::string empty_note(const AnalysisInput& input, const Table& table) {
  if (table.rows() > 0) return "";
  return input.other == nullptr ? "No second profile given; use warpscope analyze NAME A B."
                                : "Neither profile has matching host calls or GPU activity.";
}

std::string_view sign_of(std::uint64_t control, std::uint64_t test) {
  if (control == test) return "=";
  return test > control ? "+" : "-";
}

Result<std::vector<Table>> run_trace_diff(const AnalysisInput& input) {
  const bool short_names = input.values.flag("short_names");
  Table table(
      "trace-diff", "Operators and kernels of two profiles",
      {Column(col::name).csv(short_names ? "short_name" : "name"), col::integer("control count").csv("Control_counts"),
       col::us(col::ns("control time"), "Control_total_duration"), col::integer("test count").csv("Test_counts"),
       col::us(col::ns("test time"), "Test_total_duration"), col::integer("count difference").csv("diff_counts"),
       col::us(col::ns("time difference"), "diff_duration"), col::text("change").csv("counts_change_categories"),
       col::us(col::ns("control mean"), "Control_mean_duration", 2),
       col::us(col::ns("test mean"), "Test_mean_duration", 2), col::percent("slower by").csv("slower_pct")});
  const auto diffs = chosen_diff(input, short_names);
  if (!diffs) return diffs.error();
  table.reserve(diffs->size());
  for (const NameDiff& each : *diffs) {
    const bool both = each.control.count > 0 && each.test.count > 0;
    table.add_row({each.name, each.control.count, each.control.time, each.test.count, each.test.time,
                   static_cast<std::int64_t>(each.test.count) - static_cast<std::int64_t>(each.control.count),
                   saturating_difference(each.test.time, each.control.time),
                   sign_of(each.control.count, each.test.count),
                   each.control.count > 0 ? Cell(each.control.mean()) : Cell(),
                   each.test.count > 0 ? Cell(each.test.mean()) : Cell(),
                   both ? share_of(each.test.mean() - each.control.mean(), each.control.mean()) : Cell()});
  }
  table.note = empty_note(input, table);
  return std::vector{std::move(table)};
}

constexpr std::array<std::string_view, 5> kChanges{"added", "deleted", "increased", "decreased", "unchanged"};

/// Returns an index into kChanges.
std::size_t change_of(const NameDiff& diff) {
  if (diff.control.count == 0) return 0;
  if (diff.test.count == 0) return 1;
  if (diff.test.count == diff.control.count) return 4;
  return diff.test.count > diff.control.count ? 2 : 3;
}

Result<std::vector<Table>> run_ops_diff(const AnalysisInput& input) {
  Table table("ops-diff", "Changed operators and kernels",
              {col::text("change"), col::name, col::integer("control count").csv("Control_counts"),
               col::integer("test count").csv("Test_counts")});
  Table numbers("changes", "Names by change", {col::text("change"), col::integer("names")});
  auto diffs = chosen_diff(input, false);
  if (!diffs) return diffs.error();
  std::array<std::int64_t, kChanges.size()> names{};
  std::ranges::stable_sort(*diffs, {}, change_of);
  table.reserve(diffs->size());
  for (const NameDiff& each : *diffs) {
    ++names[change_of(each)];
    table.add_row({kChanges[change_of(each)], each.name, each.control.count, each.test.count});
  }
  for (std::size_t change = 0; change < kChanges.size() && !diffs->empty(); ++change)
    numbers.add_row({kChanges[change], names[change]});
  table.note = numbers.note = empty_note(input, table);
  return std::vector{std::move(table), std::move(numbers)};
}

}  // namespace

namespace trace_diff {
extern const Analysis kAnalysis{
    .name = "trace_diff",
    .title = "Operators and kernels of two profiles",
    .about =
        "Count, total and mean time of host calls and GPU activity by name in two profiles, and their differences. "
        "Each step includes the host calls that start in it and the GPU activity launched in it. HTA uses the first "
        "rank and the first step, and counts annotations on the GPU as host calls.",
    .parameters = kTraceParameters,
    .run = run_trace_diff,
    .compares = true};
}

namespace ops_diff {
extern const Analysis kAnalysis{
    .name = "ops_diff",
    .title = "Changed operators and kernels",
    .about =
        "Host calls and GPU activity by name, grouped by change in the second profile: added, deleted, increased, "
        "decreased or unchanged count. Each group is sorted by time difference, largest first.",
    .parameters = kOpsParameters,
    .run = run_ops_diff,
    .compares = true};
}

}  // namespace warpscope::analysis::registered
