#include "core/analysis/shared/hta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/request/event_numbers.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

namespace {

constexpr Ns kMicrosecond = 1000;

Ns rounded_down(Ns time) {
  const Ns rest = time % kMicrosecond;
  return time - (rest < 0 ? rest + kMicrosecond : rest);
}

bool is_profiler_step(std::string_view name) { return name.starts_with("ProfilerStep"); }

}  // namespace

Ns hta_rounded(Ns time) { return rounded_down(saturating_add(time, kMicrosecond - 1)); }
Interval hta_rounded(Interval time) { return {hta_rounded(time.begin), rounded_down(time.end)}; }

HtaSteps::HtaSteps(const trace::Profile& profile, bool hta) {
  if (!hta) return;
  for (const auto& rank : profile.ranks)
    for (const trace::Step& step : rank->steps)
      if (is_profiler_step(profile.names().view(step.name))) names_.push_back(step.name);
  std::ranges::sort(names_);
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

std::optional<Ns> HtaSteps::last_begin(const trace::Rank& rank) const {
  if (names_.size() < 2) return std::nullopt;
  std::optional<Ns> last;
  const auto take = [&](Ns begin) { last = std::max(last.value_or(begin), begin); };
  for (const trace::Step& step : rank.steps)
    if (std::ranges::binary_search(names_, step.name)) take(step.time.begin);
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    if (rank.rows_of(l) != trace::LaneKind::gpu_annotation) continue;
    const trace::Lane& lane = rank.lanes[l];
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      if (std::ranges::binary_search(names_, lane.name(i))) take(lane.time().begin(i));
  }
  return last;
}

Ns hta_trace_length(const trace::Profile& profile, std::uint32_t index, bool rounding) {
  const trace::Rank& rank = *profile.ranks[index];
  const RoleOfCategory roles = roles_of_categories(profile);
  const std::optional<Ns> last_step = HtaSteps(profile).last_begin(rank);
  Interval begins = kEmptySpan;
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    const trace::LaneKind kind = rank.rows_of(l);
    if (kind == trace::LaneKind::instant || kind == trace::LaneKind::damaged) continue;
    const trace::Lane& lane = rank.lanes[l];
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
      const trace::Role role = roles[lane.category(i)];
      if (role == trace::Role::span) continue;
      const Ns begin = lane.time().begin(i);
      Ns launched = begin;
      if (last_step && trace::is_run(role)) {
        const trace::Connection* launch = rank.launches.cause_of(rank.lane_start[l] + i);
        launched = launch == nullptr ? *last_step : rank.begin(launch->from);
      }
      if (!last_step || launched < *last_step) begins = cover(begins, {begin, begin});
    }
  }
  if (begins.begin > begins.end) return 0;
  return rounding ? hta_rounded(begins.end) - hta_rounded(begins.begin) : begins.length();
}

namespace {

/// Returns HTA's time zero, in ns since the start of the profile: the start of the first row that is not a span of the
/// profiler itself. O(lanes).
Ns hta_zero(const trace::Profile& profile, bool rounding) {
  const RoleOfCategory roles = roles_of_categories(profile);
  std::optional<Ns> first;
  for (const auto& rank : profile.ranks) {
    for (std::uint32_t l = 0; l < rank->lanes.size(); ++l) {
      const trace::LaneKind kind = rank->rows_of(l);
      if (kind == trace::LaneKind::instant || kind == trace::LaneKind::damaged) continue;
      const trace::Lane& lane = rank->lanes[l];
      for (std::uint32_t i = 0; i < lane.size(); ++i) {
        if (roles[lane.category(i)] == trace::Role::span) continue;
        first = std::min(first.value_or(lane.time().begin(i)), lane.time().begin(i));
        break;
      }
    }
  }
  if (!first) return 0;
  return saturating_difference(rounding ? hta_rounded(*first) : *first, profile.span.begin);
}

}  // namespace

Ns csv_zero(const AnalysisInput& input) {
  const KernelClasses::Choice choice = KernelClasses::hta_choice(input.values);
  return choice.hta ? hta_zero(input.profile, choice.rounding) : 0;
}

Correlations::Correlations(const AnalysisInput& input)
    : input_(input), wanted_(input.values.flag(kCorrelationParameter.name)) {}

void Correlations::append_column(std::vector<Column>& columns) const {
  if (wanted_) columns.push_back(col::id("correlation"));
}

void Correlations::read(const trace::Rank& rank, std::span<const GpuRow> rows) {
  ids_.clear();
  if (!wanted_) return;
  std::vector<trace::SliceOrdinal> slices;
  for (const GpuRow& row : rows) slices.push_back(row.slice);
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

namespace {

bool is_memory_operation(std::string_view name) {
  constexpr std::array<std::string_view, 5> kBegins{"Memcpy", "Memset", "hipMemcpy", "hipMemset", "dma"};
  return std::ranges::any_of(kBegins, [&](std::string_view begin) { return name.starts_with(begin); });
}

/// Removes everything from the last `open` onward, or everything if there is none.
void drop_from(std::string& text, char open) {
  const std::size_t at = text.rfind(open);
  text.resize(at == text.npos ? 0 : at);
}

}  // namespace

std::string hta_short_name(std::string_view name) {
  if (is_memory_operation(name) || name.find_first_of("<(") == name.npos) return std::string(name);
  std::string kept;
  kept.reserve(name.size());
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i).starts_with("->"))
      ++i;
    else if (name[i] == '>')
      drop_from(kept, '<');
    else if (name[i] == ')')
      drop_from(kept, '(');
    else
      kept += name[i];
  }
  const std::size_t space = kept.rfind(' ');
  return space == kept.npos ? kept : kept.substr(space + 1);
}

}  // namespace warpscope::analysis
