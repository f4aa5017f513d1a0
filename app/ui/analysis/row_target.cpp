#include "app/ui/analysis/row_target.hpp"

#include <algorithm>
#include <array>

#include "app/ui/timeline/canvas_menu.hpp"

namespace warpscope::ui {
namespace {

std::optional<Cell> cell_of(const Table& table, std::size_t row, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (const auto column = table.find_column(name))
      if (const Cell cell = table.at(row, *column); !cell.missing()) return cell;
  return std::nullopt;
}

std::optional<std::uint32_t> rank_of(const trace::Profile& profile, const Table& table, std::size_t row) {
  const auto number = cell_of(table, row, {"rank"});
  if (!number) return profile.ranks.size() == 1 ? std::optional(0u) : std::nullopt;
  for (std::uint32_t r = 0; r < profile.ranks.size(); ++r)
    if (profile.ranks[r]->number == number->integer()) return r;
  return std::nullopt;
}

std::optional<trace::SliceRef> slice_at(const trace::Profile& profile, std::uint32_t r, Ns begin,
                                        std::string_view name) {
  const trace::Rank& rank = *profile.ranks[r];
  std::optional<trace::SliceRef> found;
  for (std::uint32_t l = 0; l < rank.lanes.size() && !found; ++l) {
    const trace::Lane& lane = rank.lanes[l];
    lane.for_each_overlapping(begin, saturating_add(begin, 1), [&](std::uint32_t i) {
      if (!found && lane.time().begin(i) == begin && profile.names().view(lane.name(i)) == name)
        found = trace::SliceRef{r, rank.ordinal({l, i})};
    });
  }
  return found;
}

}  // namespace

RowTarget target_of(const trace::Profile& profile, const Table& table, std::size_t row) {
  RowTarget target;
  const auto rank = rank_of(profile, table, row);
  const auto name = cell_of(table, row, {"name", "kernel", "step", "operator"});
  if (const auto begin = cell_of(table, row, {"begin", "time", "bin begin"});
      begin && begin->type() == Cell::Type::integer && table.find_column("bin begin") == std::nullopt) {
    const Ns at = saturating_add(profile.span.begin, begin->integer());
    if (rank && name && name->type() == Cell::Type::text) target.slice = slice_at(profile, *rank, at, name->text());
    if (target.slice) return target;
    if (const auto duration = cell_of(table, row, {"duration"}))
      target.range = Interval{at, saturating_add(at, duration->integer())};
    else if (const auto end = cell_of(table, row, {"end"}))
      target.range = Interval{at, saturating_add(profile.span.begin, end->integer())};
    if (target.range && target.range->length() > 0) return target;
    target.range.reset();
  }
  if (name && name->type() == Cell::Type::text && !name->text().empty()) {
    target.filter = filter_for_name(name->text());
    if (rank && profile.ranks.size() > 1 && table.find_column("rank"))
      target.filter += " rank:" + std::to_string(profile.ranks[*rank]->number);
  }
  return target;
}

}  // namespace warpscope::ui
