#pragma once
// The one language in which search, highlight, hide, count and the command line say which slices they mean:
//
//   cat:kernel name~nccl dur>1ms rank:0-7,9 not (stream:20 or depth>3) gemm "quoted words"
//
// Tests side by side must all hold (`and` may be written); `or` binds weaker, `not` stronger; parentheses group. A word
// on its own, or a quoted text, is a test of the name. The fields and their operators are listed by filter_fields().
//
// A filter is at most 64 tests and a formula over them, so what is known of a slice is two 64-bit masks: which tests
// have been run, and which of those hold. That is what makes a search over millions of slices cheap without a virtual
// call or a string comparison per slice: tests of what a lane shares (rank, stream, …) are run once a lane, tests of
// names once a name, and the masks are or-ed; decide() answers as soon as what is known suffices. `not` is pushed down
// to the tests when the filter is made (De Morgan), so a group is two masks, tests that must hold and tests that must
// not, and the groups within. Unknown is carried by Kleene's three-valued logic: yes and no are always right, unknown
// is not always needed (`a or not a`).
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

/// A slice as a filter sees it. Text is viewed, not owned.
struct FilterRecord {
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  std::string_view name;
  std::string_view category;  ///< as the trace has it
  std::string_view family;    ///< colour family: "communication"
  std::string_view node;      ///< label
  std::int64_t rank = kNone;  ///< kNone: it has none; no test of it holds, but `!=` and `not` do
  std::int64_t gpu = kNone;
  std::int64_t stream = kNone;
  std::int64_t thread = kNone;
  std::int64_t depth = kNone;  ///< row within its track, 0 on top
  Ns begin = 0;                ///< since the profile's begin
  Ns duration = 0;
};

/// What is known of a slice, or of all slices of some set: the fields in `known` are right, the others are not looked
/// at.
struct PartialRecord {
  FilterRecord record;
  FieldSet known = 0;
};

enum class Truth : std::uint8_t { no, yes, unknown };

/// Bit i is the i-th test of a filter.
using TestMask = std::uint64_t;
inline constexpr std::size_t kMaxFilterTests = 64;

/// One comparison: `dur>1ms` is a test, `not` and `!=` are not part of it.
struct FilterTest {
  /// Closed.
  struct Range {
    std::int64_t first;
    std::int64_t last;
    friend bool operator==(const Range&, const Range&) = default;
  };

  FilterField field = FilterField::name;
  std::vector<TextPattern> patterns;  ///< of a text field: holds if one of them matches
  std::vector<Range> ranges;          ///< of a number field: holds if the number is in one of them

  [[nodiscard]] bool holds(const FilterRecord& record) const;
  friend bool operator==(const FilterTest&, const FilterTest&) = default;
};

/// Tests and groups that must all hold, or of which one must. No member at all: yes if `all`, else no.
struct FilterGroup {
  bool all = true;
  TestMask holding = 0;      ///< tests that count if they hold
  TestMask not_holding = 0;  ///< tests that count if they do not
  std::vector<FilterGroup> groups;

  [[nodiscard]] Truth decide(TestMask known, TestMask values) const;
};

class Filter {
 public:
  /// Every slice passes.
  Filter() = default;
  Filter(std::string text, std::vector<FilterTest> tests, FilterGroup formula);

  /// The expression as it was written, for chips and history.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::span<const FilterTest> tests() const { return tests_; }
  /// True if there is nothing that a slice could fail.
  [[nodiscard]] bool passes_all() const { return decide(0, 0) == Truth::yes; }
  /// Fields that any test looks at.
  [[nodiscard]] FieldSet fields() const { return fields_; }

  /// Whether a slice passes. O(tests).
  [[nodiscard]] bool matches(const FilterRecord& record) const;
  /// Whether all slices (yes), none (no) or perhaps some (unknown) that agree with `record` pass. O(tests).
  [[nodiscard]] Truth evaluate_partial(const PartialRecord& record) const;

  /// The tests that look at any of `fields`.
  [[nodiscard]] TestMask tests_on(FieldSet fields) const;
  /// Which of `tests` hold for `record`.
  [[nodiscard]] TestMask run(TestMask tests, const FilterRecord& record) const;
  /// The answer, given that the tests in `known` have been run and those in `values` hold. No strings, no allocation.
  [[nodiscard]] Truth decide(TestMask known, TestMask values) const { return formula_.decide(known, values); }

 private:
  std::string text_;
  std::vector<FilterTest> tests_;
  FilterGroup formula_;
  FieldSet fields_ = 0;
};

/// Compiles an expression; an empty one passes all. Errors say where ("column 7", counted in characters from 1), what
/// is wrong, and what would be right. Never throws; nesting and number of tests are limited.
[[nodiscard]] Result<Filter> parse_filter(std::string_view text);

/// For help pages and completion.
struct FilterFieldInfo {
  FilterField field;
  std::string_view name;   ///< as it is written
  std::string_view other;  ///< another way to write it, or ""
  std::string_view example;
  std::string_view meaning;
};
[[nodiscard]] std::span<const FilterFieldInfo> filter_fields();

}  // namespace warpscope
