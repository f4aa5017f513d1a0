#include "core/base/filter/filter.hpp"

#include <functional>
#include <limits>
#include <random>

#include "tests/catch.hpp"

using namespace warpscope;

namespace {

FilterRecord kernel() {
  FilterRecord record;
  record.name = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
  record.category = "kernel";
  record.family = "communication";
  record.node = "algo-1";
  record.rank = 3;
  record.gpu = 3;
  record.stream = 20;
  record.depth = 0;
  record.begin = 1'500'000'000;
  record.duration = 1'200'000;
  return record;
}

FilterRecord op() {
  FilterRecord record;
  record.name = "aten::mm";
  record.category = "cpu_op";
  record.family = "operator";
  record.node = "algo-2";
  record.rank = 8;
  record.gpu = 0;
  record.thread = 4045;
  record.depth = 5;
  record.begin = 10;
  record.duration = 900;
  return record;
}

bool passes(std::string_view expression, const FilterRecord& record) {
  INFO(expression);
  const Result<Filter> filter = parse_filter(expression);
  if (!filter) FAIL(filter.error().message());
  return filter->matches(record);
}

bool on_kernel(std::string_view expression) { return passes(expression, kernel()); }
bool on_op(std::string_view expression) { return passes(expression, op()); }

}  // namespace

TEST_CASE("an empty filter matches everything") {
  CHECK(on_kernel(""));
  CHECK(on_op(" \t "));
  CHECK(Filter().matches(kernel()));
  CHECK(Filter().passes_all());
  CHECK_FALSE(parse_filter("x")->passes_all());
}

TEST_CASE("words and quoted strings test the name") {
  CHECK(on_kernel("nccl"));
  CHECK(on_kernel("ALLREDUCE"));
  CHECK_FALSE(on_kernel("gather"));
  CHECK(on_kernel("nccl*ring"));
  CHECK(on_kernel("nccl ring"));
  CHECK_FALSE(on_kernel("\"nccl ring\""));
  CHECK(on_kernel("\"LL(ncclDev\""));
  CHECK_FALSE(on_kernel("\"nccl*ring\""));
  CHECK(on_op("aten::mm"));
  CHECK(on_op("ATEN::"));
  CHECK(on_kernel("storage<4096ul>"));
  CHECK_FALSE(on_op("rank"));  // a field name without an operator is a word
  CHECK(passes("\"say \\\"hi\\\" \\\\\"", {.name = "say \"hi\" \\", .category = {}, .family = {}, .node = {}}));
}

TEST_CASE("name operators") {
  CHECK(on_kernel("name~nccl"));
  CHECK(on_kernel("name:nccl"));
  CHECK(on_kernel("name ~ nccl"));
  CHECK_FALSE(on_kernel("name!~nccl"));
  CHECK(on_op("name!~nccl"));
  CHECK(on_op("name=aten::mm"));
  CHECK(on_op("name=\"aten::mm\""));
  CHECK_FALSE(on_op("name=ATEN::mm"));
  CHECK_FALSE(on_op("name=aten::m"));
  CHECK_FALSE(on_op("name=aten::*"));
  CHECK_FALSE(on_op("name!=aten::mm"));
  CHECK(on_kernel("name!=aten::mm"));
  CHECK(on_kernel("NAME~nccl"));
}

TEST_CASE("category, family and node are whole words, with stars and lists") {
  CHECK(on_kernel("cat:kernel"));
  CHECK(on_kernel("category:Kernel"));
  CHECK_FALSE(on_kernel("cat:kern"));
  CHECK(on_kernel("cat:kern*"));
  CHECK(on_kernel("cat:gpu_memcpy,kernel"));
  CHECK(on_kernel("cat:gpu_memcpy, kernel"));
  CHECK(on_kernel("cat:\"gpu, x\",\"kernel\""));
  CHECK(on_op("cat~op"));
  CHECK_FALSE(on_kernel("cat:cpu_*"));
  CHECK(on_kernel("family:communication"));
  CHECK(on_kernel("family:comm*"));
  CHECK(on_kernel("node:algo-1"));
  CHECK_FALSE(on_op("node:algo-1"));
  CHECK(on_op("node:algo-*"));
  CHECK(on_op("cat!=kernel"));
}

