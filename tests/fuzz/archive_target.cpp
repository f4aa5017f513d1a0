// Blocks of event texts. Any texts must round-trip; any bytes must be read or rejected.
#include <algorithm>
#include <vector>

#include "core/store/event_block.hpp"
#include "tests/fuzz/controls.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {
namespace {

constexpr std::size_t kMostText = std::size_t{16} << 20;
using Texts = std::vector<std::pair<std::uint64_t, std::string>>;

/// Facts about an event known to writer and reader; any function of the offset works.
store::EventFacts facts_of(std::uint64_t offset) {
  return {static_cast<Ns>(offset * 1'000'003), static_cast<Ns>(offset % 1000)};
}

/// A few bytes may expand to many texts; reads only the first ones.
Texts texts_of(std::span<const std::uint8_t> bytes, std::uint64_t first_offset) {
  store::EventBlockReader reader({bytes.begin(), bytes.end()}, first_offset);
  Texts texts;
  for (std::size_t size = 0; size < kMostText && reader.next(); size += texts.back().second.size()) {
    require(texts.empty() || reader.offset() > texts.back().first, "offsets rise");
    texts.emplace_back(reader.offset(), reader.text(facts_of(reader.offset())));
  }
  return texts;
}

void round_trip(std::string_view input, std::size_t step) {
  store::EventBlockWriter writer;
  Texts texts;
  for (std::uint64_t offset = 5; !input.empty(); offset += step) {
    const std::string_view text = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(input.size(), text.size() + 1));
    texts.emplace_back(offset, text);
    writer.add(offset, text, facts_of(offset));
  }
  require(texts_of(writer.bytes(), writer.first_offset()) == texts, "texts come back as they were");
}

}  // namespace

void run_archive(std::string_view input) {
  Controls controls(input, 2);
  if (controls.byte() % 2 == 0)
    static_cast<void>(texts_of({reinterpret_cast<const std::uint8_t*>(input.data()), input.size()}, 7));
  else
    round_trip(input, controls.size());
}

}  // namespace warpscope::fuzz
