// The filter language: no expression does harm, and evaluating part of a slice never contradicts evaluating all of it.
#include <array>
#include <limits>
#include <memory>

#include "core/analysis/slices/search.hpp"
#include "core/base/filter/filter.hpp"
#include "core/ingest/read/source_reader.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {
namespace {

constexpr Ns kMost = std::numeric_limits<Ns>::max();

std::array<FilterRecord, 5> records() {
  return {
      FilterRecord{},
      FilterRecord{"aten::mm", "cpu_op", "operator", "algo-1", 0, 0, FilterRecord::kNone, 4000, 3, 1000, 2'500'000},
      FilterRecord{"ncclDevKernel_AllReduce(float*, int)", "kernel", "communication", "algo-2", 7, 3, 20,
                   FilterRecord::kNone, 0, 0, 0},
      FilterRecord{"Größe 尺寸 \xf0\x9f\x98\x80", "user_annotation", "annotation", "", -1, 1, 7, -7, 64, kMost, kMost},
      FilterRecord{"\xff\xfe\x80", "", "", "\x80", kMost, kMost, kMost, kMost, kMost, -kMost, -kMost}};
}

std::shared_ptr<const trace::Profile> small_profile() {
  const std::string text =
      R"({"traceEvents": [{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":12,"tid":13,"ts":1,"dur":9},)"
      R"({"ph":"X","cat":"kernel","name":"ncclKernel","pid":0,"tid":7,"ts":3,"dur":4,"args":{"correlation":1}},)"
      R"({"ph":"X","cat":"cuda_runtime","name":"launch","pid":12,"tid":13,"ts":2,"dur":1,"args":{"correlation":1}}]})";
  const MemoryFile file(text);
  trace::SourceFile source;
  source.path = file.path();
  auto dictionary = std::make_shared<trace::Dictionary>();
  const ingest::ReadOutcome read = ingest::read_source(std::move(source), 0, *dictionary);
  require(read.data.rank != nullptr, "the fixed trace can be read");
  return trace::assemble_profile("/proc/self/fd", dictionary, {read.data.rank}, {}, true);
}

}  // namespace

void run_filter(std::string_view input) {
  const Result<Filter> filter = parse_filter(input);
  if (!filter) {
    require(!filter.error().what.empty(), "an error says what is wrong");
    return;
  }
  const Result<Filter> again = parse_filter(filter->text());
  require(again.ok() &&
              std::equal(filter->tests().begin(), filter->tests().end(), again->tests().begin(), again->tests().end()),
          "the text of a filter is that filter");
  for (const FilterRecord& record : records()) {
    const bool passes = filter->matches(record);
    for (FieldSet known = 0; known <= kAllFields; known = static_cast<FieldSet>(known * 2 + 1)) {
      const Truth truth = filter->decide(filter->tests_on(known), filter->run(filter->tests_on(known), record));
      require(truth == Truth::unknown || (truth == Truth::yes) == passes, "what is known in part is true of the whole");
    }
  }
  static const std::shared_ptr<const trace::Profile> profile = small_profile();
  const analysis::SliceMatcher matcher(profile, *filter);
  std::uint64_t passing = 0;
  for (trace::SliceOrdinal i = 0; i < profile->ranks[0]->lane_start.back(); ++i) {
    const bool passes = matcher.matches({0, i});
    require(passes == filter->matches(matcher.record({0, i})), "a matcher agrees with its filter");
    passing += passes ? 1 : 0;
  }
  require(analysis::search(matcher).total == passing, "a search finds what passes");
}

}  // namespace warpscope::fuzz
