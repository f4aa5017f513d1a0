// Finds the end of the event array after corruption.
#include "core/ingest/formats/trace_events/boundary.hpp"

#include <string>

#include "tests/catch.hpp"

using namespace warpscope::ingest;

namespace {

struct Found {
  json::Scan status;
  std::ptrdiff_t at;
  bool operator==(const Found&) const = default;
};

Found array_end(std::string text, bool final) {
  const std::size_t size = text.size();
  text.append(64, '\0');  // as in the window of a reader
  const char* const end = text.data() + size;
  const json::EventStart found = json::find_array_end(text.data(), end, end, final);
  return {found.status, found.at - text.data()};
}

}  // namespace

TEST_CASE("an array of events ends at the end of the text, or before a key that is written after the events") {
  using enum json::Scan;
  for (const char* text : {"@@@]", "@@@]}", "@@@] }\n", "@@@], \"traceName\": \"a\"}"}) {
    INFO(text);
    CHECK(array_end(text, true) == Found{complete, 3});
  }
  CHECK(array_end("@@@]}", false) == Found{need_more, 3});
  CHECK(array_end("@@@], ", false) == Found{need_more, 3});
  // These brackets are inside an event.
  CHECK(array_end("[1], \"dur\": 2}", true).status == damaged);
  CHECK(array_end("[1]]}", true) == Found{complete, 3});
}
