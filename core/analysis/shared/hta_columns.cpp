#include "core/analysis/shared/hta_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/request/event_numbers.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/shared/hta_steps.hpp"

namespace warpscope::analysis {

Ns csv_zero(const AnalysisInput& input) {
  const KernelClasses::Choice choice = KernelClasses::hta_choice(input.values);
  return choice.hta ? hta_zero(input.profile, choice.rounding) : 0;
}

Correlations::Correlations(const AnalysisInput& input)
    : input_(input), wanted_(input.values.flag(kCorrelationParameter.name)) {}

void Correlations::append_column(std::vector<Column>& columns) const {
  if (wanted_) columns.push_back({"correlation", "", ColumnKind::identifier, "correlation"});
}

void Correlations::read(const trace::Rank& rank, std::vector<trace::SliceOrdinal> slices) {
  ids_.clear();
  if (!wanted_) return;
  ids_.reserve(slices.size());
  const auto keep = [&](trace::SliceOrdinal slice, double id) {
    ids_.emplace_back(slice, static_cast<std::int64_t>(id));
  };
  if (const Failure failure = read_numbers(input_, rank, slices, "correlation", keep); failure && note_.empty())
    note_ = fmt::format("Cannot read correlation ids for rank {}: {}.", rank.number, failure->message());
  std::ranges::sort(ids_);
}

void Correlations::append_cell(std::vector<Cell>& cells, trace::SliceOrdinal slice) const {
  if (!wanted_) return;
  const auto found = std::ranges::lower_bound(ids_, slice, {}, [](const auto& each) { return each.first; });
  cells.push_back(found != ids_.end() && found->first == slice ? Cell(found->second) : Cell());
}

}  // namespace warpscope::analysis
