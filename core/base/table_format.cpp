#include "core/base/table_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/base/byte_rate.hpp"
#include "core/base/format.hpp"

namespace warpscope {

namespace {

struct Scale {
  std::int64_t divisor;
  const char* unit;
};

constexpr std::array kTimeScales{Scale{1, "ns"}, Scale{1'000, "µs"}, Scale{1'000'000, "ms"}, Scale{1'000'000'000, "s"}};
constexpr std::array kByteScales{Scale{1, "B"},         Scale{1 << 10, "KiB"},   Scale{1 << 20, "MiB"},
                                 Scale{1 << 30, "GiB"}, Scale{1LL << 40, "TiB"}, Scale{1LL << 50, "PiB"}};

// Returns the absolute values of a column, except zero, missing and infinite values.
std::vector<double> magnitudes(const Table& table, std::size_t column) {
  std::vector<double> values;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double value = std::fabs(table.at(row, column).number());
    if (value > 0 && std::isfinite(value)) values.push_back(value);
  }
  return values;
}

bool is_rate(const Column& column) { return column.kind == ColumnKind::bytes && column.unit.ends_with("/s"); }

// Returns the largest rate in the table. All rates share a unit because users compare them within a row.
double greatest_rate(const Table& table) {
  double greatest = 0;
  for (std::size_t column = 0; column < table.columns().size(); ++column)
    if (is_rate(table.columns()[column]))
      for (const double value : magnitudes(table, column)) greatest = std::max(greatest, value);
  return greatest;
}

// Returns the absolute values of all durations that users compare with those of this column.
std::vector<double> compared_magnitudes(const Table& table, std::size_t column) {
  const int group = table.columns()[column].compared;
  std::vector<double> values = magnitudes(table, column);
  if (group == 0) return values;
  for (std::size_t other = 0; other < table.columns().size(); ++other) {
    if (other == column || table.columns()[other].compared != group) continue;
    const std::vector<double> more = magnitudes(table, other);
    values.insert(values.end(), more.begin(), more.end());
  }
  return values;
}

Scale choose_scale(std::span<const Scale> scales, std::vector<double>& values) {
  if (values.empty()) return scales.front();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  const double median = *middle;
  const double largest = *std::max_element(values.begin(), values.end());
  Scale chosen = scales.front();
  for (const Scale& scale : scales) {
    const auto divisor = static_cast<double>(scale.divisor);
    if (largest >= divisor && median >= 0.1 * divisor) chosen = scale;
  }
  return chosen;
}

void set_scale(ColumnFormat& format, Scale scale) {
  format.divisor_exact = scale.divisor;
  format.divisor = static_cast<double>(scale.divisor);
  format.unit = scale.unit;
}

// Chooses four significant digits for the largest value, and at least one decimal.
void set_real_decimals(ColumnFormat& format, const std::vector<double>& values) {
  const double largest = values.empty() ? 1 : *std::max_element(values.begin(), values.end());
  format.scientific = largest < 1e-4 || largest >= 1e15;
  const int before_point = std::max(0, static_cast<int>(std::floor(std::log10(largest))) + 1);
  format.decimals = format.scientific ? 3 : std::clamp(4 - before_point, 1, 4);
  if (largest < 0.1 && !format.scientific) format.decimals = 6;
}

std::string with_thin_spaces(std::string plain) {
  const std::size_t first = plain.starts_with('-') ? 1 : 0;
  std::size_t at = std::min(plain.find('.'), plain.size());
  while (at > first + 3) {
    at -= 3;
    plain.insert(at, kThinSpace);
  }
  return plain;
}

/// Removes the sign of a value rounded to zero.
std::string without_sign_of_zero(std::string out) {
  if (out.starts_with('-') && out.find_first_of("123456789") == std::string::npos) out.erase(0, 1);
  return out;
}

bool is_power_of_ten(std::int64_t value) {
  while (value % 10 == 0) value /= 10;
  return value == 1;
}

// Scales integers by powers of ten with integer rounding: exact at any size.
std::string scaled_integer(std::int64_t value, std::int64_t divisor, int decimals) {
  std::int64_t quantum = divisor;
  for (int i = 0; i < decimals; ++i) quantum /= 10;
  const std::int64_t rest = value % quantum;
  std::int64_t quotient = value / quantum;
  if (std::abs(rest) >= quantum - std::abs(rest)) quotient += value < 0 ? -1 : 1;
  return format_decimal(quotient, decimals);
}

}  // namespace

ColumnFormat choose_format(const Table& table, std::size_t column) {
  const Column& described = table.columns()[column];
  ColumnFormat format;
  format.kind = described.kind;
  format.unit = described.unit;
  switch (described.kind) {
    case ColumnKind::text:
    case ColumnKind::integer:
    case ColumnKind::identifier:
      break;
    case ColumnKind::real:
      set_real_decimals(format, magnitudes(table, column));
      break;
    case ColumnKind::duration: {
      std::vector<double> values = compared_magnitudes(table, column);
      set_scale(format, choose_scale(kTimeScales, values));
      format.decimals = format.divisor_exact == 1 ? 0 : 3;
      break;
    }
    case ColumnKind::time: {
      std::vector<double> values = magnitudes(table, column);
      const double largest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
      std::vector<double> only_largest(values.empty() ? 0 : 1, largest);
      set_scale(format, choose_scale(kTimeScales, only_largest));
      format.decimals = format.divisor_exact == 1 ? 0 : format.divisor_exact == 1'000'000'000 ? 6 : 3;
      break;
    }
    case ColumnKind::bytes: {
      if (is_rate(described)) {
        const RateUnit unit = rate_unit(greatest_rate(table));
        set_scale(format, {unit.size, unit.name});
        format.decimals = unit.size == 1 ? 0 : 3;
        break;
      }
      std::vector<double> values = magnitudes(table, column);
      set_scale(format, choose_scale(kByteScales, values));
      format.decimals = format.divisor_exact == 1 ? 0 : 2;
      break;
    }
    case ColumnKind::share:
      format.unit = "%";
      format.divisor = 0.01;
      format.decimals = 1;
      break;
  }
  return format;
}

std::string header_text(const Column& column, std::string_view unit) {
  return unit.empty() ? column.shown() : column.shown() + " (" + std::string(unit) + ")";
}

std::string format_cell(const ColumnFormat& format, const Cell& cell) {
  if (cell.missing()) return std::string(format.kind == ColumnKind::text ? "" : kNoFigure);
  if (cell.type() == Cell::Type::text) return std::string(cell.text());
  if (cell.type() == Cell::Type::integer) {
    switch (format.kind) {
      case ColumnKind::text:
      case ColumnKind::identifier:
        return std::to_string(cell.integer());
      case ColumnKind::integer:
        return format_count(cell.integer());
      case ColumnKind::duration:
      case ColumnKind::time:
        if (is_power_of_ten(format.divisor_exact))
          return scaled_integer(cell.integer(), format.divisor_exact, format.decimals);
        break;
      default:
        break;
    }
  }
  const double shown = cell.number() / format.divisor;
  if (!std::isfinite(shown)) return shown > 0 ? "∞" : "-∞";
  if (format.scientific) return without_sign_of_zero(fmt::format("{:.{}e}", shown, format.decimals));
  // A mean in a column of whole ns or bytes shows one decimal.
  const bool fraction = format.decimals == 0 && shown != std::floor(shown);
  return with_thin_spaces(without_sign_of_zero(fmt::format("{:.{}f}", shown, fraction ? 1 : format.decimals)));
}

}  // namespace warpscope