TEST_CASE("numbers, lists and ranges") {
  CHECK(on_kernel("rank:3"));
  CHECK(on_kernel("rank:0-7,9"));
  CHECK_FALSE(on_op("rank:0-7,9"));
  CHECK(on_op("rank:0-3,8"));
  CHECK(on_op("rank:4-"));
  CHECK_FALSE(on_kernel("rank:4-"));
  CHECK(on_kernel("rank=3"));
  CHECK(on_kernel("rank==3"));
  CHECK(on_kernel("rank!=4"));
  CHECK(on_kernel("rank>2"));
  CHECK_FALSE(on_kernel("rank>3"));
  CHECK(on_kernel("rank>=3"));
  CHECK(on_kernel("rank<4"));
  CHECK_FALSE(on_kernel("rank<3"));
  CHECK(on_kernel("rank<=3"));
  CHECK(on_kernel("stream:7,20"));
  CHECK(on_op("tid:4045"));
  CHECK(on_op("thread:4045"));
  CHECK(on_op("depth>3"));
  CHECK(on_kernel("device:3"));
  CHECK_FALSE(on_kernel("gpu:-3"));
  CHECK(on_kernel("gpu:-3-3"));
  CHECK(on_kernel("gpu:-3--1,2-4"));
}

TEST_CASE("a missing field fails every test except negated ones") {
  CHECK_FALSE(on_op("stream:7"));
  CHECK_FALSE(on_op("stream<1000"));
  CHECK_FALSE(on_op("stream<=9223372036854775807"));
  CHECK_FALSE(on_op("stream>-9223372036854775807"));
  CHECK(on_op("stream!=7"));
  CHECK(on_op("not stream:7"));
}

TEST_CASE("durations and start times have units") {
  CHECK(on_kernel("dur>1ms"));
  CHECK_FALSE(on_kernel("dur>1.2ms"));
  CHECK(on_kernel("dur>=1.2ms"));
  CHECK(on_kernel("dur=1.2ms"));
  CHECK(on_kernel("dur = 1200 us"));
  CHECK(on_kernel("dur > 1 ms nccl"));
  CHECK(on_kernel("duration<1s"));
  CHECK(on_op("dur<1000"));
  CHECK(on_op("dur<1µs"));
  CHECK(on_kernel("dur:1ms-2ms"));
  CHECK_FALSE(on_op("dur:1ms-2ms"));
  CHECK(on_kernel("begin:1.5s-2s"));
  CHECK(on_op("ts<1us"));
  CHECK_FALSE(on_kernel("dur<0"));
  FilterRecord damaged = kernel();
  damaged.duration = std::numeric_limits<Ns>::min();
  CHECK(passes("dur<0", damaged));
}

TEST_CASE("precedence is not, and, or") {
  FilterRecord record;
  record.name = "a";
  CHECK(passes("a or b and c", record));
  CHECK(passes("a or b c", record));
  CHECK_FALSE(passes("(a or b) c", record));
  CHECK(passes("c b or a", record));
  CHECK_FALSE(passes("not a or b", record));
  CHECK(passes("not b c or a", record));
  CHECK(passes("not (b c)", record));
  CHECK_FALSE(passes("not (a or b)", record));
  CHECK(passes("not b not c", record));
  CHECK(passes("not not a", record));
  CHECK(passes("NOT b AND (c OR a)", record));
  CHECK(passes("not(b)a", record));
  CHECK(passes("((((a))))", record));
  CHECK(passes("\"and\" or a", record));
}

