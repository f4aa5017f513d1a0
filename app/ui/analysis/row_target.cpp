#include "app/ui/analysis/row_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "app/ui/model/session.hpp"
#include "app/ui/timeline/canvas_menu.hpp"
#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/shared/kernel_totals.hpp"
#include "core/analysis/shared/row_words.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::ui {
namespace {

std::optional<Cell> cell_of(const Table& table, std::size_t row, ColumnRole role) {
  if (const auto column = table.find_role(role))
    if (const Cell cell = table.at(row, *column); !cell.missing()) return cell;
  return std::nullopt;
}

std::optional<std::int64_t> integer_at(const Table& table, std::size_t row, ColumnRole role) {
  const auto cell = cell_of(table, row, role);
  return cell && cell->type() == Cell::Type::integer ? std::optional(cell->integer()) : std::nullopt;
}

std::optional<std::uint32_t> rank_of(const trace::Profile& profile, const Table& table, std::size_t row) {
  const auto number = cell_of(table, row, ColumnRole::rank);
  if (!number) return profile.ranks.size() == 1 ? std::optional(0u) : std::nullopt;
  for (std::uint32_t r = 0; r < profile.ranks.size(); ++r)
    if (profile.ranks[r]->number == number->integer()) return r;
  return std::nullopt;
}

/// Returns the absolute start time of a row, in ns.
std::optional<Ns> time_of(const trace::Profile& profile, const Table& table, std::size_t row) {
  if (const auto start = integer_at(table, row, ColumnRole::start)) return saturating_add(profile.span.begin, *start);
  return std::nullopt;
}

/// Returns the streams of a rank that a row refers to; all streams of the device if the row has only a device.
std::vector<std::uint32_t> streams_of(const trace::Rank& rank, const Table& table, std::size_t row) {
  const auto stream = cell_of(table, row, ColumnRole::stream);
  const auto device = cell_of(table, row, ColumnRole::device);
  std::vector<std::uint32_t> found;
  if (!stream && !device) return found;
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
    const trace::Track& track = rank.tracks[t];
    if (track.kind == trace::TrackKind::stream && (!stream || track.id == stream->integer()) &&
        (!device || track.process == device->integer()))
      found.push_back(t);
  }
  return found;
}

constexpr std::array kNames{ColumnRole::name, ColumnRole::annotation, ColumnRole::kernel,
                            ColumnRole::step, ColumnRole::op,         ColumnRole::module};

/// Returns the name of the slices a row describes; for a sequence of kernels, the call that launched them.
std::optional<std::string_view> name_of(const trace::Profile& profile, const Table& table, std::size_t row) {
  const StringTable& names = profile.names();
  const auto known = [&](std::string_view name) {
    NameId id = 0;
    return !name.empty() && names.find(name, id) ? std::optional(names.view(id)) : std::nullopt;
  };
  for (const ColumnRole role : kNames)
    if (const auto cell = cell_of(table, row, role)) {
      const std::string_view text = trimmed(cell->text());  // rows of trees are indented
      const auto name = known(text);
      return name || role != ColumnRole::module ? name : known(fmt::format("nn.Module: {}", text));
    }
  if (const auto cell = cell_of(table, row, ColumnRole::sequence); cell && cell->reference())
    return names.view(*cell->reference());
  return std::nullopt;
}

/// Returns the step's time for a row that describes a rank in a step.
std::optional<Interval> step_of(const trace::Profile& profile, const trace::Rank& rank, const Table& table,
                                std::size_t row) {
  const auto name = cell_of(table, row, ColumnRole::step);
  if (!name || name->type() != Cell::Type::text) return std::nullopt;
  for (const trace::Step& step : rank.steps)
    if (profile.names().view(step.name) == name->text()) return step.time;
  return std::nullopt;
}

/// Returns "Rank 5" or "Stream 7 of rank 5".
std::string words_of(const trace::Profile& profile, const RankRequest& request) {
  const trace::Rank& rank = *profile.ranks[request.rank];
  const std::string whole = fmt::format("ank {}", rank.number);
  if (request.tracks.size() != 1) return "R" + whole;
  return fmt::format("{} of r{}", sentence(rank.tracks[request.tracks[0]].label), whole);
}

}  // namespace

