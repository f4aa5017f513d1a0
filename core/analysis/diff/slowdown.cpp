#include "core/analysis/diff/slowdown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/diff/profile_diff.hpp"
#include "core/analysis/information/information.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/shared/kernel_totals.hpp"
#include "core/analysis/shared/precision.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/base/word_at.hpp"
#include "core/trace/partial_ranks.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;  // name → value; "": a device

std::string joined(const std::set<std::string>& values) { return fmt::format("{}", fmt::join(values, "/")); }

std::string models_of(const trace::Profile& profile) {
  std::set<std::string> models;
  for (const auto& rank : profile.ranks)
    for (const trace::Device& device : rank->devices)
      if (!device.model.empty()) models.insert(device.model);
  return joined(models);
}

std::string world_size_of(const trace::Profile& profile) {
  std::int64_t size = 0;
  for (const auto& rank : profile.ranks) size = std::max(size, rank->world_size);
  return size > 0 ? std::to_string(size) : "";
}

/// Returns the precision with the most kernel time, inferred from kernel names.
std::string main_precision(const trace::Profile& profile) {
  std::array<Ns, kPrecisions> times{};
  for (const KernelTotal& kernel : kernel_totals(profile, {}).kernels) {
    Ns& time = times[static_cast<std::size_t>(kernel_precision(profile.names().view(kernel.name)))];
    time = saturating_add(time, kernel.total);
  }
  times[static_cast<std::size_t>(Precision::unknown)] = 0;
  const auto most = std::ranges::max_element(times);
  return *most > 0 ? std::string(to_string(static_cast<Precision>(most - times.begin()))) : "";
}

Facts setup_of(const trace::Profile& profile) {
  Facts facts{{"", models_of(profile)}, {"world size ", world_size_of(profile)}, {"mostly ", main_precision(profile)}};
  const Table software = software_table(profile);
  std::map<std::string, std::set<std::string>> versions;
  for (std::size_t row = 0; row < software.rows(); ++row)
    versions[std::string(software.at(row, 0).text())].insert(std::string(software.at(row, 1).text()));
  for (const auto& [what, values] : versions) facts.emplace_back(what + " ", joined(values));
  return facts;
}

/// "NVIDIA A100 → Tesla V100, world size 8 → 4, mostly FP32 → BF16, PyTorch 2.1 → 2.3"; "" if nothing differs. Ignores
/// facts that only one of the profiles records.
std::string differing_setup(const trace::Profile& control, const trace::Profile& test) {
  const Facts after = setup_of(test);
  std::string text;
  for (const auto& [what, value] : setup_of(control)) {
    const auto other = std::ranges::find(after, what, [](const auto& fact) { return fact.first; });
    if (other == after.end() || other->second == value || value.empty() || other->second.empty()) continue;
    text += (text.empty() ? "" : ", ") + what + value + " → " + other->second;
  }
  return text;
}

/// One of the profiles, and the divisor of its times.
struct ComparedSide {
  const trace::Profile& profile;
  std::vector<std::uint32_t> ranks{};  // compared ranks; empty: all
  std::vector<NameId> step_names{};
  std::uint64_t steps = 0;
  std::string partial{};  // data excluded because files end early
  double divisor = 1;

  explicit ComparedSide(const trace::Profile& of) : profile(of) {
    const trace::CoveredTime covered(of);
    if (covered.partial().empty()) {
      for (const auto& rank : of.ranks) add_all_steps(*rank);
    } else if (covered.partial().size() < of.ranks.size()) {
      partial = counted(covered.partial().size(), "rank is", "ranks are") + " excluded because the traces end early";
      for (std::uint32_t r = 0; r < of.ranks.size(); ++r) {
        if (covered.find(r) != nullptr) continue;
        ranks.push_back(r);
        add_all_steps(*of.ranks[r]);
      }
    } else {
      partial = "only steps that are complete in all traces are compared because the traces end early";
      add_whole_steps();
    }
    std::ranges::sort(step_names);
    step_names.erase(std::unique(step_names.begin(), step_names.end()), step_names.end());
  }
  [[nodiscard]] std::size_t rank_count() const { return ranks.empty() ? profile.ranks.size() : ranks.size(); }
  [[nodiscard]] double time(Ns sum) const { return static_cast<double>(sum) / divisor; }

