// parse_filter: recursive descent over
//
//   any    := all { "or" all }
//   all    := one { ["and"] one }
//   one    := "not" one | "(" any ")" | test
//   test   := FIELD operator value { "," value } | WORD | "quoted"
//
// The parser passes `negated` down instead of rewriting the tree afterwards: under a `not`, `and` creates a group that
// requires only one of its members, and its tests are negated.
#include <algorithm>
#include <bit>

#include "core/base/filter/filter_words.hpp"
#include "core/base/format.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope {

namespace {

constexpr int kMaxNesting = 100;

bool is_text(FilterField field) { return field <= FilterField::node; }
bool is_time(FilterField field) { return field == FilterField::begin || field == FilterField::duration; }

class Parser {
 public:
  explicit Parser(std::string_view text) : in_(text) {}

  Result<Filter> parse() {
    in_.skip_spaces();
    FilterGroup formula;
    if (!in_.at_end()) formula = any(false, 0);
    if (!failed() && !in_.at_end()) fail(in_.at(), "unmatched )", "remove it or quote names that contain parentheses");
    if (failed()) return *in_.error();
    return Filter(std::string(in_.text()), std::move(tests_), std::move(formula));
  }

 private:
  FilterGroup any(bool negated, int nesting) {
    std::vector<FilterGroup> members{all(negated, nesting)};
    while (!failed() && in_.take_word("or")) members.push_back(all(negated, nesting));
    return group(negated, std::move(members));
  }

  FilterGroup all(bool negated, int nesting) {
    std::vector<FilterGroup> members{one(negated, nesting)};
    while (!failed() && !in_.at_end() && !in_.next_is(')') && !in_.next_is_word("or")) {
      static_cast<void>(in_.take_word("and"));
      members.push_back(one(negated, nesting));
    }
    return group(!negated, std::move(members));
  }

  FilterGroup one(bool negated, int nesting) {
    if (nesting > kMaxNesting) return fail(in_.at(), "nested too deeply", "reduce nesting (parentheses and not)");
    if (in_.take_word("not")) return one(!negated, nesting + 1);
    if (in_.at_end() || in_.next_is(')') || in_.next_is_word("or") || in_.next_is_word("and"))
      return fail(in_.at(), "a test is missing",
                  "expected a field such as " + filter_field_names() + ", a word, not, or (");
    const std::size_t open = in_.at();
    if (!in_.take('(')) return test(negated);
    FilterGroup inner = any(negated, nesting + 1);
    if (failed()) return {};
    if (!in_.take(')')) return fail(open, "unclosed (", "add a ) or quote names that contain parentheses");
    return inner;
  }

  FilterGroup test(bool negated) {
    const std::size_t start = in_.at();
    if (in_.next_is('"')) return name_test(in_.take_value(false), negated);
    std::size_t end = start;
    while (end < in_.text().size() && is_filter_letter(in_.text()[end])) ++end;
    const std::string_view word = in_.text().substr(start, end - start);
    const FilterFieldInfo* info = find_filter_field(word);
    const std::size_t behind = info == nullptr ? end : in_.after_spaces(end);
    const FilterOperatorToken token = filter_operator_at(in_.text().substr(behind));
    if (info == nullptr || token.op == FilterOperator::none) {
      if (looks_like_test(word, token, end)) return unknown_field(start, word);
      return name_test(in_.take_value(false), negated);
    }
    in_.move_to(behind + token.length);
    const bool not_holding = negated != token.negated;
    return is_text(info->field) ? text_test(*info, token.op, behind, not_holding)
                                : number_test(*info, token.op, behind, not_holding);
  }

  // True if `word` is more likely a mistake than a name: `nccl:foo` and `lenght>5ms` are, `aten::mm` and
  // `kernel<float>` are not.
  [[nodiscard]] bool looks_like_test(std::string_view word, const FilterOperatorToken& token, std::size_t end) const {
    if (word.empty() || token.op == FilterOperator::none) return false;
    if (token.op == FilterOperator::in || token.op == FilterOperator::like) return true;
    return parse_time(in_.word_at(end + token.length)).ok();
  }

  FilterGroup unknown_field(std::size_t at, std::string_view word) {
    const std::string_view nearest = nearest_filter_field(word);
    const std::string meant = nearest.empty() ? "" : "did you mean " + std::string(nearest) + "? ";
    return fail(at, "unknown field '" + std::string(word) + "'",
                meant + "fields are " + filter_field_names() + "; quote names that contain : or ~");
  }

  FilterGroup name_test(const FilterValue& value, bool negated) {
    if (failed()) return {};
    FilterTest test{FilterField::name, {}, {}};
    test.patterns.push_back(TextPattern::contains(value.text, stars(value)));
    return leaf(std::move(test), value.at, negated);
  }

  FilterGroup text_test(const FilterFieldInfo& info, FilterOperator op, std::size_t at, bool negated) {
    if (op != FilterOperator::in && op != FilterOperator::like && op != FilterOperator::equal)
      return fail(at, std::string(info.name) + " is text and does not support ordering",
                  "expected one of : ~ = != !~, as in " + std::string(info.example));
    FilterTest test{info.field, {}, {}};
    const bool list = op == FilterOperator::in && info.field != FilterField::name;
    do {
      const FilterValue item = needed_value(info, list);
      if (failed()) return {};
      if (op == FilterOperator::equal) {
        test.patterns.push_back(TextPattern::exact(item.text));
      } else if (list) {
        test.patterns.push_back(TextPattern::whole(item.text, stars(item)));
      } else {
        test.patterns.push_back(TextPattern::contains(item.text, stars(item)));
      }
    } while (list && in_.take(','));
    return leaf(std::move(test), at, negated);
  }

