// Memory timelines: for any text, accepted values are sorted and of known categories, and rejected ones have a
// diagnostic.
#include <algorithm>

#include "core/ingest/formats/memory_timeline/memory_timeline.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {

void run_memory(std::string_view input) {
  const MemoryFile file(input);
  trace::SourceFile source;
  source.path = file.path();
  Diagnostics diagnostics;
  const auto timeline = ingest::read_memory_timeline(source, diagnostics);
  for (const Diagnostic& one : diagnostics.all())
    require(!explain(one.code).empty(), "the diagnostic " + one.code + " is explained");
  (void)ingest::MemoryTimelineFormat().sniff({"", input});
  if (!timeline) return;
  require(!timeline->times.empty() && timeline->bytes.size() == timeline->times.size() &&
              timeline->categories.size() == timeline->times.size(),
          "a column is full");
  require(std::ranges::is_sorted(timeline->times) && timeline->times.front() >= 0, "times ascend");
  require(std::ranges::all_of(timeline->categories, [](std::uint8_t c) { return c <= trace::kUnknownMemory; }),
          "categories are known");
}

}  // namespace warpscope::fuzz