 private:
  void add_all_steps(const trace::Rank& rank) {
    steps += rank.steps.size();
    for (const trace::Step& step : rank.steps) step_names.push_back(step.name);
  }

  /// Adds the steps that are complete on every rank that contains them.
  void add_whole_steps() {
    std::map<NameId, std::int64_t> lost;
    for (const auto& rank : profile.ranks)
      for (const trace::Step& step : rank->steps) ++lost[step.name];
    const std::vector<StepSample> samples = step_samples(profile, {});
    for (const StepSample& sample : samples) --lost[sample.name];
    for (const StepSample& sample : samples) {
      if (lost[sample.name] > 0) continue;
      ++steps;
      step_names.push_back(sample.name);
    }
  }
};

struct KindTimes {
  double control = 0;
  double test = 0;
};

class Comparison {
 public:
  Comparison(const trace::Profile& control, const trace::Profile& test, double least_share)
      : control_(control), test_(test), least_share_(least_share) {
    found_.per_step = control_.steps > 0 && test_.steps > 0;
    found_.control_steps = control_.steps;
    found_.test_steps = test_.steps;
    for (ComparedSide* side : {&control_, &test_})
      side->divisor =
          static_cast<double>(std::max<std::uint64_t>(1, found_.per_step ? side->steps : side->rank_count()));
  }