TEST_CASE("errors have a position, a cause and advice") {
  struct Case {
    const char* expression;
    const char* where;
    const char* what;
  };
  const Case cases[] = {
      {"cat:kernel catt:op", "column 12", "unknown field 'catt'"},
      {"name~", "column 6", "name needs a value"},
      {"dur>", "column 5", "dur needs a value"},
      {"rank:", "column 6", "rank needs a value"},
      {"rank:0,", "column 8", "rank needs a value"},
      {"rank:,1", "column 6", "rank needs a value"},
      {"rank:x", "column 6", "'x' is not a whole number"},
      {"rank:7-3", "column 6", "the range '7-3' is reversed"},
      {"rank:0-x", "column 8", "'x' is not a whole number"},
      {"rank:1.5", "column 6", "'1.5' is not a whole number"},
      {"rank:99999999999999999999", "column 6", "'99999999999999999999' is not a whole number"},
      {"rank~3", "column 5", "rank is a number, not text"},
      {"name>3", "column 5", "name is text and does not support ordering"},
      {"dur>1parsec", "column 5", "'1parsec' is not a time: unknown unit 'parsec'"},
      {"dur>1.5", "column 5", "'1.5' is not a time: a unit is missing"},
      {"(a or b", "column 1", "unclosed ("},
      {"a )", "column 3", "unmatched )"},
      {"a or", "column 5", "a test is missing"},
      {"or a", "column 1", "a test is missing"},
      {"a and or b", "column 7", "a test is missing"},
      {"()", "column 2", "a test is missing"},
      {"not", "column 4", "a test is missing"},
      {"µµ \"open", "column 4", "unclosed quote"},
      {"name=\"open", "column 6", "unclosed quote"},
      {"lenght>5ms", "column 1", "unknown field 'lenght'"},
  };
  for (const Case& c : cases) {
    INFO(c.expression);
    const Result<Filter> filter = parse_filter(c.expression);
    REQUIRE_FALSE(filter.ok());
    CHECK(filter.error().where == c.where);
    CHECK(filter.error().what == c.what);
    CHECK_FALSE(filter.error().advice.empty());
  }
  CHECK(parse_filter("catt:op").error().advice.starts_with("did you mean cat? "));
  CHECK(parse_filter("strem:7").error().advice.starts_with("did you mean stream? "));
  CHECK(parse_filter("kernel:x").error().advice.starts_with("fields are "));
}

