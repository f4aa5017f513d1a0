#pragma once
// How the figures of a table look to people: aligned right, one unit for a whole column and that in the header. Table
// views and the text and markdown writers share it, so that a page and the command line show the same.
//
// The unit of a column follows from its figures: the largest one (ns, µs, ms, s; B, KiB, …) in which more than half
// of those that are not zero are 0.1 or more, so that a few long slices do not turn all others into 0.000.
#include <cstdint>
#include <string>

#include "core/base/table.hpp"

namespace warpscope {

enum class Grouping : std::uint8_t { thin_spaces, commas, none };       ///< of the digits of large figures
enum class TimeUnit : std::uint8_t { automatic, ns, us, ms, seconds };  ///< of durations and times in tables

/// What people like to differ in.
struct FigureStyle {
  Grouping grouping = Grouping::thin_spaces;
  TimeUnit time = TimeUnit::automatic;

  friend bool operator==(const FigureStyle&, const FigureStyle&) = default;
};

struct ColumnFormat {
  ColumnKind kind = ColumnKind::text;
  std::string unit;                ///< for the header; "" if none
  double divisor = 1;              ///< exact figure / divisor = figure shown
  std::int64_t divisor_exact = 1;  ///< the same as an integer
  int decimals = 0;
  bool scientific = false;  ///< figures too small to be shown with decimals
  Grouping grouping = Grouping::thin_spaces;
};

/// O(rows).
[[nodiscard]] ColumnFormat choose_format(const Table& table, std::size_t column, const FigureStyle& style = {});

/// `figure`, as this file and format.hpp write it, with its digits grouped as wanted.
[[nodiscard]] std::string grouped(std::string figure, Grouping grouping);

/// "name (unit)", or "name" if there is no unit.
[[nodiscard]] std::string header_text(const Column& column, std::string_view unit);

/// The cell as shown: without unit, not padded; kNoFigure if missing. Text comes back as it is (not made printable).
[[nodiscard]] std::string format_cell(const ColumnFormat& format, const Cell& cell);

}  // namespace warpscope
