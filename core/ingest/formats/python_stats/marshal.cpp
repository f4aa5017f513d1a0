#include "core/ingest/formats/python_stats/marshal.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "core/base/parse_number.hpp"

namespace warpscope::ingest {

namespace {

constexpr unsigned char kFlag = 0x80;  // marks objects that can be referenced
constexpr std::size_t kDeepestValue = 12;
constexpr std::size_t kLeastBytesPerValue = 2;  // on average; values in real files have 5 to 9
constexpr std::size_t kMostDigits = 5;          // of 15 bits, in 63 bits
constexpr std::uint64_t kMostInLastDigit = 7;

using Kind = MarshalValue::Kind;

MarshalValue integer_value(std::int64_t number) {
  MarshalValue value;
  value.kind = Kind::integer;
  value.integer = number;
  return value;
}

MarshalValue real_value(double number) {
  MarshalValue value;
  value.kind = Kind::real;
  value.real = number;
  return value;
}

}  // namespace

bool MarshalReader::fail(std::string_view why) {
  if (error_.empty()) error_ = why;
  return false;
}

bool MarshalReader::has(std::size_t bytes) {
  return bytes <= bytes_.size() - at_ || fail("the file ends in the middle of a value");
}

std::uint64_t MarshalReader::little_endian(std::size_t bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    number |= std::uint64_t{static_cast<unsigned char>(bytes_[at_ + i])} << (8 * i);
  at_ += bytes;
  return number;
}

bool MarshalReader::start() {
  started_ = true;
  if (!has(1)) return false;
  const auto byte = static_cast<unsigned char>(bytes_[at_]);
  if ((byte & ~kFlag) != '{') return fail("does not start with a dictionary");
  ++at_;
  if ((byte & kFlag) != 0) objects_.emplace_back();
  return true;
}

MarshalReader::Next MarshalReader::next(MarshalValue& key, MarshalValue& value) {
  if (!error_.empty()) return Next::error;
  if (ended_) return Next::end;
  if (!started_ && !start()) return Next::error;
  pool_.resize(kept_);
  open_.clear();
  if (!read(key, 0)) return Next::error;
  if (key.kind == Kind::incomplete) {
    ended_ = true;
    return Next::end;
  }
  if (!read(value, 0)) return Next::error;
  if (value.kind == Kind::incomplete) {
    (void)fail("a key without a value");
    return Next::error;
  }
  return Next::entry;
}

bool MarshalReader::read(MarshalValue& value, std::size_t depth) {
  value = {};
  if (!has(1)) return false;
  if (depth > kDeepestValue) return fail("values are nested too deeply");
  const std::size_t start = at_;
  const auto byte = static_cast<unsigned char>(bytes_[at_++]);
  const char type = static_cast<char>(byte & ~kFlag);
  const bool flagged = (byte & kFlag) != 0 && std::string_view("0NFTS.rR").find(type) == std::string_view::npos;
  const std::size_t object = objects_.size();
  if (flagged) objects_.emplace_back();
  const bool sequence = std::string_view("()[{<>").find(type) != std::string_view::npos;
  const bool complete = sequence      ? read_sequence(type, value, depth)
                        : type == 'r' ? read_reference(objects_, value)
                        : type == 'R' ? read_reference(interned_, value)
                                      : read_plain(type, value);
  if (!complete) {
    if (at_ == start + 1) at_ = start;
    return false;
  }
  if (type == 't') interned_.push_back(value);
  if (!flagged) return true;
  objects_[object] = value;
  if (sequence) kept_ = pool_.size();
  return true;
}

bool MarshalReader::read_plain(char type, MarshalValue& value) {
  switch (type) {
    case '0':
      return true;
    case 'N':
    case 'F':
    case 'T':
    case 'S':
    case '.':
      value.kind = Kind::other;
      return true;
    case 'i':
      if (!has(4)) return false;
      value = integer_value(static_cast<std::int32_t>(little_endian(4)));
      return true;
    case 'I':
      if (!has(8)) return false;
      value = integer_value(static_cast<std::int64_t>(little_endian(8)));
      return true;
    case 'l':
      return read_long(value);
    case 'g':
      if (!has(8)) return false;
      value = real_value(std::bit_cast<double>(little_endian(8)));
      return true;
    case 'f':
      return read_real(value);
    case 'x':
    case 'y':
      for (int part = 0; part < 2; ++part)
        if (!read_plain(type == 'x' ? 'f' : 'g', value)) return false;
      value = {};
      value.kind = Kind::other;
      return true;
    case 's':
    case 't':
    case 'u':
    case 'a':
    case 'A':
      return read_text(4, value);
    case 'z':
    case 'Z':
      return read_text(1, value);
    default:
      return fail("unknown value type");
  }
}

bool MarshalReader::read_text(std::size_t length_bytes, MarshalValue& value) {
  if (!has(length_bytes)) return false;
  const std::uint64_t length = little_endian(length_bytes);
  if (!has(length)) return false;
  value.kind = Kind::text;
  value.first = at_;
  value.count = static_cast<std::uint32_t>(length);
  at_ += length;
  return true;
}

/// Reads a number stored as text, as in Python 2 and format version 1.
bool MarshalReader::read_real(MarshalValue& value) {
  MarshalValue digits;
  if (!read_text(1, digits)) return false;
  const auto number = parse_number<double>(text(digits));
  if (!number) return fail("invalid number");
  value = real_value(*number);
  return true;
}

/// Reads an integer wider than 32 bits. The sign of the digit count is the sign of the integer.
bool MarshalReader::read_long(MarshalValue& value) {
  if (!has(4)) return false;
  const auto signed_count = static_cast<std::int32_t>(little_endian(4));
  const auto count = static_cast<std::size_t>(std::abs(std::int64_t{signed_count}));
  if (!has(2 * count)) return false;
  std::uint64_t number = 0;
  bool fits = count <= kMostDigits;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t digit = little_endian(2) & 0x7FFFU;
    if (i + 1 == kMostDigits) fits = fits && digit <= kMostInLastDigit;
    if (fits) number |= digit << (15 * i);
  }
  if (!fits) {
    value.kind = Kind::other;
    return true;
  }
  const auto magnitude = static_cast<std::int64_t>(number);
  value = integer_value(signed_count < 0 ? -magnitude : magnitude);
  return true;
}

