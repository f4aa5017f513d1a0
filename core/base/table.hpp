#pragma once
// Tables: the result of every analysis, and the only input to the table views, the charts, and the CSV, JSON, Markdown
// and text writers. A table holds exact values in base units (ns, bytes, fractions of one), which are formatted on
// output (core/base/table_format.hpp).
//
// Appended rows use 9 bytes per cell. Large tables pack every few thousand rows column by column
// (core/base/packed_cells.hpp), so a table of all launches in a job stays small compared with the job's traces. A table
// stores all text in one buffer, and each text cell holds a string index; recently repeated strings are shared. Growing
// a table does not copy its text, and copying a table requires no pointer fixups. Sorted views use a permutation
// (sorted_order) and leave the table unchanged.
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/packed_cells.hpp"

namespace warpscope {

/// Kind of a column's values.
enum class ColumnKind : std::uint8_t {
  text,
  integer,     ///< a count, shown with thin spaces
  identifier,  ///< a rank, stream or index: not a quantity, so never summed, grouped or scaled
  real,        ///< in the column's unit
  duration,    ///< ns; integer, or real for means
  time,        ///< ns since the start of the profile, linked to the timeline
  bytes,       ///< integer, or real for means and rates per second
  share,       ///< fraction of one, shown in percent
};

[[nodiscard]] std::string_view to_string(ColumnKind kind);
/// True for all kinds except text.
[[nodiscard]] constexpr bool is_figure(ColumnKind kind) { return kind != ColumnKind::text; }

/// Meaning of a column. Charts and links to the timeline find columns by role, never by name, so columns can be
/// renamed. Most roles occur at most once in a table.
enum class ColumnRole : std::uint8_t {
  none,
  // location of a row
  node,
  rank,
  gpu,
  device,
  stream,
  // time of a row
  start,
  end,
  duration,
  // names
  name,              ///< of a slice of any kind, or of whatever else the row is about
  kernel,            ///< name of GPU activity or of its launches
  annotation,        ///< name of an annotation
  step,              ///< name of a step
  op,                ///< name of an operator
  module,            ///< name of an nn.Module
  dims,              ///< problem size: dimensions of the operands
  sequence,          ///< names of a call and of its kernels, joined with "|"
  kernel_names,      ///< names of GPU activity related to the row
  annotation_group,  ///< annotations or families that the row is counted under
  window,            ///< name of the row's step, annotation or range
  model,             ///< of a device
  file,              ///< path of a file, as displayed
  code,              ///< of a diagnostic
  answer,            ///< a sentence
  // kinds and classes
  kind,
  state,
  activity,
  memory_operation,
  precision,
  kernel_class,
  bound,       ///< bottleneck of a critical path
  path_part,   ///< kind of a segment of the job's critical path
  wait_cause,  ///< why a stream was idle
  side,        ///< cpu or gpu
  remark,      ///< a note; does not identify the row
  // numbers
  edge,  ///< number of an edge on a critical path
  count,
  samples,      ///< number of samples
  other_names,  ///< number of names summed in the row "others"
  collectives,
  last_to_arrive,  ///< number of collectives the rank entered last
  share,
  share_of_gpu_time,
  utilization,
  bytes,
  total,
  union_time,  ///< like total, but overlapping time counts once
  wait_caused,
  delay_caused,
  mean,
  median,
  p95,
  p99,
  max,
  min,
  stddev,
  bin_start,  ///< of a histogram bin
  bin_end,
  flop_rate,  ///< TFLOP/s
  byte_rate,  ///< TB/s
  intensity,  ///< FLOP per byte
  self_cpu,   ///< host time, excluding nested events
  cpu_total,
  self_device,  ///< device time, excluding activity launched by nested events
  device_total,
  depth,       ///< in a tree with rows in depth-first order
  parent_row,  ///< index of the parent row in the tree
  waiting,     ///< time that ranks wait for others
  transfer,    ///< time spent transferring data
  // parts of a whole, which charts stack
  compute,
  non_compute,
  hidden_communication,
  exposed_communication,
  memory,
  active,
  idle,
  idle_part,  ///< idle time with one cause; Column::reference is the cause
  other,
  // values whose names depend on the data
  part,     ///< of a whole
  counter,  ///< of a kernel
};

/// Returns the usual name of columns with this role: "exposed communication".
[[nodiscard]] std::string_view to_string(ColumnRole role);
/// Returns the default kind of columns with this role.
[[nodiscard]] ColumnKind kind_of(ColumnRole role);

struct Column {
  Column() = default;
  /// A column named after its role, of the role's default kind.
  Column(ColumnRole column_role) : Column(std::string(to_string(column_role)), column_role) {}
  Column(std::string column_name, ColumnRole column_role)
      : Column(std::move(column_name), {}, kind_of(column_role), column_role) {}
  Column(std::string column_name, ColumnKind column_kind, ColumnRole column_role = ColumnRole::none)
      : Column(std::move(column_name), {}, column_kind, column_role) {}
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
  /// Creates a column with the role's default kind.
  Column(std::string column_name, std::string exact_unit, ColumnRole column_role, std::string name_in_csv = {},
         std::int64_t divisor = 1, std::int64_t zero = 0, int group = 0)
      : Column(std::move(column_name), std::move(exact_unit), kind_of(column_role), column_role, std::move(name_in_csv),
               divisor, zero, group) {}