std::optional<TimelineRequest> target_of(const trace::Profile& profile, const Table& table, std::size_t row) {
  const auto rank = rank_of(profile, table, row);
  const auto name = name_of(profile, table, row);
  const auto at = time_of(profile, table, row);
  const bool has_rank = rank && table.find_role(ColumnRole::rank);
  for (const ColumnRole role : kNames)
    if (const auto cell = cell_of(table, row, role); rank && cell && cell->reference())
      return trace::SliceRef{*rank, *cell->reference()};
  if (at) {
    Interval range{*at, *at};
    if (const auto duration = cell_of(table, row, ColumnRole::duration))
      range.end = saturating_add(*at, duration->integer());
    else if (const auto end = cell_of(table, row, ColumnRole::end))
      range.end = saturating_add(profile.span.begin, end->integer());
    if (range.length() > 0) {
      if (!has_rank) return range;
      return RankRequest{*rank, streams_of(*profile.ranks[*rank], table, row), range, {}, true};
    }
  }
  if (has_rank && !at)
    if (const auto step = step_of(profile, *profile.ranks[*rank], table, row))
      return RankRequest{*rank, streams_of(*profile.ranks[*rank], table, row), *step, {}, true};
  if (name) {
    std::string filter = filter_for_name(*name);
    if (has_rank && profile.ranks.size() > 1) filter += " rank:" + std::to_string(profile.ranks[*rank]->number);
    return filter;
  }
  if (has_rank) return RankRequest{*rank, streams_of(*profile.ranks[*rank], table, row), {}, at};
  return std::nullopt;
}

std::optional<analysis::CallQuery> calls_of_row(const trace::Profile& profile, const Table& table, std::size_t row) {
  if (cell_of(table, row, ColumnRole::step)) return std::nullopt;  // a step is one slice
  analysis::CallQuery query;
  if (table.find_role(ColumnRole::rank))
    if (const auto rank = rank_of(profile, table, row)) query.scope.ranks.assign(1, *rank);
  const auto text = std::ranges::find(table.columns(), ColumnKind::text, &Column::kind);
  if (text == table.columns().end()) return std::nullopt;
  const auto column = static_cast<std::size_t>(text - table.columns().begin());
  const Cell cell = table.at(row, column);
  query.name = cell.text();
  query.of = text->role;
  query.value = cell.reference().value_or(0);
  switch (query.of) {
    case ColumnRole::precision:
    case ColumnRole::memory_operation:
      return query;
    case ColumnRole::activity:
      return query.is(analysis::GpuActivity::idle) ? std::nullopt : std::optional(query);
    case ColumnRole::state:  // of GPUs; threads are busy, and samples have no slices
      return query.is(analysis::WorkState::active) && !table.find_role(ColumnRole::samples) ? std::optional(query)
                                                                                            : std::nullopt;
    case ColumnRole::kernel:
      if (query.name != analysis::kOthers) break;
      for (std::size_t r = 0; r < table.rows(); ++r) query.listed.emplace_back(table.at(r, column).text());
      return query;
    default:
      break;
  }
  const auto name = name_of(profile, table, row);
  if (!name) return std::nullopt;
  query.name = *name;
  query.of = ColumnRole::name;
  query.value = 0;
  query.on_device = cell_of(table, row, ColumnRole::kernel).has_value();
  return query;
}

void follow_row(AppContext& app, const AnalysisAnswer& answer, std::size_t table, std::size_t row,
                std::optional<Interval> range) {
  const auto& profile = app.session.profile();
  if (!profile || answer.generation != app.session.generation()) return;
  auto target = target_of(*profile, (*answer.tables)[table], row);
  if (!target) {
    app.messages.info("This row does not have a single location in the Timeline", app.now);
    return;
  }
  if (auto* rank = std::get_if<RankRequest>(&*target)) {
    if (!rank->range) rank->range = range;
    app.messages.info(words_of(*profile, *rank), app.now);
  }
  show_in_timeline_page(app, std::move(*target));
}

}  // namespace warpscope::ui
