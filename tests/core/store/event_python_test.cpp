// The format description of the archive is correct: an independent Python reader returns the original texts.
#include <algorithm>
#include <array>
#include <cstdio>

#include "tests/core/ingest/trace_files.hpp"
#include "tests/core/store/event_support.hpp"
#include "tests/shared_dir.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {}  // namespace

TEST_CASE("a reader written from the archive's document gives the texts back", "[store]") {
  if (output_of("python3 -c 'print(1)' 2>/dev/null") != "1\n") {
    WARN("no python3: the reader written from the document is not tried");
    return;
  }
  auto events = regular_events(17'000, 41);
  // Every kind of slot: numbers in all styles, strings that hardly repeat, no values at all, damaged events.
  std::uint64_t offset = events.back().offset;
  tracegen::Random random(43);
  for (int i = 0; i < 3000; ++i) {
    const std::string number = std::to_string(i / 7);
    for (const std::string& text :
         {"{\"ts\": \"" + number + ".50\", \"a\": -" + number + ".0, \"b\": " + std::to_string(random.below(9)) +
              ".25}",
          "{\"unlike\": \"" + std::to_string(random.next()) + "\"}", "n{\"x\": 1,, \xff" + number})
      events.push_back({offset += 200, text, {random.below(1'000'000) - 500'000, random.below(1000)}});
  }
  std::string expected;
  std::string facts;
  for (const ArchivedEvent& event : events) {
    expected += event.text;
    facts += std::to_string(event.offset) + " " + std::to_string(event.facts.begin) + " " +
             std::to_string(event.facts.duration) + "\n";
  }
  const TestFolder folder;
  const std::string archive = folder.write("archive", archive_of(events)).string();
  const std::string facts_file = folder.write("facts", facts).string();
  const std::string script = (source_dir() / "tests/core/store/read_events.py").string();
  const std::string said = output_of("python3 '" + script + "' '" + archive + "' '" + facts_file + "' 2>&1");
  if (said == expected) {
    SUCCEED();
    return;
  }
  const auto differs = std::mismatch(said.begin(), said.end(), expected.begin(), expected.end());
  const auto at = static_cast<std::size_t>(differs.first - said.begin());
  const std::size_t from = at < 200 ? 0 : at - 200;
  FAIL_CHECK("python says\n" << said.substr(from, 600) << "\nand not\n" << expected.substr(from, 600));
}