  /// Set a member and return the column.
  [[nodiscard]] Column csv(std::string text, std::int64_t divisor = 1, std::int64_t zero = 0) && {
    csv_name = std::move(text);
    csv_divisor = divisor;
    csv_zero = zero;
    return std::move(*this);
  }
  template <class Enum>
  [[nodiscard]] Column refers(Enum value) && {
    reference = static_cast<std::uint32_t>(value);
    return std::move(*this);
  }
  [[nodiscard]] Column alike(int group = 1) && {
    compared = group;
    return std::move(*this);
  }
  /// Returns a copy with a different display name.
  [[nodiscard]] Column labeled(std::string text) && {
    label = std::move(text);
    return std::move(*this);
  }
  /// Name shown to users.
  [[nodiscard]] const std::string& shown() const { return label.empty() ? name : label; }

  std::string name;     ///< unique within its table; a stable part of the CSV and JSON output
  std::string label{};  ///< shown instead of the name; "": the name
  std::string unit;     ///< of the exact values; may be empty if the kind implies it ("ns", "B")
  ColumnKind kind = ColumnKind::text;
  ColumnRole role = ColumnRole::none;
  /// Name in CSV, for compatibility with existing scripts ("idle_time(us)"); if empty, it is derived from name and
  /// unit.
  std::string csv_name{};
  std::int64_t csv_divisor = 1;  ///< divisor of values in CSV, used with csv_name: 1000 writes ns as µs
  std::int64_t csv_zero = 0;     ///< the integer written as 0 in CSV, used with csv_name
  /// Distinguishes columns of one role, such as idle_part: an enumerator.
  std::uint32_t reference = 0;
  /// Duration columns with the same nonzero number are shown in the same unit, because users compare them within a row.
  int compared = 0;
};

/// Short forms for lists of columns: {col::rank, col::text("path"), {"GPU time", col::total}}.
namespace col {
using enum ColumnRole;
inline Column text(std::string name) { return {std::move(name), ColumnKind::text}; }
inline Column integer(std::string name) { return {std::move(name), ColumnKind::integer}; }
inline Column id(std::string name) { return {std::move(name), ColumnKind::identifier}; }
inline Column real(std::string name) { return {std::move(name), ColumnKind::real}; }
inline Column ns(std::string name) { return {std::move(name), ColumnKind::duration}; }
inline Column moment(std::string name) { return {std::move(name), ColumnKind::time}; }
inline Column size(std::string name) { return {std::move(name), ColumnKind::bytes}; }
inline Column percent(std::string name) { return {std::move(name), ColumnKind::share}; }
/// Start of a row; called "begin" in CSV and JSON.
inline Column begin() { return Column("begin", start).labeled("start"); }
/// A duration that CSV contains in µs, under the name that existing scripts expect.
inline Column us(Column column, std::string csv_name, int group = 1) {
  return std::move(column).csv(std::move(csv_name), 1000).alike(group);
}
}  // namespace col

/// Returns the unit of a column's exact values: the column's own unit if set, otherwise that of its kind ("ns" for
/// durations and times, "B" for bytes).
[[nodiscard]] std::string_view exact_unit(const Column& column);

/// One value: missing, text, integer or real. Does not own its string. Text may carry a reference, so readers never
/// parse it: an enumerator in columns of kinds and classes, a slice of the row's rank (trace::SliceOrdinal) in columns
/// of names.
class Cell {
 public:
  using Type = CellType;