  Slowdowns run() {
    add_steps();
    const DiffChoice kernels{.devices = kRunRoles};
    const std::vector<NameDiff> everywhere = everything(kernels);
    std::vector<NameDiff> compared = everywhere;
    if (found_.per_step) {
      compared = in_steps(kernels);
      const auto most_is_in = [&](NameTotal NameDiff::*side) {
        return time_of(compared, side) >= time_of(everywhere, side) / 2;
      };
      if (!most_is_in(&NameDiff::control) || !most_is_in(&NameDiff::test)) {
        only_in_steps_ = false;
        compared = everywhere;
      }
    }
    add_names(Slowdown::Kind::kernel, compared, everywhere);
    const DiffChoice ops{.host = role_set(trace::Role::op)};
    const std::vector<NameDiff> all_ops = everything(ops);
    add_names(Slowdown::Kind::op, found_.per_step && only_in_steps_ ? in_steps(ops) : all_ops, all_ops);
    std::ranges::stable_sort(found_.rows, std::greater(), [](const auto& row) { return std::abs(row.difference()); });
    const std::string setup = differing_setup(control_.profile, test_.profile);
    for (const auto& [side, name] : {std::pair(&control_, "control"), std::pair(&test_, "test")})
      if (!side->partial.empty())
        found_.partial += (found_.partial.empty() ? "" : " ") + fmt::format("In the {}, {}.", name, side->partial);
    found_.title = setup.empty() ? "What became slower" : "What became slower: " + setup;
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::vector<NameDiff> in_steps(const DiffChoice& choice) const {
    return profile_diff({control_.profile, control_.ranks, control_.step_names},
                        {test_.profile, test_.ranks, test_.step_names}, choice);
  }
  [[nodiscard]] std::vector<NameDiff> everything(const DiffChoice& choice) const {
    return profile_diff({control_.profile, control_.ranks}, {test_.profile, test_.ranks}, choice);
  }

  static Ns time_of(const std::vector<NameDiff>& diffs, NameTotal NameDiff::*side) {
    Ns sum = 0;
    for (const NameDiff& each : diffs) sum = saturating_add(sum, (each.*side).time);
    return sum;
  }

  void add_steps() {
    const auto total = [](const ComparedSide& side) {
      NameTotal sum;
      for (const StepSample& sample : step_samples(side.profile, {side.ranks, {}})) {
        ++sum.count;
        sum.time = saturating_add(sum.time, sample.duration);
      }
      return sum;
    };
    const NameTotal before = total(control_);
    const NameTotal after = total(test_);
    if (before.time <= 0 || after.count == 0) return;
    found_.rows.push_back({Slowdown::Kind::step, "step", before.count, after.count, before.mean(), after.mean(),
                           before.mean(), after.mean(), 1});
  }

  void add_names(Slowdown::Kind kind, const std::vector<NameDiff>& diffs, const std::vector<NameDiff>& everywhere) {
    const Ns control = time_of(diffs, &NameDiff::control);
    const Ns test = time_of(diffs, &NameDiff::test);
    Uncompared& left = found_.uncompared[static_cast<std::size_t>(kind)];
    left.control_time = control_.time(control);
    left.control_outside = saturating_difference(time_of(everywhere, &NameDiff::control), control);
    left.test_outside = saturating_difference(time_of(everywhere, &NameDiff::test), test);
    std::vector<const NameDiff*> others;
    for (const NameDiff& each : diffs) {
      if (each.control.time <= 0 && each.test.time <= 0) continue;
      const double share = std::max(share_of(each.control.time, control), share_of(each.test.time, test));
      const bool in_both = each.control.count > 0 && each.test.count > 0;
      if (share < least_share_ && (found_.per_step || in_both)) {
        others.push_back(&each);
        continue;
      }
      const Slowdown row = row_of(kind, each, share);
      note_one_sided(left, row, 1);
      if (share >= least_share_) found_.rows.push_back(row);
    }
    if (others.empty()) return;
    found_.rows.push_back(row_of_others(kind, others, control, test));
    note_one_sided(left, found_.rows.back(), others.size());
  }

  static void note_one_sided(Uncompared& left, const Slowdown& row, std::size_t names) {
    left.added += row.added() ? row.test_time : 0;
    left.removed += row.removed() ? row.control_time : 0;
    left.added_names += row.added() ? names : 0;
    left.removed_names += row.removed() ? names : 0;
  }

  static double share_of(Ns time, Ns all) { return all > 0 ? static_cast<double>(time) / static_cast<double>(all) : 0; }

  [[nodiscard]] Slowdown row_of(Slowdown::Kind kind, const NameDiff& each, double share) const {
    return {kind,
            each.name,
            each.control.count,
            each.test.count,
            control_.time(each.control.time),
            test_.time(each.test.time),
            each.control.mean(),
            each.test.mean(),
            share,
            found_.per_step};
  }

  /// Weights the test's means with the control's call counts, because without steps the counts are not comparable.
  [[nodiscard]] Slowdown row_of_others(Slowdown::Kind kind, const std::vector<const NameDiff*>& others, Ns control,
                                       Ns test) const {
    NameDiff sum;
    double expected = 0;
    for (const NameDiff* each : others) {
      sum.control.count += each->control.count;
      sum.control.time = saturating_add(sum.control.time, each->control.time);
      sum.test.count += each->test.count;
      sum.test.time = saturating_add(sum.test.time, each->test.time);
      expected += each->test.mean() * static_cast<double>(each->control.count);
    }
    sum.name = kind == Slowdown::Kind::kernel ? counted(others.size(), "other kernel", "other kernels")
                                              : counted(others.size(), "other operator", "other operators");
    if (others.size() == 1) sum.name = others.front()->name;
    Slowdown row = row_of(kind, sum, std::max(share_of(sum.control.time, control), share_of(sum.test.time, test)));
    if (!found_.per_step && sum.control.count > 0) row.test_mean = expected / static_cast<double>(sum.control.count);
    return row;
  }

  ComparedSide control_;
  ComparedSide test_;
  double least_share_;
  bool only_in_steps_ = true;
  Slowdowns found_;
};

std::string duration_text(double time) { return format_duration(static_cast<Ns>(std::llround(time))); }

std::string_view plural_of(Slowdown::Kind kind) { return kind == Slowdown::Kind::op ? "operators" : "kernels"; }

}  // namespace

double Slowdown::by() const {
  const double before = per_step ? control_time : control_mean;
  const double after = per_step ? test_time : test_mean;
  if (before > 0) return after / before - 1;
  return after > 0 ? std::numeric_limits<double>::infinity() : 0;
}

std::string_view to_string(Slowdown::Kind kind) {
  static constexpr std::array<std::string_view, 3> kWords{"step", "kernel", "operator"};
  return word_at(kWords, kind);
}

Slowdowns slowdowns(const trace::Profile& control, const trace::Profile& test, double least_share) {
  return Comparison(control, test, least_share).run();
}

std::size_t count_over(const Slowdowns& found, double limit) {
  return static_cast<std::size_t>(std::ranges::count_if(
      found.rows, [&](const Slowdown& each) { return !each.added() && !each.removed() && each.by() > limit; }));
}

