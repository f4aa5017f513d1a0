#include "core/sql/context.hpp"

#include <algorithm>
#include <array>

#include "core/sql/part_table.hpp"

namespace warpscope::sql {

Context::Context(std::shared_ptr<const trace::Profile> profile, ContextOptions options)
    : profile_(std::move(profile)),
      read_ahead_(*profile_),
      options_(std::move(options)),
      roles_(analysis::roles_of_categories(*profile_)),
      shared_(*profile_) {}

analysis::AnalysisInput Context::input() {
  static constexpr std::array kParameters{analysis::kKernelClassParameter};
  const analysis::Setting rules(analysis::kKernelClassParameter.name, options_.kernel_rules);
  auto values = analysis::ParameterValues::parse(kParameters, {&rules, 1});  // any text is valid
  return {.profile = *profile_,
          .scope = {},
          .values = std::move(*values),
          .cancel = cancel,
          .events = options_.events,
          .shared = &shared_};
}

const analysis::KernelClasses& Context::classes() {
  if (!classes_) classes_ = analysis::shared_classes(*profile_, {.rules = options_.kernel_rules}, &shared_);
  return *classes_;
}

analysis::Precision Context::precision_of(NameId kernel) {
  if (precisions_.size() <= kernel) precisions_.resize(profile_->names().size());
  std::optional<analysis::Precision>& known = precisions_[kernel];
  if (!known) known = analysis::kernel_precision(profile_->names().view(kernel));
  return *known;
}

Failure Context::interrupted() const {
  return analysis::cancelled(cancel) ? Failure(Error{"", "interrupted", ""}) : std::nullopt;
}

Failure Context::prepare_collectives() {
  if (collectives_) return {};
  Collectives found;
  found.comparison = analysis::compare_ranks(input());
  for (const analysis::JobCollective& each : found.comparison->matches().collectives) {
    found.timings.push_back(found.comparison->timing(each, analysis::ClockChoice::aligned));
    const auto arrivals = analysis::arrivals_of(found.comparison->matches(), each, found.timings.back());
    found.arrivals.insert(found.arrivals.end(), arrivals.begin(), arrivals.end());
    found.first.push_back(static_cast<std::uint32_t>(found.arrivals.size()));
  }
  if (Failure failure = interrupted()) return failure;
  collectives_ = std::move(found);
  return {};
}

Failure Context::prepare_findings() {
  if (evaluation_) return {};
  auto evaluated = rules::evaluate(
      input(), {.settings = options_.rules, .custom = options_.custom, .kernel_rules = options_.kernel_rules});
  if (Failure failure = interrupted()) return failure;
  if (!evaluated) return evaluated.error();
  evaluation_ = std::move(*evaluated);
  return {};
}

trace::SliceOrdinal slices_of(const trace::Rank& rank) { return rank.lane_start.empty() ? 0 : rank.lane_start.back(); }

std::optional<trace::SliceRef> slice_of(const trace::Profile& profile, std::int64_t id) {
  const auto rank = static_cast<std::uint64_t>(id) >> 32;
  const auto slice = static_cast<trace::SliceOrdinal>(id);
  if (rank >= profile.ranks.size() || slice >= slices_of(*profile.ranks[rank])) return std::nullopt;
  return trace::SliceRef{static_cast<std::uint32_t>(rank), slice};
}

trace::IndexRange ranks_numbered(const trace::Profile& profile, std::int64_t least, std::int64_t most) {
  const auto number = [](const std::shared_ptr<const trace::Rank>& rank) { return rank->number; };
  const auto first = std::ranges::lower_bound(profile.ranks, least, {}, number);
  const auto last = std::ranges::upper_bound(first, profile.ranks.end(), most, {}, number);
  return {static_cast<std::uint32_t>(first - profile.ranks.begin()),
          static_cast<std::uint32_t>(std::max(first, last) - profile.ranks.begin())};
}

std::string_view to_string(FieldType type) {
  switch (type) {
    case FieldType::integer:
      return "INTEGER";
    case FieldType::real:
      return "REAL";
    case FieldType::text:
      return "TEXT";
  }
  return "";
}

Estimate usual_estimate(const Plan& plan, const std::vector<Field>& fields, double rows) {
  Estimate estimate{.rows = rows, .cost = 0};
  for (const Plan::Use& use : plan.uses) {
    const double distinct = std::max(1.0, fields[use.field].distinct);
    estimate.rows /= use.op == '=' ? distinct : use.op == '~' ? 4 : 3;
  }
  estimate.rows = std::max(1.0, estimate.rows);
  estimate.cost = 2 + estimate.rows;
  return estimate;
}

}  // namespace warpscope::sql