TEST_CASE("size and nesting of filters are limited") {
  std::string many;
  for (std::size_t i = 0; i < kMaxFilterTests; ++i) many += "x ";
  CHECK(parse_filter(many).ok());
  CHECK_FALSE(parse_filter(many + "x").ok());
  CHECK_FALSE(parse_filter(std::string(100'000, '(')).ok());
  std::string nots;
  for (int i = 0; i < 100'000; ++i) nots += "not ";
  CHECK_FALSE(parse_filter(nots + "x").ok());
  CHECK(parse_filter(std::string(50, '(') + "x" + std::string(50, ')')).ok());
}

TEST_CASE("the example of every field parses and uses that field") {
  CHECK(filter_fields().size() == kFilterFields);
  for (const FilterFieldInfo& info : filter_fields()) {
    INFO(info.example);
    const Result<Filter> filter = parse_filter(info.example);
    REQUIRE(filter.ok());
    CHECK(filter->fields() == field_set(info.field));
    CHECK(&info == &filter_fields()[static_cast<std::size_t>(info.field)]);
  }
}

namespace {

// A random expression and its meaning, computed by a second evaluator that does not use masks.
struct Oracle {
  std::mt19937& random;

  struct Meaning {
    std::string text;
    std::function<bool(const FilterRecord&)> holds;
  };

  Meaning leaf() {
    const auto pick = [&](auto... options) {
      const std::string all[] = {options...};
      return all[random() % sizeof...(options)];
    };
    const std::int64_t n = random() % 4;
    const std::string number = std::to_string(n);
    switch (random() % 9) {
      case 0: {
        const std::string word = pick("al", "be", "ga");
        return {word, [word](const FilterRecord& r) { return r.name.find(word) != std::string_view::npos; }};
      }
      case 1: {
        const std::string word = pick("alpha", "beta");
        return {"name!=" + word, [word](const FilterRecord& r) { return r.name != word; }};
      }
      case 2:
        return {"cat:k*", [](const FilterRecord& r) { return r.category.starts_with("k"); }};
      case 3:
        return {"rank>=" + number, [n](const FilterRecord& r) { return r.rank != FilterRecord::kNone && r.rank >= n; }};
      case 4:
        return {"stream!=" + number, [n](const FilterRecord& r) { return r.stream != n; }};
      case 5:
        return {"gpu:0," + number, [n](const FilterRecord& r) { return r.gpu == 0 || r.gpu == n; }};
      case 6:
        return {"dur<" + number, [n](const FilterRecord& r) { return r.duration < n; }};
      case 7:
        return {"begin:1-2", [](const FilterRecord& r) { return r.begin >= 1 && r.begin <= 2; }};
      default:
        return {"depth=" + number, [n](const FilterRecord& r) { return r.depth == n; }};
    }
  }

  Meaning expression(int size) {
    if (size <= 1) return leaf();
    switch (random() % 4) {
      case 0: {
        Meaning inner = expression(size - 1);
        return {"not (" + inner.text + ")", [inner](const FilterRecord& r) { return !inner.holds(r); }};
      }
      case 1: {
        Meaning a = expression(size / 2), b = expression(size - size / 2);
        return {"(" + a.text + ") or (" + b.text + ")",
                [a, b](const FilterRecord& r) { return a.holds(r) || b.holds(r); }};
      }
      default: {
        Meaning a = expression(size / 2), b = expression(size - size / 2);
        const char* between = random() % 2 == 0 ? ") and (" : ") (";
        return {"(" + a.text + between + b.text + ")",
                [a, b](const FilterRecord& r) { return a.holds(r) && b.holds(r); }};
      }
    }
  }

  FilterRecord record() {
    static constexpr std::string_view kNames[] = {"alpha", "beta", "gamma", "algabe", ""};
    static constexpr std::string_view kCategories[] = {"kernel", "cpu_op", ""};
    const auto number = [&] {
      return random() % 5 == 0 ? FilterRecord::kNone : static_cast<std::int64_t>(random() % 4);
    };
    FilterRecord r;
    r.name = kNames[random() % 5];
    r.category = kCategories[random() % 3];
    r.rank = number();
    r.gpu = number();
    r.stream = number();
    r.depth = number();
    r.begin = static_cast<Ns>(random() % 4);
    r.duration = static_cast<Ns>(random() % 4);
    return r;
  }
};

}  // namespace

TEST_CASE("random filters agree with a plain evaluator, and partial answers are never wrong") {
  std::mt19937 random(17);
  Oracle oracle{random};
  int decided_early = 0;
  int passed = 0;
  for (int round = 0; round < 1500; ++round) {
    const Oracle::Meaning meaning = oracle.expression(1 + static_cast<int>(random() % 12));
    const Result<Filter> filter = parse_filter(meaning.text);
    INFO(meaning.text);
    REQUIRE(filter.ok());
    for (int i = 0; i < 20; ++i) {
      const FilterRecord record = oracle.record();
      const bool expected = meaning.holds(record);
      passed += expected ? 1 : 0;
      REQUIRE(filter->matches(record) == expected);

      // Some fields of the record are known; the others contain garbage.
      FilterRecord partial = oracle.record();
      const auto fields = static_cast<FieldSet>(random() & kAllFields);
      const auto known = [&](FilterField field) { return (fields & field_set(field)) != 0; };
      if (known(FilterField::name)) partial.name = record.name;
      if (known(FilterField::category)) partial.category = record.category;
      if (known(FilterField::rank)) partial.rank = record.rank;
      if (known(FilterField::gpu)) partial.gpu = record.gpu;
      if (known(FilterField::stream)) partial.stream = record.stream;
      if (known(FilterField::depth)) partial.depth = record.depth;
      if (known(FilterField::begin)) partial.begin = record.begin;
      if (known(FilterField::duration)) partial.duration = record.duration;
      const TestMask tests = filter->tests_on(fields);
      const Truth truth = filter->decide(tests, filter->run(tests, partial));
      if (truth != Truth::unknown) REQUIRE((truth == Truth::yes) == expected);
      if (truth != Truth::unknown && (filter->fields() & ~fields) != 0) ++decided_early;
    }
  }
  CHECK(decided_early > 1000);
  CHECK(passed > 1000);
}

TEST_CASE("any text either parses or fails with a position") {
  std::mt19937 random(23);
  static constexpr std::string_view kPieces[] = {"cat", ":",   "name", "~", "dur",  ">",    "<",  "=", "!",
                                                 "1ms", "0-7", ",",    "(", ")",    "\"",   "\\", " ", "not",
                                                 "or",  "and", "*",    "µ", "\xFF", "rank", "-"};
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (auto n = random() % 12; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
    INFO(text);
    const Result<Filter> filter = parse_filter(text);
    if (filter) {
      CHECK(filter->text() == text);
      static_cast<void>(filter->matches(kernel()));
    } else {
      REQUIRE(filter.error().where.starts_with("column "));
    }
  }
}
