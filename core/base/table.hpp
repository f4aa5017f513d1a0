#pragma once
// What every analysis returns, and the only thing that the table views, the charts and the CSV, JSON, markdown and text
// writers take. A table holds exact figures in base units (ns, bytes, fractions of one); how they look is decided where
// they are shown (core/base/table_format.hpp).
//
// Rows are added one by one, at 9 bytes a cell. Of a large table every few thousand are then packed column by column
// (core/base/packed_cells.hpp), so that a table of all launches of a job stays small beside the job. All text of a
// table is in one string, in which one that comes again soon stands once; a cell holds its number. So a table grows
// without being copied, and is copied without pointers to mend. A view that shows another order holds a permutation
// (sorted_order) and leaves the table alone.
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/packed_cells.hpp"

namespace warpscope {

/// What the figures of a column are.
enum class ColumnKind : std::uint8_t {
  text,
  integer,     ///< a count: shown with thin spaces
  identifier,  ///< a rank, a stream, an index: an integer that is no quantity; never summed, grouped or scaled
  real,        ///< in the column's unit
  duration,    ///< ns; integer, or real for means
  time,        ///< ns since the profile's begin: a place to jump to
  bytes,       ///< integer, or real for means and rates per second
  share,       ///< fraction of one; shown in percent
};

[[nodiscard]] std::string_view to_string(ColumnKind kind);
/// True for all but text.
[[nodiscard]] constexpr bool is_figure(ColumnKind kind) { return kind != ColumnKind::text; }

/// What a column is about. Charts and links to the timeline find columns by role, never by name, so that a column can
/// be renamed without changing what they show. A table has at most one column of most roles.
enum class ColumnRole : std::uint8_t {
  none,
  // where a row is
  node,
  rank,
  gpu,
  device,
  stream,
  // when it is
  start,
  end,
  duration,
  // names
  name,              ///< of slices of any kind, or of what else the row is about
  kernel,            ///< likewise, of GPU activity or its launches
  annotation,        ///< likewise, of annotations
  step,              ///< likewise, of steps
  op,                ///< likewise, of operators
  sequence,          ///< of a call and what it launched, joined with "|"
  kernel_names,      ///< of GPU activity related to the row
  annotation_group,  ///< annotations or families of annotations that the row is counted under
  // what kind of thing it is
  kind,
  state,
  activity,
  memory_operation,
  precision,
  kernel_class,
  bound,       ///< what bounds a critical path
  wait_cause,  ///< why a stream was idle
  remark,      ///< a note about the row, which does not identify it
  // figures
  count,
  share,
  total,
  mean,
  median,
  p95,
  p99,
  max,
  min,
  stddev,
  bin_start,  ///< of a histogram
  bin_end,
  // parts of a whole, which charts stack
  compute,
  non_compute,
  hidden_communication,
  exposed_communication,
  memory,
  active,
  idle,
  host_wait,
  stream_wait,
  kernel_wait,
  no_launch_record,
  unknown,
  other,
  part,  ///< one of several, told apart by their names
};

/// The kind that columns of a role usually have.
[[nodiscard]] ColumnKind kind_of(ColumnRole role);

struct Column {
  Column() = default;
  Column(std::string column_name, std::string exact_unit, ColumnKind column_kind, ColumnRole column_role,
         std::string name_in_csv = {}, std::int64_t divisor = 1, std::int64_t zero = 0, int group = 0)
      : name(std::move(column_name)),
        unit(std::move(exact_unit)),
        kind(column_kind),
        role(column_role),
        csv_name(std::move(name_in_csv)),
        csv_divisor(divisor),
        csv_zero(zero),
        compared(group) {}
  Column(std::string column_name, std::string exact_unit, ColumnKind column_kind, std::string name_in_csv = {},
         std::int64_t divisor = 1, std::int64_t zero = 0, int group = 0)
      : Column(std::move(column_name), std::move(exact_unit), column_kind, ColumnRole::none, std::move(name_in_csv),
               divisor, zero, group) {}
  /// Of the role's usual kind.
  Column(std::string column_name, std::string exact_unit, ColumnRole column_role, std::string name_in_csv = {},
         std::int64_t divisor = 1, std::int64_t zero = 0, int group = 0)
      : Column(std::move(column_name), std::move(exact_unit), kind_of(column_role), column_role, std::move(name_in_csv),
               divisor, zero, group) {}

  std::string name;  ///< unique within its table; part of the CSV and JSON output, so as stable as they
  std::string unit;  ///< of the exact figures; may be left empty where the kind implies it ("ns", "B")
  ColumnKind kind = ColumnKind::text;
  ColumnRole role = ColumnRole::none;
  /// The name in CSV where others' scripts expect theirs ("idle_time(us)"); empty: made from name and unit.
  std::string csv_name{};
  std::int64_t csv_divisor = 1;  ///< of figures in CSV, with csv_name: 1000 writes ns as µs
  std::int64_t csv_zero = 0;     ///< likewise: the integer that is written as 0
  /// Durations with the same one, not 0, are compared along a row: they are shown in one unit.
  int compared = 0;
};

/// Unit of a column's exact figures: its own, else what its kind implies ("ns" for durations and times, "B" for bytes).
[[nodiscard]] std::string_view exact_unit(const Column& column);

/// One value: missing, text, integer or real. Does not own its text.
class Cell {
 public:
  using Type = CellType;

