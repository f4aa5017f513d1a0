#include "core/base/filter/filter.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace warpscope {

namespace {

// In the order of the fields.
constexpr std::array kTexts{&FilterRecord::name, &FilterRecord::category, &FilterRecord::family, &FilterRecord::node};
constexpr std::array kNumbers{&FilterRecord::rank,  &FilterRecord::gpu,   &FilterRecord::stream,  &FilterRecord::thread,
                              &FilterRecord::depth, &FilterRecord::begin, &FilterRecord::duration};
static_assert(kTexts.size() + kNumbers.size() == kFilterFields);

}  // namespace

bool FilterTest::holds(const FilterRecord& record) const {
  const auto index = static_cast<std::size_t>(field);
  if (index < kTexts.size()) {
    const std::string_view text = record.*kTexts[index];
    return std::any_of(patterns.begin(), patterns.end(), [&](const TextPattern& p) { return p.matches(text); });
  }
  const std::int64_t number = record.*kNumbers[index - kTexts.size()];
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return range.first <= number && number <= range.last; });
}

Truth FilterGroup::decide(TestMask known, TestMask values) const {
  // Members that decide the group: any that fails if all must hold, any that holds otherwise.
  const TestMask settled =
      all ? (holding & ~values) | (not_holding & values) : (holding & values) | (not_holding & ~values);
  const Truth at_once = all ? Truth::no : Truth::yes;
  if ((settled & known) != 0) return at_once;
  bool open = ((holding | not_holding) & ~known) != 0;
  for (const FilterGroup& group : groups) {
    const Truth truth = group.decide(known, values);
    if (truth == at_once) return at_once;
    open |= truth == Truth::unknown;
  }
  if (open) return Truth::unknown;
  return all ? Truth::yes : Truth::no;
}

Filter::Filter(std::string text, std::vector<FilterTest> tests, FilterGroup formula)
    : text_(std::move(text)), tests_(std::move(tests)), formula_(std::move(formula)) {
  for (const FilterTest& test : tests_) fields_ |= field_set(test.field);
}

bool Filter::matches(const FilterRecord& record) const {
  const TestMask tests = tests_on(kAllFields);
  return decide(tests, run(tests, record)) == Truth::yes;
}

TestMask Filter::tests_on(FieldSet fields) const {
  TestMask mask = 0;
  for (std::size_t i = 0; i < tests_.size(); ++i)
    if ((field_set(tests_[i].field) & fields) != 0) mask |= TestMask{1} << i;
  return mask;
}

TestMask Filter::run(TestMask tests, const FilterRecord& record) const {
  TestMask holding = 0;
  for (; tests != 0; tests &= tests - 1) {
    const int i = std::countr_zero(tests);
    if (tests_[static_cast<std::size_t>(i)].holds(record)) holding |= TestMask{1} << i;
  }
  return holding;
}

}  // namespace warpscope