  constexpr Cell() = default;
  constexpr Cell(std::string_view text) : type_(Type::text), text_(text) {}
  Cell(const std::string& text) : Cell(std::string_view(text)) {}
  constexpr Cell(const char* text) : Cell(std::string_view(text)) {}
  constexpr Cell(std::string_view text, std::uint32_t reference) : Cell(text) { reference_ = reference; }
  template <class Enum>
  requires std::is_enum_v<Enum>
  constexpr Cell(std::string_view text, Enum value) : Cell(text, static_cast<std::uint32_t>(value)) {}
  /// Clamps values outside the range of int64.
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
  /// Also true for NaN.
  [[nodiscard]] constexpr bool missing() const {
    return type_ == Type::missing || (type_ == Type::real && real_ != real_);
  }
  /// Returns "" for other types.
  [[nodiscard]] constexpr std::string_view text() const { return text_; }
  [[nodiscard]] constexpr std::optional<std::uint32_t> reference() const { return reference_; }
  /// Returns 0 for other types.
  [[nodiscard]] constexpr std::int64_t integer() const { return integer_; }
  /// Returns the number, with integers rounded to double; NaN for other types.
  [[nodiscard]] constexpr double number() const {
    if (type_ == Type::integer) return static_cast<double>(integer_);
    return type_ == Type::real ? real_ : std::numeric_limits<double>::quiet_NaN();
  }

  friend bool operator==(const Cell& a, const Cell& b);

 private:
  Type type_ = Type::missing;
  std::string_view text_;
  std::optional<std::uint32_t> reference_;
  std::int64_t integer_ = 0;
  double real_ = 0;
};

class Table {
 public:
  std::string id;     ///< kebab-case, unique within its analysis: "kernel-breakdown"
  std::string title;  ///< sentence case
  std::string note;   ///< remarks for the reader, or why there are no rows; may be empty
  /// The table as formatted by another program, so users can compare the two outputs. If set, write_text() writes this
  /// text instead of columns.
  std::string text_layout{};