  constexpr Cell() = default;
  constexpr Cell(std::string_view text) : type_(Type::text), text_(text) {}
  Cell(const std::string& text) : Cell(std::string_view(text)) {}
  constexpr Cell(const char* text) : Cell(std::string_view(text)) {}
  /// Values beyond the range of int64 are clamped to it.
  template <std::integral T>
  requires(!std::same_as<T, bool>) constexpr Cell(T value) : type_(Type::integer) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    if constexpr (std::unsigned_integral<T> && sizeof(T) == sizeof(kMost)) {
      integer_ = value > static_cast<std::uint64_t>(kMost) ? kMost : static_cast<std::int64_t>(value);
    } else {
      integer_ = value;
    }
  }
  constexpr Cell(double value) : type_(Type::real), real_(value) {}
  template <class T>
  constexpr Cell(const std::optional<T>& value) {
    if (value) *this = Cell(*value);
  }

  [[nodiscard]] constexpr Type type() const { return type_; }
  /// True too for a real that is not a number.
  [[nodiscard]] constexpr bool missing() const {
    return type_ == Type::missing || (type_ == Type::real && real_ != real_);
  }
  /// The text; "" if the cell holds none.
  [[nodiscard]] constexpr std::string_view text() const { return text_; }
  /// The integer; 0 if the cell holds none.
  [[nodiscard]] constexpr std::int64_t integer() const { return integer_; }
  /// The figure, integers rounded to double; NaN if the cell holds none.
  [[nodiscard]] constexpr double number() const {
    if (type_ == Type::integer) return static_cast<double>(integer_);
    return type_ == Type::real ? real_ : std::numeric_limits<double>::quiet_NaN();
  }

  friend bool operator==(const Cell& a, const Cell& b);

 private:
  Type type_ = Type::missing;
  std::string_view text_;
  std::int64_t integer_ = 0;
  double real_ = 0;
};

class Table {
 public:
  std::string id;     ///< kebab-case, unique within its analysis: "kernel-breakdown"
  std::string title;  ///< sentence case
  std::string note;   ///< what the reader must know, or why there are no rows; may be empty
  /// Which columns come first in CSV, where others' scripts expect them, by their names there: "rank,ts,tid=stream".
  /// One that is not in the table is passed over; "tid=stream" is the column stream once more, as tid.
  std::string csv_first{};

  Table() = default;
  Table(std::string table_id, std::string table_title, std::vector<Column> columns)
      : id(std::move(table_id)), title(std::move(table_title)), columns_(std::move(columns)) {}

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// Index of the column of that name.
  [[nodiscard]] std::optional<std::size_t> find_column(std::string_view name) const;
  /// Index of the first column of that role.
  [[nodiscard]] std::optional<std::size_t> find_role(ColumnRole role) const;

  /// Appends a row; text is copied. Cells that are left out are missing; more than there are columns is a caller's bug.
  void add_row(std::span<const Cell> cells);
  void add_row(std::initializer_list<Cell> cells) { add_row(std::span<const Cell>(cells.begin(), cells.size())); }
  void reserve(std::size_t rows) { packed_.reserve(rows / kBlockRows); }

  /// The cell; its text lives until the table is changed. O(1).
  [[nodiscard]] Cell at(std::size_t row, std::size_t column) const;

  /// Of cells and text.
  [[nodiscard]] std::size_t resident_bytes() const;

  /// Puts rows in the order given: the new row i is the old row order[i]. `order` may leave rows out.
  void reorder(std::span<const std::uint32_t> order);

 private:
  /// A cell as it is stored: an integer, a double's bits, or the number of its text.
  struct Stored {
    std::uint64_t payload = 0;
    CellType type = CellType::missing;
  };

  static constexpr std::size_t kBlockRows = 4096;
  static constexpr std::size_t kRememberFrom = 128;  // rows: smaller tables are not worth it
  static constexpr std::size_t kRecentTexts = 4096;
  static constexpr std::size_t kRecentPlaces = 4;  // where a text may be, so that names seldom drive each other out
  static constexpr std::uint64_t kNoText = ~std::uint64_t{0};

  void begin_row();
  void add(Stored cell) {
    payloads_.push_back(cell.payload);
    types_.push_back(cell.type);
  }
  [[nodiscard]] Stored stored(std::size_t row, std::size_t column) const;
  [[nodiscard]] std::uint64_t store(std::string_view text);
  [[nodiscard]] std::string_view text_at(std::uint64_t number) const;

  std::vector<Column> columns_;
  std::vector<PackedCells> packed_;      ///< of kBlockRows rows each
  std::vector<std::uint64_t> payloads_;  ///< of the rows after those
  std::vector<CellType> types_;          ///< likewise
  std::string text_;
  std::vector<std::uint64_t> text_ends_;  ///< by number of a text, in text_
  std::vector<std::uint64_t> recent_;  ///< by hash, of a table with many rows: numbers of texts that were stored last
  std::size_t rows_ = 0;
};

enum class SortOrder : std::uint8_t { ascending, descending };

/// Rows in the order of one column: stable, missing cells last whichever the order. Numbers by value (integers
/// exactly), before texts; texts as people count, "rank 9" before "rank 10". O(n log n).
[[nodiscard]] std::vector<std::uint32_t> sorted_order(const Table& table, std::size_t column, SortOrder order);
void sort_rows(Table& table, std::size_t column, SortOrder order);

}  // namespace warpscope
