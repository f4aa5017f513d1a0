// Repair of damaged text, called as by the reader and with arbitrary text: it terminates, stays within the text, and
// produces valid JSON.
#include <simdjson.h>

#include "core/ingest/formats/trace_events/boundary.hpp"
#include "core/ingest/formats/trace_events/event_parser.hpp"
#include "core/ingest/formats/trace_events/repair.hpp"
#include "core/ingest/json/compact.hpp"
#include "core/ingest/json/simd_block.hpp"
#include "core/ingest/json/text.hpp"
#include "tests/fuzz/controls.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {
namespace {

using namespace ingest::json;

bool within(std::string_view piece, std::string_view whole) {
  return piece.empty() || (piece.data() >= whole.data() && piece.data() + piece.size() <= whole.data() + whole.size());
}

bool is_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

void check_fields(const std::vector<RawField>& fields, std::string_view text) {
  const char* last = text.data();
  for (const RawField& field : fields) {
    require(within(field.key, text) && within(field.value, text), "fields lie within the text");
    require(field.key.data() >= last, "fields come in order");
    last = field.key.data();
  }
}

void mend_events(std::string_view text, Bound bound) {
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1 + at / 2)) {
    const Region region{text.data() + at, text.data() + text.size(), bound};
    std::vector<RawField> fields;
    Notes notes;
    const EventOutcome repair = split_damaged_event(region, fields, notes);
    check_fields(fields, text.substr(at));
    if (repair.status == EventStatus::complete)
      require(repair.next > region.begin && repair.next <= region.end, "an event ends within its region");
    fields.clear();
    split_damaged_object(text.substr(at), fields, notes);
    check_fields(fields, text.substr(at));
    ingest::RawEvent event;
    Scratch scratch;
    (void)repair_event(region, event, scratch, notes);
    require(is_utf8(event.name) && is_utf8(event.category), "names are valid UTF-8");
  }
}

}  // namespace

void run_repair(std::string_view input) {
  Controls controls(input, 2);
  const auto bound = static_cast<Bound>(controls.below(3));
  std::string padded(input);
  padded.append(kPadding, '\0');
  const std::string_view text(padded.data(), input.size());

  mend_events(text, bound);
  if (!text.empty()) {
    Notes notes;
    const char* const next = skip_damaged_value(text.data(), text.data() + text.size(), notes);
    require(next >= text.data() && next <= text.data() + text.size(), "a value ends within the text");
  }

  Scratch scratch;
  Notes notes;
  require(is_utf8(decode_string(text, scratch, notes)), "decoded text is valid UTF-8");
  const std::string line = excerpt(text, 80);
  require(line.size() <= 80 && is_utf8(line) && line.find('\n') == std::string::npos, "an excerpt is one short line");
  require(is_utf8(compact_json(text, Words::keep)), "compact text is valid UTF-8");
  const std::string compact = compact_json(text, Words::as_null);
  require(is_utf8(compact), "compact JSON is valid UTF-8");
  require(compact_json(compact, Words::as_null) == compact, "compact JSON is not made any more compact");
}

}  // namespace warpscope::fuzz