std::vector<Slowdown::Kind> added_over(const Slowdowns& found, double limit) {
  std::vector<Slowdown::Kind> over;
  for (const Slowdown::Kind kind : {Slowdown::Kind::kernel, Slowdown::Kind::op}) {
    const Uncompared& left = found.uncompared[static_cast<std::size_t>(kind)];
    if (found.per_step && left.net() > limit * left.control_time) over.push_back(kind);
  }
  return over;
}

std::string uncompared_text(const Slowdowns& found) {
  std::string text;
  const std::string_view per = found.per_step ? " per step" : " per rank";
  const auto add = [&](const std::string& piece) { text += (text.empty() ? "not compared by name: " : "; ") + piece; };
  for (const Slowdown::Kind kind : {Slowdown::Kind::kernel, Slowdown::Kind::op}) {
    const Uncompared& left = found.uncompared[static_cast<std::size_t>(kind)];
    const auto add_names = [&](double time, std::size_t names, std::string_view where) {
      if (names > 0)
        add(fmt::format("{}{} of {} only in {} ({})", duration_text(time), per, plural_of(kind), where,
                        counted(names, "name", "names")));
    };
    add_names(left.added, left.added_names, "the test");
    add_names(left.removed, left.removed_names, "the control");
    if (left.control_outside > 0 || left.test_outside > 0)
      add(fmt::format("{} of {} outside steps in the control, {} in the test", format_duration(left.control_outside),
                      plural_of(kind), format_duration(left.test_outside)));
  }
  if (!found.per_step) add("counts, because at least one profile has no steps");
  return text.empty() ? "every kernel and operator name is in both profiles, so the comparison covers all of their time"
                      : text;
}

Table slowdown_table(const Slowdowns& found, std::optional<double> limit, std::size_t most) {
  const std::string per = found.per_step ? "per step" : "per rank";
  const std::string csv = found.per_step ? "_per_step_ns" : "_per_rank_ns";
  std::vector<Column> columns{col::kind,
                              col::name,
                              col::integer("control count"),
                              col::integer("test count"),
                              col::ns("control mean").alike(),
                              col::ns("test mean").alike(),
                              col::percent("slower by"),
                              col::ns("control " + per).csv("control" + csv).alike(2),
                              col::ns("test " + per).csv("test" + csv).alike(2),
                              col::ns("Δ " + per).csv("difference" + csv).alike(2),
                              col::percent("share of time"),
                              col::text("change")};
  if (limit) columns.push_back(col::text("over the limit"));
  Table table("slowdowns", found.title, std::move(columns));
  const std::size_t told = most == 0 ? found.rows.size() : std::min(most, found.rows.size());
  for (std::size_t i = 0; i < told; ++i) {
    const Slowdown& each = found.rows[i];
    const bool one_side = each.added() || each.removed();
    const char* const change = each.added()            ? "added"
                               : each.removed()        ? "removed"
                               : each.difference() > 0 ? "slower"
                               : each.difference() < 0 ? "faster"
                                                       : "same";
    std::vector<Cell> cells{Cell(to_string(each.kind), each.kind), each.name, each.control_count, each.test_count};
    cells.push_back(each.added() ? Cell() : Cell(each.control_mean));
    cells.push_back(each.removed() ? Cell() : Cell(each.test_mean));
    cells.push_back(one_side || !std::isfinite(each.by()) ? Cell() : Cell(each.by()));
    for (const double time : {each.control_time, each.test_time, each.difference()}) cells.emplace_back(time);
    cells.emplace_back(each.share);
    cells.emplace_back(change);
    if (limit) cells.emplace_back(one_side ? "" : each.by() > *limit ? "yes" : "no");
    table.add_row(cells);
  }
  if (found.rows.empty())
    table.note = "No step, kernel or operator has a nonzero duration in either profile.";
  else if (told < found.rows.size())
    table.note = fmt::format("Shows the first {} of {}.", format_count(static_cast<std::int64_t>(told)),
                             format_count(static_cast<std::int64_t>(found.rows.size())));
  table.note = joined_notes({found.partial, table.note});
  return table;
}

}  // namespace warpscope::analysis