  FilterGroup number_test(const FilterFieldInfo& info, FilterOperator op, std::size_t at, bool negated) {
    if (op == FilterOperator::like)
      return fail(at, std::string(info.name) + " is a number, not text",
                  "expected one of : = != < <= > >=, as in " + std::string(info.example));
    FilterTest test{info.field, {}, {}};
    if (op == FilterOperator::in) {
      do {
        const FilterValue item = needed_value(info, true);
        if (!failed()) add_range(info, item, test.ranges);
      } while (!failed() && in_.take(','));
    } else {
      FilterValue item = needed_value(info, false);
      if (!failed() && is_time(info.field)) take_unit(item);
      if (!failed()) compare(info, op, number(info, item.text, item.at), test.ranges);
    }
    if (failed()) return {};
    return leaf(std::move(test), at, negated);
  }

  static std::int64_t least(FilterField field) {
    return is_time(field) ? FilterRecord::kNone : FilterRecord::kNone + 1;
  }
  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

  static void compare(const FilterFieldInfo& info, FilterOperator op, std::int64_t v,
                      std::vector<FilterTest::Range>& ranges) {
    const std::int64_t low = least(info.field);
    switch (op) {
      case FilterOperator::less:
        ranges.push_back({low, v - 1});
        break;
      case FilterOperator::less_equal:
        ranges.push_back({low, v});
        break;
      case FilterOperator::greater:
        if (v < kMost) ranges.push_back({v + 1, kMost});
        break;
      case FilterOperator::greater_equal:
        ranges.push_back({v, kMost});
        break;
      default:
        ranges.push_back({v, v});
    }
  }

  // Parses "4", "0-7" and "8-"; numbers may be negative.
  void add_range(const FilterFieldInfo& info, const FilterValue& item, std::vector<FilterTest::Range>& ranges) {
    const std::size_t dash = item.text.find('-', 1);
    const std::int64_t first = number(info, item.text.substr(0, dash), item.at);
    if (failed()) return;
    if (dash == std::string::npos) {
      ranges.push_back({first, first});
      return;
    }
    const std::string upper = item.text.substr(dash + 1);
    const std::int64_t last = upper.empty() ? kMost : number(info, upper, item.at + dash + 1);
    if (!failed() && last < first) {
      fail(item.at, "the range '" + item.text + "' is reversed", "write the smaller number first");
      return;
    }
    ranges.push_back({first, last});
  }

  std::int64_t number(const FilterFieldInfo& info, const std::string& text, std::size_t at) {
    const std::string advice = "expected a number, as in " + std::string(info.example);
    if (is_time(info.field)) {
      const Result<Ns> time = parse_time(text);
      if (time) return *time;
      fail(at, "'" + text + "' is not a time: " + time.error().what, time.error().advice);
      return 0;
    }
    const auto number = parse_number<std::int64_t>(text);
    if (!number || *number == FilterRecord::kNone) fail(at, "'" + text + "' is not a whole number", advice);
    return number.value_or(0);
  }

  // Reads a unit that is separated by a space, as in "dur > 1 ms".
  void take_unit(FilterValue& item) {
    const std::string_view word = in_.word();
    if (item.quoted || item.text.empty() || is_filter_letter(item.text.back()) || !is_time_unit(word)) return;
    item.text += word;
    in_.move_to(in_.at() + word.size());
  }

  FilterValue needed_value(const FilterFieldInfo& info, bool in_list) {
    if (in_.next_is('"') || !in_.word().empty()) {
      FilterValue item = in_.take_value(in_list);
      if (failed() || item.quoted || !item.text.empty()) return item;
    }
    fail(in_.at(), std::string(info.name) + " needs a value", "as in " + std::string(info.example));
    return {};
  }

  static TextPattern::Stars stars(const FilterValue& value) {
    return value.quoted ? TextPattern::Stars::literal : TextPattern::Stars::wild;
  }

  FilterGroup leaf(FilterTest test, std::size_t at, bool negated) {
    if (tests_.size() == kMaxFilterTests)
      return fail(at, "more than " + std::to_string(kMaxFilterTests) + " tests",
                  "a list such as rank:0-7,9 counts as one test");
    FilterGroup group;
    (negated ? group.not_holding : group.holding) = TestMask{1} << tests_.size();
    tests_.push_back(std::move(test));
    return group;
  }

  // Builds a group; merges members that are a single test or a group of the same kind.
  static FilterGroup group(bool all, std::vector<FilterGroup> members) {
    FilterGroup joined;
    joined.all = all;
    for (FilterGroup& member : members) {
      const bool single = member.groups.empty() && std::popcount(member.holding | member.not_holding) == 1;
      if (single || member.all == all) {
        joined.holding |= member.holding;
        joined.not_holding |= member.not_holding;
        std::move(member.groups.begin(), member.groups.end(), std::back_inserter(joined.groups));
      } else {
        joined.groups.push_back(std::move(member));
      }
    }
    if (joined.groups.size() == 1 && (joined.holding | joined.not_holding) == 0) {
      FilterGroup only = std::move(joined.groups.front());
      return only;
    }
    return joined;
  }

  FilterGroup fail(std::size_t at, std::string what, std::string advice) {
    in_.fail(at, std::move(what), std::move(advice));
    return {};
  }
  [[nodiscard]] bool failed() const { return in_.error().has_value(); }

  FilterCursor in_;
  std::vector<FilterTest> tests_;
};

}  // namespace

Result<Filter> parse_filter(std::string_view text) { return Parser(text).parse(); }

}  // namespace warpscope
