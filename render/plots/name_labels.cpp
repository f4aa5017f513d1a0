#include "render/plots/name_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "core/analysis/diff/slowdown.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::plots {
namespace {

/// Roles of columns with kernels, sequences of kernels and operators, or names of any slices.
constexpr std::array kKernelColumns{ColumnRole::kernel, ColumnRole::kernel_names, ColumnRole::name,
                                    ColumnRole::sequence};

/// Splits a sequence, joined by analyses with "|" or " -> ", into names. The arrow in "Memcpy HtoD (Pinned -> Device)"
/// is part of the name.
std::vector<std::string_view> sequence_of(std::string_view name) {
  constexpr std::string_view kArrow = " -> ";
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool arrow = name.substr(i).starts_with(kArrow);
    if (name[i] != '|' && !arrow) continue;
    const std::string_view part = name.substr(begin, i - begin);
    if (arrow && part.starts_with("Mem") && part.find('(') != std::string_view::npos &&
        part.find(')') == std::string_view::npos)
      continue;
    parts.push_back(part);
    begin = i + (arrow ? kArrow.size() : 1);
    i = begin - 1;
  }
  parts.push_back(name.substr(begin));
  return parts;
}

}  // namespace

bool holds_kernels(const Table& table, std::size_t column) {
  const Column& of = table.columns()[column];
  return of.kind == ColumnKind::text && std::ranges::find(kKernelColumns, of.role) != kKernelColumns.end();
}

NameLabels::NameLabels(std::span<const std::string_view> texts) { add(texts); }

NameLabels::NameLabels(const Table& table, std::size_t column, std::size_t most, std::size_t rows) {
  std::set<std::string_view> texts;
  for (std::size_t row = 0; row < std::min(rows, table.rows()) && texts.size() < most; ++row)
    texts.insert(table.at(row, column).text());
  add(std::vector<std::string_view>(texts.begin(), texts.end()));
}

void NameLabels::add(std::span<const std::string_view> texts) {
  std::set<std::string_view> names;
  for (const std::string_view text : texts)
    for (const std::string_view name : sequence_of(text)) names.insert(name);
  const std::vector<std::string_view> all(names.begin(), names.end());
  std::vector<std::string> labels = trace::kernel_labels(all);
  for (std::size_t n = 0; n < all.size(); ++n)
    if (labels[n] != all[n]) by_name_.emplace(all[n], std::move(labels[n]));
}

Table with_labels(const Table& table) {
  Table labeled(table.id, table.title, table.columns());
  labeled.note = table.note;
  std::vector<std::optional<NameLabels>> labels(table.columns().size());
  for (std::size_t c = 0; c < labels.size(); ++c)
    if (holds_kernels(table, c)) labels[c].emplace(table, c);
  const auto kind = table.find_role(ColumnRole::kind);
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const bool kernel =
        !kind || table.at(r, *kind).reference() == static_cast<std::uint32_t>(analysis::Slowdown::Kind::kernel);
    std::vector<std::string> texts(labels.size());
    std::vector<Cell> cells;
    for (std::size_t c = 0; c < labels.size(); ++c) {
      const Cell cell = table.at(r, c);
      if (kernel && labels[c] && cell.type() == Cell::Type::text) texts[c] = labels[c]->of(cell.text());
      cells.push_back(texts[c].empty() ? cell : Cell(texts[c]));
    }
    labeled.add_row(cells);
  }
  return labeled;
}

std::string NameLabels::of(std::string_view text) const {
  const std::vector<std::string_view> names = sequence_of(text);
  std::string label;
  for (std::size_t i = 0; i < names.size();) {
    std::size_t times = 1;
    while (i + times < names.size() && names[i + times] == names[i]) ++times;
    const auto known = by_name_.find(names[i]);
    label += (i > 0 ? " → " : "") + (known != by_name_.end() ? known->second : trace::kernel_label(names[i]));
    if (times > 1) label += fmt::format(" ×{}", times);
    i += times;
  }
  return label;
}

}  // namespace warpscope::plots
