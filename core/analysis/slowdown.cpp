#include "core/analysis/slowdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/analysis/profile_diff.hpp"
#include "core/analysis/samples.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

void add_steps(std::vector<Slowdown>& found, const trace::Profile& control, const trace::Profile& test) {
  const auto total = [](const trace::Profile& profile) {
    NameTotal sum;
    for (const StepSample& sample : step_samples(profile, {})) {
      ++sum.count;
      sum.time = saturating_add(sum.time, sample.duration);
    }
    return sum;
  };
  const NameTotal before = total(control);
  const NameTotal after = total(test);
  if (before.time > 0 && after.count > 0)
    found.push_back({Slowdown::Kind::step, "step", before.count, after.count, before.mean(), after.mean(), 1});
}

void add_names(std::vector<Slowdown>& found, Slowdown::Kind kind, const DiffSide& control, const DiffSide& test,
               const DiffChoice& choice, double least_share) {
  const std::vector<NameDiff> diffs = profile_diff(control, test, choice);
  double all_control = 0;
  double all_test = 0;
  for (const NameDiff& each : diffs) {
    all_control += static_cast<double>(each.control.time);
    all_test += static_cast<double>(each.test.time);
  }
  const auto share = [](Ns time, double all) { return all > 0 ? static_cast<double>(time) / all : 0; };
  for (const NameDiff& each : diffs) {
    if (each.control.time <= 0 || each.test.count == 0) continue;
    const double most = std::max(share(each.control.time, all_control), share(each.test.time, all_test));
    if (most >= least_share)
      found.push_back(
          {kind, each.name, each.control.count, each.test.count, each.control.mean(), each.test.mean(), most});
  }
}

}  // namespace

std::string_view to_string(Slowdown::Kind kind) {
  switch (kind) {
    case Slowdown::Kind::step:
      return "step";
    case Slowdown::Kind::kernel:
      return "kernel";
    case Slowdown::Kind::op:
      return "operator";
  }
  return "";
}

std::vector<Slowdown> slowdowns(const trace::Profile& control, const trace::Profile& test, double least_share) {
  std::vector<Slowdown> found;
  add_steps(found, control, test);
  add_names(found, Slowdown::Kind::kernel, {control}, {test}, {.devices = kRunRoles}, least_share);
  add_names(found, Slowdown::Kind::op, {control}, {test}, {.host = role_set(trace::Role::op)}, least_share);
  std::ranges::stable_sort(found, std::greater(), &Slowdown::by);
  return found;
}

Table slowdown_table(const std::vector<Slowdown>& slowdowns, std::optional<double> limit, std::size_t most) {
  std::vector<Column> columns{{"kind", "", ColumnKind::text},
                              {"name", "", ColumnKind::text},
                              {"control count", "", ColumnKind::integer},
                              {"test count", "", ColumnKind::integer},
                              {"control mean", "", ColumnKind::duration, {}, 1, 0, 1},
                              {"test mean", "", ColumnKind::duration, {}, 1, 0, 1},
                              {"slower by", "", ColumnKind::share},
                              {"share of time", "", ColumnKind::share}};
  if (limit) columns.push_back({"over the limit", "", ColumnKind::text});
  Table table("slowdowns", "What became slower", std::move(columns));
  const std::size_t told = most == 0 ? slowdowns.size() : std::min(most, slowdowns.size());
  for (std::size_t i = 0; i < told; ++i) {
    const Slowdown& each = slowdowns[i];
    std::vector<Cell> cells{to_string(each.kind), each.name,      each.control_count, each.test_count,
                            each.control_mean,    each.test_mean, each.by(),          each.share};
    if (limit) cells.emplace_back(each.by() > *limit ? "yes" : "no");
    table.add_row(cells);
  }
  if (slowdowns.empty())
    table.note = "No step, kernel or operator of both profiles takes enough time to be compared.";
  else if (told < slowdowns.size())
    table.note = fmt::format("The first {} of {}.", format_count(static_cast<std::int64_t>(told)),
                             format_count(static_cast<std::int64_t>(slowdowns.size())));
  return table;
}

}  // namespace warpscope::analysis
