// Archives of event texts. Any texts must round-trip; any bytes, as an archive or as one of its blocks, must be read or
// rejected.
#include <algorithm>
#include <vector>

#include "core/store/event_archive_reader.hpp"
#include "core/store/event_archive_writer.hpp"
#include "tests/fuzz/controls.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {
namespace {

constexpr std::size_t kMostText = std::size_t{16} << 20;

/// Facts about an event known to writer and reader; any function of the offset works.
store::EventFacts facts_of(std::uint64_t offset) {
  return {static_cast<Ns>(offset * 1'000'003), static_cast<Ns>(offset % 1000)};
}

struct StopReading {};

/// A few bytes may expand to a very long text; reads only the start of it.
template <class Reader>
std::vector<std::pair<std::uint64_t, std::string>> texts_of(const Reader& reader, bool& sound) {
  std::vector<std::pair<std::uint64_t, std::string>> texts;
  std::size_t size = 0;
  sound = false;
  try {
    sound = !reader.for_each(facts_of, [&](std::uint64_t offset, std::string_view text) {
      require(texts.empty() || offset > texts.back().first, "offsets rise");
      if ((size += text.size()) > kMostText) throw StopReading{};
      texts.emplace_back(offset, text);
    });
  } catch (const StopReading&) {
  }
  return texts;
}

Result<std::unique_ptr<store::EventArchiveReader>> open(std::string_view archive) {
  return store::EventArchiveReader::open(archive.size(), [archive](std::uint64_t position, std::span<char> into) {
    if (position > archive.size() || into.size() > archive.size() - position)
      return Failure(Error{"", "too short", ""});
    std::copy_n(archive.data() + position, into.size(), into.data());
    return Failure();
  });
}

void read_archive(std::string_view archive) {
  const auto reader = open(archive);
  if (!reader) return;
  bool sound = false;
  const auto texts = texts_of(**reader, sound);
  for (std::size_t i = 0; i < texts.size() && i < 20; ++i) {
    const auto text = (*reader)->read(texts[i].first, facts_of(texts[i].first));
    require(text.ok() && *text == texts[i].second, "one event is read as all are");
  }
  (void)(*reader)->read(archive.size(), facts_of(archive.size()));
}

void read_block(std::string_view bytes) {
  const auto block = store::EventBlock::open(bytes, 7);
  if (!block) return;
  bool sound = false;
  const auto texts = texts_of(*block, sound);
  for (std::uint32_t i = 0; i < block->size() && i < 20; ++i) {
    const auto text = block->text(i, facts_of(block->offset(i)));
    if (i < texts.size()) require(text.ok() && *text == texts[i].second, "one event is read as all are");
  }
  require(!sound || texts.size() == block->size(), "all events are visited");
}

void round_trip(std::string_view input, std::size_t step) {
  std::string archive;
  store::EventArchiveWriter writer(
      [&](std::span<const char> bytes) {
        archive.append(bytes.data(), bytes.size());
        return Failure();
      },
      1);
  std::vector<std::pair<std::uint64_t, std::string>> texts;
  for (std::uint64_t offset = 0; !input.empty(); offset += step) {
    const std::string_view text = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(input.size(), text.size() + 1));
    texts.emplace_back(offset, text);
    require(!writer.add(offset, text, facts_of(offset)), "any text can be added");
  }
  require(!writer.finish(), "an archive can be finished");
  const auto reader = open(archive);
  require(reader.ok() && (*reader)->events() == texts.size(), "an archive opens and has all events");
  bool sound = false;
  const auto back = texts_of(**reader, sound);
  require(sound && std::equal(back.begin(), back.end(), texts.begin(), texts.end()), "texts come back as they were");
}

}  // namespace

void run_archive(std::string_view input) {
  Controls controls(input, 2);
  switch (controls.byte() % 3) {
    case 0:
      return read_archive(input);
    case 1:
      return read_block(input);
    default:
      return round_trip(input, controls.size());
  }
}

}  // namespace warpscope::fuzz
