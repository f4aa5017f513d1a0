#include "core/store/event_archive_reader.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/store/byte_table.hpp"
#include "core/store/event_archive_format.hpp"
#include "core/store/varint.hpp"

namespace warpscope::store {
namespace {

Error damaged() { return {"", "the store's events are corrupt", "write the store again"}; }

std::uint64_t load_u64(const char* at) {
  std::uint64_t value = 0;
  for (int i = 7; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(at[i]);
  return value;
}

}  // namespace

Result<std::unique_ptr<EventArchiveReader>> EventArchiveReader::open(std::uint64_t size, Fetch fetch) {
  if (size < kArchiveFooter) return damaged();
  std::array<char, kArchiveFooter> footer{};
  if (auto failure = fetch(size - footer.size(), footer)) return *failure;
  const FrameSizes sizes{load_u64(footer.data()), load_u64(footer.data() + 8)};
  const std::uint64_t before_footer = size - footer.size();
  if (std::string_view(footer.data() + 16, kArchiveMagic.size()) != kArchiveMagic || sizes.stored > before_footer ||
      !sizes.plausible())
    return damaged();
  std::string stored(static_cast<std::size_t>(sizes.stored), '\0');
  if (auto failure = fetch(before_footer - sizes.stored, stored)) return *failure;
  UnpackedBytes index;
  std::unique_ptr<EventArchiveReader> reader(new EventArchiveReader(std::move(fetch)));
  if (!unpack(stored, sizes, index) || !reader->read_index(index.span(), before_footer - sizes.stored))
    return damaged();
  return reader;
}

bool EventArchiveReader::read_index(std::span<const char> index, std::uint64_t blocks_end) {
  VarintReader reader(index);
  const std::uint64_t count = reader.take(index.size());
  std::uint64_t position = 0;
  std::uint64_t offset = 0;
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    const std::uint64_t step = reader.take(std::numeric_limits<std::uint64_t>::max() - offset);
    if (i > 0 && step == 0) return false;
    offset += step;
    const std::uint64_t size = reader.take(blocks_end - position);
    events_ += reader.take(2 * kBlockEvents);
    const std::span<const char> hash = reader.take_bytes(8);
    if (!reader.ok()) return false;
    blocks_.push_back({offset, position, size, load_u64(hash.data())});
    position += size;
  }
  return reader.ok() && reader.left() == 0 && position == blocks_end;
}

Result<std::string> EventArchiveReader::bytes_of(const Block& block) const {
  std::string bytes(static_cast<std::size_t>(block.size), '\0');
  if (auto failure = fetch_(block.position, bytes)) return *failure;
  if (hash_of(bytes) != block.hash) return damaged();
  return bytes;
}

Failure EventArchiveReader::verify() const {
  for (const Block& block : blocks_)
    if (const auto bytes = bytes_of(block); !bytes) return bytes.error();
  return {};
}

Result<std::shared_ptr<const EventBlock>> EventArchiveReader::block(std::size_t number) const {
  {
    const std::lock_guard lock(mutex_);
    if (last_ && last_number_ == number) return last_;
  }
  const Block& place = blocks_[number];
  const auto bytes = bytes_of(place);
  if (!bytes) return bytes.error();
  auto opened = EventBlock::open(*bytes, place.first_offset);
  if (!opened.ok()) return opened.error();
  auto block = std::make_shared<const EventBlock>(std::move(*opened));
  const std::lock_guard lock(mutex_);
  last_ = block;
  last_number_ = number;
  return block;
}

Result<std::string> EventArchiveReader::read(std::uint64_t offset, const EventFacts& facts) const {
  const Error nothing{"", "the store has no event at byte " + std::to_string(offset), "write the store again"};
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), offset,
                                      [](std::uint64_t at, const Block& block) { return at < block.first_offset; });
  if (after == blocks_.begin()) return nothing;
  const auto found = block(static_cast<std::size_t>(after - blocks_.begin()) - 1);
  if (!found.ok()) return found.error();
  const EventBlock& in = **found;
  const auto event = in.find(offset);
  if (!event) return nothing;
  return in.text(*event, facts);
}

Failure EventArchiveReader::for_each(const EventBlock::FactsOf& facts_of, const EventBlock::Visit& visit) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto found = block(i);
    if (!found.ok()) return found.error();
    if (auto failure = (*found)->for_each(facts_of, visit)) return failure;
  }
  return {};
}

}  // namespace warpscope::store
