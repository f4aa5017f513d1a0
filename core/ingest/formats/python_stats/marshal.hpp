#pragma once
// Decodes the subset of Python's `marshal` format that pstats.dump_stats uses: one dictionary of numbers, strings,
// tuples and dictionaries, from Python 2.7 and 3 (format versions 0 to 5). Reads the dictionary entry by entry, so a
// truncated file yields all its complete entries.
//
// The bytes are untrusted. Nesting is limited, lengths are checked against the remaining bytes, and a reference to an
// object that is still incomplete is an error, so values never contain themselves. Values are views into the input, and
// their number is limited by its size.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::ingest {

struct MarshalValue {
  enum class Kind : std::uint8_t {
    incomplete,  ///< the end of a dictionary, or an object still being read
    integer,
    real,
    text,
    tuple,
    dict,
    other,  ///< None, True, complex numbers, sets, integers beyond 64 bits, …
  };

  Kind kind = Kind::incomplete;
  std::uint32_t count = 0;  ///< number of bytes in a string, or of values in a tuple or dictionary
  union {
    std::int64_t integer = 0;
    double real;
    std::uint64_t first;  ///< index of the first byte, or of the first value
  };
};

class MarshalReader {
 public:
  enum class Next : std::uint8_t { entry, end, error };

  explicit MarshalReader(std::string_view bytes) : bytes_(bytes) {}

  /// Reads the next entry of the dictionary. Views of values are valid until the next call. After an error, every call
  /// returns the same error.
  [[nodiscard]] Next next(MarshalValue& key, MarshalValue& value);

  [[nodiscard]] std::string_view text(const MarshalValue& value) const {
    return bytes_.substr(static_cast<std::size_t>(value.first), value.count);
  }
  /// Returns the values of a tuple, or the alternating keys and values of a dictionary.
  [[nodiscard]] std::span<const MarshalValue> values(const MarshalValue& value) const {
    return std::span(pool_).subspan(static_cast<std::size_t>(value.first), value.count);
  }
  /// Returns the offset after the last complete value, or the offset of the error.
  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  [[nodiscard]] bool fail(std::string_view why);
  [[nodiscard]] bool has(std::size_t bytes);
  [[nodiscard]] std::uint64_t little_endian(std::size_t bytes);
  [[nodiscard]] bool start();
  [[nodiscard]] bool read(MarshalValue& value, std::size_t depth);
  [[nodiscard]] bool read_plain(char type, MarshalValue& value);
  [[nodiscard]] bool read_text(std::size_t length_bytes, MarshalValue& value);
  [[nodiscard]] bool read_real(MarshalValue& value);
  [[nodiscard]] bool read_long(MarshalValue& value);
  [[nodiscard]] bool read_sequence(char type, MarshalValue& value, std::size_t depth);
  [[nodiscard]] bool read_reference(const std::vector<MarshalValue>& known, MarshalValue& value);

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::vector<MarshalValue> objects_;   // flagged objects in order, the targets of references
  std::vector<MarshalValue> interned_;  // targets of Python 2 string references
  std::vector<MarshalValue> open_;      // values of sequences still being read
  std::vector<MarshalValue> pool_;      // values of complete sequences
  std::size_t kept_ = 0;                // pool values referenced by objects
  bool started_ = false;
  bool ended_ = false;
  std::string error_;
};

}  // namespace warpscope::ingest
