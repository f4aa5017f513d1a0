#include "app/ui/analysis/path_target.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/critical_path/path_choice.hpp"

namespace warpscope::ui {
namespace {

std::optional<std::int64_t> integer_at(const Table& table, std::size_t row, ColumnRole role) {
  const auto found = table.find_role(role);
  if (!found) return std::nullopt;
  const Cell cell = table.at(row, *found);
  return cell.type() == Cell::Type::integer ? std::optional(cell.integer()) : std::nullopt;
}

std::string what_if_words(const std::string& scale, const std::string& without) {
  if (without.empty()) return scale;
  return fmt::format("{}{}without {}", scale, scale.empty() ? "" : ", ", without);
}

}  // namespace

std::optional<PathRequest> path_of_row(const trace::Profile& profile, const std::vector<Table>& tables,
                                       const Table& table, std::size_t row,
                                       std::span<const analysis::Setting> settings) {
  const analysis::Analysis* critical_path = analysis::find_analysis("critical_path");
  const auto lengths = std::ranges::find(tables, "critical-path-length", &Table::id);
  const auto number = integer_at(table, row, ColumnRole::rank);
  if (critical_path == nullptr || lengths == tables.end() || !number) return std::nullopt;
  const auto rank = std::ranges::find_if(profile.ranks, [&](const auto& each) { return each->number == *number; });
  std::size_t found = 0;
  while (found < lengths->rows() && integer_at(*lengths, found, ColumnRole::rank) != number) ++found;
  if (rank == profile.ranks.end() || found == lengths->rows()) return std::nullopt;
  const auto values = analysis::ParameterValues::parse(critical_path->parameters, settings);
  if (!values) return std::nullopt;
  const auto what_if = analysis::parse_what_if(values->text("scale"), values->text("without"));
  if (!what_if) return std::nullopt;

  PathRequest request;
  request.rank = static_cast<std::uint32_t>(rank - profile.ranks.begin());
  request.window.begin = saturating_add(profile.span.begin, integer_at(*lengths, found, ColumnRole::start).value_or(0));
  request.window.end =
      saturating_add(request.window.begin, integer_at(*lengths, found, ColumnRole::duration).value_or(0));
  const auto window = lengths->find_role(ColumnRole::window);
  std::string_view of = window ? lengths->at(found, *window).text() : std::string_view();
  if (of == analysis::kRangeWindow) of = "the range";
  if (of == analysis::kWholeWindow) of = "everything";
  request.of = fmt::format("{} of rank {}", of, *number);
  request.choice.events = {analysis::KernelClasses::choice(*values), values->text("data_load_events")};
  request.choice.what_if = *what_if;
  request.what_if = what_if_words(values->text("scale"), values->text("without"));
  if (const auto edge = integer_at(table, row, ColumnRole::edge)) request.edge = static_cast<std::uint32_t>(*edge);
  return request;
}

}  // namespace warpscope::ui
