#include "core/store/event_archive_writer.hpp"

#include "core/store/byte_table.hpp"
#include "core/store/event_archive_format.hpp"
#include "core/store/event_frame.hpp"
#include "core/store/varint.hpp"

namespace warpscope::store {
namespace {

void append_u64(std::string& out, std::uint64_t value) {
  for (int i = 0; i < 8; ++i, value >>= 8) out.push_back(static_cast<char>(value & 0xff));
}

}  // namespace

Failure EventArchiveWriter::write(std::string_view bytes) {
  bytes_ += bytes.size();
  return sink_({bytes.data(), bytes.size()});
}

Failure EventArchiveWriter::close_block() {
  const std::uint64_t first = block_.first_offset();
  const std::uint32_t events = block_.events();
  const std::string bytes = block_.finish();
  append_varint(index_, first - indexed_offset_);
  append_varint(index_, bytes.size());
  append_varint(index_, events);
  append_u64(index_, hash_of(bytes));
  indexed_offset_ = first;
  ++blocks_;
  return write(bytes);
}

Failure EventArchiveWriter::add(std::uint64_t offset, std::string_view text, const EventFacts& facts) {
  if (events_ > 0 && offset <= last_offset_)
    return Error{"", "events are out of order at byte " + std::to_string(offset), "reload the source"};
  if (text.size() > kLongestEventText)
    return Error{"", "the event at byte " + std::to_string(offset) + " is too long for a store", ""};
  block_.add(offset, text, facts);
  last_offset_ = offset;
  ++events_;
  return block_.full() ? close_block() : std::nullopt;
}

Failure EventArchiveWriter::finish() {
  if (block_.events() > 0)
    if (auto failure = close_block()) return failure;
  std::string index;
  append_varint(index, blocks_);
  index += index_;
  std::string packed;
  FramePacker().pack(index, kArchiveLevel, packed);
  const std::size_t stored = packed.size();
  append_u64(packed, index.size());
  append_u64(packed, stored);
  packed += kArchiveMagic;
  return write(packed);
}

}  // namespace warpscope::store
