#include "core/base/table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "core/base/natural_order.hpp"
#include "core/base/parse_number.hpp"
#include "core/base/word_at.hpp"

namespace warpscope {

namespace {

// Compares an integer and a double by value, without rounding the integer.
std::partial_ordering compare_exactly(std::int64_t a, double b) {
  constexpr double kTwo63 = 9223372036854775808.0;
  if (b >= kTwo63) return std::partial_ordering::less;
  if (b < -kTwo63) return std::partial_ordering::greater;
  const double floor = std::floor(b);
  const auto whole = static_cast<std::int64_t>(floor);
  if (a != whole) return a <=> whole;
  return b > floor ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

bool less(const Cell& a, const Cell& b) {
  using enum CellType;
  if (a.type() == text || b.type() == text) {
    if (a.type() != b.type()) return b.type() == text;
    return natural_less(a.text(), b.text());
  }
  if (a.type() == integer && b.type() == integer) return a.integer() < b.integer();
  if (a.type() == integer) return compare_exactly(a.integer(), b.number()) < 0;
  if (b.type() == integer) return compare_exactly(b.integer(), a.number()) > 0;
  return a.number() < b.number();
}

}  // namespace

std::string_view to_string(ColumnRole role) {
  static const std::vector<std::string_view> kWords = parts_of(
      ",node,rank,gpu,device,stream,start,end,duration,name,kernel,annotation,step,operator,module,dims,sequence,"
      "kernels,annotation,of,model,file,code,answer,kind,state,activity,operation,precision,kernel type,"
      "bound by,class,cause,side,remark,edge,count,samples,names,collectives,last to arrive,share,share of GPU time,"
      "utilization,bytes,total,union,wait time caused,delay caused,mean,median,p95,p99,max,min,stddev,bin begin,"
      "bin end,flop rate,byte rate,intensity,self CPU,"
      "CPU total,self device,device total,depth,parent row,waiting,transfer,compute,non compute,"
      "hidden communication,exposed communication,memory,active,idle,idle part,other,part,counter",
      ",");
  return kWords[static_cast<std::size_t>(role)];
}

ColumnKind kind_of(ColumnRole role) {
  using enum ColumnRole;
  // From name to remark: names, kinds and classes.
  if (role == none || role == node || (role >= name && role <= remark)) return ColumnKind::text;
  switch (role) {
    case rank:
    case gpu:
    case device:
    case stream:
    case edge:
      return ColumnKind::identifier;
    case start:
    case end:
      return ColumnKind::time;
    case count:
    case samples:
    case other_names:
    case collectives:
    case last_to_arrive:
    case depth:
    case parent_row:
      return ColumnKind::integer;
    case share:
    case share_of_gpu_time:
    case utilization:
      return ColumnKind::share;
    case bytes:
    case part:
      return ColumnKind::bytes;
    case counter:
    case flop_rate:
    case byte_rate:
    case intensity:
      return ColumnKind::real;
    default:
      return ColumnKind::duration;
  }
}

std::string_view to_string(ColumnKind kind) {
  static constexpr std::array<std::string_view, 8> kWords{"text",     "integer", "identifier", "real",
                                                          "duration", "time",    "bytes",      "share"};
  return word_at(kWords, kind);
}

std::string_view exact_unit(const Column& column) {
  if (!column.unit.empty()) return column.unit;
  switch (column.kind) {
    case ColumnKind::duration:
    case ColumnKind::time:
      return "ns";
    case ColumnKind::bytes:
      return "B";
    default:
      return "";
  }
}

bool operator==(const Cell& a, const Cell& b) {
  if (a.missing() || b.missing()) return a.missing() == b.missing();
  if (a.type_ != b.type_) return false;
  switch (a.type_) {
    case Cell::Type::text:
      return a.text_ == b.text_;
    case Cell::Type::integer:
      return a.integer_ == b.integer_;
    default:
      return a.real_ == b.real_;
  }
}

std::optional<std::size_t> Table::find_role(ColumnRole role) const {
  const auto found = std::ranges::find(columns_, role, &Column::role);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

void Table::add_row(std::span<const Cell> cells) {
  assert(cells.size() <= columns_.size());
  begin_row();
  const std::size_t given = std::min(cells.size(), columns_.size());
  for (const Cell& cell : cells.first(given)) {
    std::uint64_t payload = 0;
    switch (cell.type()) {
      case CellType::missing:
        break;
      case CellType::text:
        payload = store(cell.text());
        if (cell.reference()) payload |= (std::uint64_t{*cell.reference()} + 1) << kTextBits;
        break;
      case CellType::integer:
        payload = static_cast<std::uint64_t>(cell.integer());
        break;
      case CellType::real:
        payload = std::bit_cast<std::uint64_t>(cell.number());
        break;
    }
    add({payload, cell.type()});
  }
  for (std::size_t column = given; column < columns_.size(); ++column) add({});
  ++rows_;
}

/// Small tables grow on demand. Larger ones reserve space for a whole block of unpacked rows.
void Table::begin_row() {
  if (rows_ == 0 || rows_ % kBlockRows != 0) return;
  packed_.emplace_back(payloads_, types_, columns_.size());
  payloads_.clear();
  types_.clear();
  payloads_.reserve(kBlockRows * columns_.size());
  types_.reserve(kBlockRows * columns_.size());
}

std::uint64_t Table::store(std::string_view text) {
  // Names usually come from the same memory each time. recent_ contains kRecentTexts indices by the text's hash, then
  // pairs of an address and an index. The text is compared in both cases.
  constexpr std::size_t kAddresses = 256;
  const std::uint64_t fresh = text_ends_.size();
  if (rows_ < kRememberFrom) return append(text);
  recent_.resize(kRecentTexts + 2 * kAddresses, kNoText);
  const auto address = reinterpret_cast<std::uintptr_t>(text.data());
  std::uint64_t* const known = &recent_[kRecentTexts + 2 * ((address >> 4 ^ address >> 14) % kAddresses)];
  if (known[0] == address && text_at(known[1]) == text) return known[1];
  known[0] = address;
  const std::size_t place = std::hash<std::string_view>()(text) % kRecentTexts;
  std::size_t taken = place;
  for (std::size_t i = 0; i < kRecentPlaces; ++i) {
    const std::size_t next = (place + i) % kRecentTexts;
    if (recent_[next] == kNoText) {
      taken = next;
      break;
    }
    if (text_at(recent_[next]) == text) return known[1] = recent_[next];
  }
  recent_[taken] = known[1] = fresh;
  return append(text);
}

std::uint64_t Table::append(std::string_view text) {
  text_ += text;
  text_ends_.push_back(text_.size());
  return text_ends_.size() - 1;
}

std::string_view Table::text_at(std::uint64_t number) const {
  const std::uint64_t begin = number == 0 ? 0 : text_ends_[number - 1];
  return std::string_view(text_).substr(begin, text_ends_[number] - begin);
}

Table::Stored Table::stored(std::size_t row, std::size_t column) const {
  const std::size_t block = row / kBlockRows;
  const std::size_t within = row % kBlockRows;
  if (block < packed_.size()) {
    const CellType type = packed_[block].type(within, column);
    return type == CellType::missing ? Stored{} : Stored{packed_[block].payload(within, column), type};
  }
  const std::size_t cell = within * columns_.size() + column;
  return {payloads_[cell], types_[cell]};
}

Cell Table::at(std::size_t row, std::size_t column) const {
  assert(row < rows_ && column < columns_.size());
  const Stored cell = stored(row, column);
  switch (cell.type) {
    case CellType::missing:
      return {};
    case CellType::text:
      if (const std::uint64_t reference = cell.payload >> kTextBits; reference > 0)
        return {text_at(cell.payload & kTextMask), static_cast<std::uint32_t>(reference - 1)};
      return text_at(cell.payload);
    case CellType::integer:
      return static_cast<std::int64_t>(cell.payload);
    case CellType::real:
      return std::bit_cast<double>(cell.payload);
  }
  return {};
}

std::size_t Table::resident_bytes() const {
  std::size_t bytes = text_.capacity() + packed_.capacity() * sizeof(PackedCells) +
                      (text_ends_.capacity() + recent_.capacity() + payloads_.capacity()) * sizeof(std::uint64_t) +
                      types_.capacity() * sizeof(CellType);
  for (const PackedCells& block : packed_) bytes += block.resident_bytes();
  return bytes;
}

void Table::reorder(std::span<const std::uint32_t> order) {
  Table before("", "", {});
  before.columns_.resize(columns_.size());
  before.packed_ = std::exchange(packed_, {});
  before.payloads_ = std::exchange(payloads_, {});
  before.types_ = std::exchange(types_, {});
  rows_ = 0;
  for (const std::uint32_t row : order) {
    begin_row();
    for (std::size_t column = 0; column < columns_.size(); ++column) add(before.stored(row, column));
    ++rows_;
  }
}

std::vector<std::uint32_t> sorted_order(const Table& table, std::size_t column, SortOrder order) {
  std::vector<Cell> keys;
  keys.reserve(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) keys.push_back(table.at(row, column));

  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0u);
  const auto present =
      std::stable_partition(rows.begin(), rows.end(), [&](std::uint32_t row) { return !keys[row].missing(); });
  if (order == SortOrder::ascending) {
    std::stable_sort(rows.begin(), present, [&](std::uint32_t a, std::uint32_t b) { return less(keys[a], keys[b]); });
  } else {
    std::stable_sort(rows.begin(), present, [&](std::uint32_t a, std::uint32_t b) { return less(keys[b], keys[a]); });
  }
  return rows;
}

void sort_rows(Table& table, std::size_t column, SortOrder order) { table.reorder(sorted_order(table, column, order)); }

}  // namespace warpscope
