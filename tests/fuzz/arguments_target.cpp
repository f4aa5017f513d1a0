// Reading one event again: every event is found unchanged at its offset; other offsets do no harm.
#include "core/ingest/bytes/content_kind.hpp"
#include "core/ingest/formats/trace_events/arguments.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/one_event.hpp"
#include "tests/fuzz/controls.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {

void run_arguments(std::string_view input) {
  constexpr std::size_t kEvents = 40;
  Controls controls(input, 2);
  const std::size_t anywhere = controls.below(1 + std::min<std::size_t>(input.size(), 65'000));
  const MemoryFile file(input);
  trace::SourceFile source;
  source.path = file.path();
  const auto somewhere = tests::read_event_at(source, anywhere);
  if (!somewhere) require(!somewhere.error().what.empty(), "an error says what is wrong");
  if (ingest::content_kind(input.substr(0, 512)) != ingest::ContentKind::text) return;

  const tests::Parsed parsed = tests::parse_text(input);
  for (std::size_t i = 0; i < parsed.events.size() && i < kEvents; ++i) {
    const tests::KeptEvent& event = parsed.events[i];
    const auto text = tests::read_event_at(source, event.offset);
    require(text.ok(), "an event that was read is found again");
    require(text->repaired == event.repaired, "it is as sound as it was");
    const std::string* const name = text->find("name");
    std::size_t names = 0;
    for (const ingest::EventRow& row : text->rows) names += row.path == "name" ? 1 : 0;
    if (names == 1 && !event.repaired && !event.name.empty() && !name->starts_with('{') && !name->starts_with('['))
      require(*name == event.name, "it has its name");
  }
}

}  // namespace warpscope::fuzz