  Table() = default;
  /// `csv_first`: names of the leading CSV columns, in the order that existing scripts expect:
  /// "rank,ts,tid=stream,*". "tid=stream" repeats the stream column as tid; "*" means all columns with the role part or
  /// counter, because their names depend on the data. Unknown columns are ignored.
  Table(std::string table_id, std::string table_title, std::vector<Column> columns, std::string_view csv_first = {})
      : id(std::move(table_id)), title(std::move(table_title)), columns_(std::move(columns)), csv_first_(csv_first) {}

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] std::string_view csv_first() const { return csv_first_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// Returns the index of the first column with that role; nullopt if there is none.
  [[nodiscard]] std::optional<std::size_t> find_role(ColumnRole role) const;

  /// Appends a row and copies its text. Omitted cells are missing. Passing more cells than columns is a bug in the
  /// caller.
  void add_row(std::span<const Cell> cells);
  void add_row(std::initializer_list<Cell> cells) { add_row(std::span<const Cell>(cells.begin(), cells.size())); }
  void reserve(std::size_t rows) { packed_.reserve(rows / kBlockRows); }

  /// Returns the cell; its text is valid until the table changes. O(1).
  [[nodiscard]] Cell at(std::size_t row, std::size_t column) const;

  /// Calls take(CellType, payload) for each cell of a column, in order. The payload is the integer, the bits of the
  /// real, or of text: see text_number(). Several times as fast as at().
  template <class Take>
  void each(std::size_t column, Take take) const {
    for (const PackedCells& block : packed_)
      for (std::size_t row = 0; row < kBlockRows; ++row) {
        const CellType type = block.type(row, column);
        take(type, type == CellType::missing ? std::uint64_t{0} : block.payload(row, column));
      }
    for (std::size_t cell = column; cell < payloads_.size(); cell += columns_.size())
      take(types_[cell], payloads_[cell]);
  }
  /// Returns the number of a text, less than texts(); equal texts may have different numbers.
  [[nodiscard]] static std::size_t text_number(std::uint64_t payload) { return payload & kTextMask; }
  [[nodiscard]] std::string_view text(std::size_t number) const { return text_at(number); }
  [[nodiscard]] std::size_t texts() const { return text_ends_.size(); }

  /// Memory used by cells and text.
  [[nodiscard]] std::size_t resident_bytes() const;

  /// Reorders rows: new row i is old row order[i]. `order` may omit rows.
  void reorder(std::span<const std::uint32_t> order);

 private:
  /// A stored cell: an integer, the bits of a double, or the index of a string and, above it, its reference plus one.
  struct Stored {
    std::uint64_t payload = 0;
    CellType type = CellType::missing;
  };

  static constexpr std::size_t kBlockRows = 4096;
  static constexpr std::size_t kRememberFrom = 128;  // in rows; smaller tables do not share strings
  static constexpr std::size_t kRecentTexts = 4096;
  static constexpr std::size_t kRecentPlaces = 4;  // possible slots of a string, so names seldom evict each other
  static constexpr std::uint64_t kNoText = ~std::uint64_t{0};
  static constexpr unsigned kTextBits = 32;  // of a payload; the reference is above them
  static constexpr std::uint64_t kTextMask = (std::uint64_t{1} << kTextBits) - 1;

  void begin_row();
  void add(Stored cell) {
    payloads_.push_back(cell.payload);
    types_.push_back(cell.type);
  }
  [[nodiscard]] Stored stored(std::size_t row, std::size_t column) const;
  [[nodiscard]] std::uint64_t store(std::string_view text);
  [[nodiscard]] std::uint64_t append(std::string_view text);
  [[nodiscard]] std::string_view text_at(std::uint64_t number) const;

  std::vector<Column> columns_;
  std::string csv_first_;
  std::vector<PackedCells> packed_;      ///< blocks of kBlockRows rows each
  std::vector<std::uint64_t> payloads_;  ///< of the rows after `packed_`
  std::vector<CellType> types_;          ///< of the rows after `packed_`
  std::string text_;
  std::vector<std::uint64_t> text_ends_;  ///< end of each string in text_, by index
  std::vector<std::uint64_t> recent_;     ///< in large tables: indices of recently stored strings; see store()
  std::size_t rows_ = 0;
};

enum class SortOrder : std::uint8_t { ascending, descending };

/// Returns row numbers sorted by one column. The sort is stable, with missing cells last in either order. Numbers come
/// before strings and are compared by value (integers exactly). Strings are compared in natural order: "rank 9" before
/// "rank 10". O(n log n).
[[nodiscard]] std::vector<std::uint32_t> sorted_order(const Table& table, std::size_t column, SortOrder order);
void sort_rows(Table& table, std::size_t column, SortOrder order);

}  // namespace warpscope
