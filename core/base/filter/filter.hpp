#pragma once
// The filter language for slices. Used by search, highlighting, hiding, counting and the command line.
//
//   cat:kernel name~nccl dur>1ms rank:0-7,9 not (stream:20 or depth>3) gemm "quoted words"
//
// All adjacent tests must hold (`and` is optional). `or` has lower precedence and `not` higher; parentheses group
// tests. A bare word or a quoted string tests the name. filter_fields() lists the fields and their operators.
//
// A filter consists of at most 64 tests and a formula over them. For each slice, two 64-bit masks record which tests
// have run and which of them hold. Searching millions of slices is cheap because it requires no virtual calls or string
// comparisons per slice. Tests on properties shared by a lane (rank, stream, …) run once per lane, tests on names run
// once per name, and the masks are combined with OR. decide() returns a result as soon as the known tests suffice. The
// parser pushes `not` down to the tests (De Morgan), so a group consists of two masks (positive and negated tests) and
// its subgroups. Unknown values follow Kleene's three-valued logic: results of yes and no are always correct, but a
// result may be unknown even if it does not depend on the unknown value, as in `a or not a`.
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/text_pattern.hpp"
#include "core/base/time.hpp"

namespace warpscope {

enum class FilterField : std::uint8_t {
  name,
  category,
  family,
  node,
  rank,
  gpu,
  stream,
  thread,
  depth,
  begin,
  duration,
};
inline constexpr std::size_t kFilterFields = 11;

/// Set of FilterFields.
using FieldSet = std::uint16_t;
[[nodiscard]] constexpr FieldSet field_set(FilterField field) {
  return static_cast<FieldSet>(1u << static_cast<unsigned>(field));
}
template <class... Fields>
[[nodiscard]] constexpr FieldSet field_set(FilterField first, Fields... rest) {
  return static_cast<FieldSet>(field_set(first) | field_set(rest...));
}
inline constexpr FieldSet kAllFields = (1u << kFilterFields) - 1;

/// A slice as seen by a filter. Does not own its strings.
struct FilterRecord {
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  std::string_view name;
  std::string_view category;  ///< as in the trace
  std::string_view family;    ///< color family: "communication"
  std::string_view node;      ///< label
  std::int64_t rank = kNone;  ///< kNone: tests on the rank fail, but `!=` and `not` hold
  std::int64_t gpu = kNone;
  std::int64_t stream = kNone;
  std::int64_t thread = kNone;
  std::int64_t depth = kNone;  ///< row within its track; 0 is the top row
  Ns begin = 0;                ///< ns since the profile's start
  Ns duration = 0;
};

enum class Truth : std::uint8_t { no, yes, unknown };

/// Bit i represents the i-th test of a filter.
using TestMask = std::uint64_t;
inline constexpr std::size_t kMaxFilterTests = 64;

/// One comparison, such as `dur>1ms`. Excludes negation (`not` and `!=`).
struct FilterTest {
  /// Closed range.
  struct Range {
    std::int64_t first;
    std::int64_t last;
    friend bool operator==(const Range&, const Range&) = default;
  };

  FilterField field = FilterField::name;
  std::vector<TextPattern> patterns;  ///< text field: holds if any pattern matches
  std::vector<Range> ranges;          ///< number field: holds if any range contains the number

  [[nodiscard]] bool holds(const FilterRecord& record) const;
  friend bool operator==(const FilterTest&, const FilterTest&) = default;
};

/// A set of tests and groups. If `all`, all members must hold; otherwise, at least one must. An empty group evaluates
/// to yes if `all`, otherwise no.
struct FilterGroup {
  bool all = true;
  TestMask holding = 0;      ///< positive tests
  TestMask not_holding = 0;  ///< negated tests
  std::vector<FilterGroup> groups;

  [[nodiscard]] Truth decide(TestMask known, TestMask values) const;
};

class Filter {
 public:
  /// Passes every slice.
  Filter() = default;
  Filter(std::string text, std::vector<FilterTest> tests, FilterGroup formula);

  /// The expression as written, for chips and history.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::span<const FilterTest> tests() const { return tests_; }
  /// True if every slice passes.
  [[nodiscard]] bool passes_all() const { return decide(0, 0) == Truth::yes; }
  /// Fields used by the tests.
  [[nodiscard]] FieldSet fields() const { return fields_; }

  /// True if the slice passes. O(T) for T tests.
  [[nodiscard]] bool matches(const FilterRecord& record) const;

  /// Returns the tests that use any of `fields`.
  [[nodiscard]] TestMask tests_on(FieldSet fields) const;
  /// Returns the tests among `tests` that hold for `record`.
  [[nodiscard]] TestMask run(TestMask tests, const FilterRecord& record) const;
  /// Returns the result, given that the tests in `known` have run and those in `values` hold. Compares no strings and
  /// does not allocate.
  [[nodiscard]] Truth decide(TestMask known, TestMask values) const { return formula_.decide(known, values); }

 private:
  std::string text_;
  std::vector<FilterTest> tests_;
  FilterGroup formula_;
  FieldSet fields_ = 0;
};

/// Compiles an expression; an empty expression passes every slice. Errors contain the position ("column 7": 1-based, in
/// characters), the reason and a fix. Never throws; limits the nesting depth and the number of tests.
[[nodiscard]] Result<Filter> parse_filter(std::string_view text);

/// Describes a field, for help pages and completion.
struct FilterFieldInfo {
  FilterField field;
  std::string_view name;   ///< as written in an expression
  std::string_view other;  ///< alternative name, or ""
  std::string_view example;
  std::string_view meaning;
};
[[nodiscard]] std::span<const FilterFieldInfo> filter_fields();

}  // namespace warpscope