bool MarshalReader::read_sequence(char type, MarshalValue& value, std::size_t depth) {
  const bool dict = type == '{';
  std::uint64_t count = 0;
  if (!dict) {
    const std::size_t length_bytes = type == ')' ? 1 : 4;
    if (!has(length_bytes)) return false;
    count = little_endian(length_bytes);
    if (!has(count)) return false;
  }
  const std::size_t mark = open_.size();
  for (std::uint64_t i = 0; dict || i < count; ++i) {
    MarshalValue item;
    if (!read(item, depth + 1)) return false;
    if (item.kind == Kind::incomplete) {
      if (dict && i % 2 == 0) break;
      return fail("a sequence ends early");
    }
    if (pool_.size() + open_.size() > bytes_.size() / kLeastBytesPerValue) return fail("too many empty values");
    open_.push_back(item);
  }
  value.kind = dict ? Kind::dict : type == '(' || type == ')' ? Kind::tuple : Kind::other;
  value.first = pool_.size();
  value.count = static_cast<std::uint32_t>(open_.size() - mark);
  pool_.insert(pool_.end(), open_.begin() + static_cast<std::ptrdiff_t>(mark), open_.end());
  open_.resize(mark);
  return true;
}

bool MarshalReader::read_reference(const std::vector<MarshalValue>& known, MarshalValue& value) {
  if (!has(4)) return false;
  const std::uint64_t index = little_endian(4);
  if (index >= known.size() || known[index].kind == Kind::incomplete) return fail("a reference to a nonexistent value");
  value = known[index];
  return true;
}

}  // namespace warpscope::ingest
