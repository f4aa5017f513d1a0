#include "core/store/event_archive.hpp"

#include <algorithm>

namespace warpscope::store {

Failure EventArchiveWriter::close_block(bool apart) {
  EventBlockWriter& block = apart ? apart_ : block_;
  const auto section = store_.append_block(block.bytes());
  if (!section) return section.error();
  blocks_.push_back({*section, block.first_offset(), apart});
  block.clear();
  return {};
}

Failure EventArchiveWriter::add(std::uint64_t offset, std::string_view text, const EventFacts& facts, bool apart) {
  if (offset < next_offset_)
    return Error{"", "events are out of order at byte " + std::to_string(offset), "reload the source"};
  if (text.size() > kLongestEventText)
    return Error{"", "the event at byte " + std::to_string(offset) + " is too long for a store", ""};
  EventBlockWriter& block = apart ? apart_ : block_;
  block.add(offset, text, facts);
  next_offset_ = offset + 1;
  return block.bytes().size() >= kBlockBytes ? close_block(apart) : std::nullopt;
}

Failure EventArchiveWriter::finish() {
  for (const bool apart : {false, true})
    if (!(apart ? apart_ : block_).bytes().empty())
      if (auto failure = close_block(apart)) return failure;
  return store_.set_archive(source_, std::move(blocks_));
}

Result<std::shared_ptr<const EventArchiveReader>> EventArchiveReader::open(const StoreFile& store, std::size_t source) {
  auto blocks = store.archive(source);
  if (!blocks) return blocks.error();
  return std::shared_ptr<const EventArchiveReader>(new EventArchiveReader(store, std::move(*blocks)));
}

EventArchiveReader::EventArchiveReader(StoreFile store, std::vector<ArchiveBlock> blocks) : store_(std::move(store)) {
  for (const ArchiveBlock& block : blocks) (block.apart ? apart_ : others_).blocks.push_back(block);
}

Result<bool> EventArchiveReader::find(Series& series, std::uint64_t offset) const {
  const auto after = std::ranges::upper_bound(series.blocks, offset, {}, &ArchiveBlock::first_offset);
  if (after == series.blocks.begin()) return false;
  const auto number = static_cast<std::size_t>(after - series.blocks.begin()) - 1;
  std::optional<EventBlockReader>& events = series.events;
  const auto is_behind = [&] { return events->offset() > offset && (!series.passed || *series.passed >= offset); };
  if (!events || series.open != number || !events->ok() || is_behind()) {
    events.reset();
    series.passed.reset();
    auto bytes = store_.read_block(series.blocks[number].section);
    if (!bytes) return bytes.error();
    series.open = number;
    events.emplace(std::move(*bytes), series.blocks[number].first_offset);
    if (!events->next()) return store_.damaged_events();
  }
  while (events->offset() < offset) {
    series.passed = events->offset();
    if (events->next()) continue;
    if (!events->ok()) return store_.damaged_events();
    return false;
  }
  return events->offset() == offset;
}

Result<std::string> EventArchiveReader::read(std::uint64_t offset, const EventFacts& facts) const {
  const MutexLock lock(mutex_);
  for (Series* const series : {&apart_, &others_}) {
    const auto found = find(*series, offset);
    if (!found) return found.error();
    if (*found) return series->events->text(facts);
  }
  return Error{store_.name(), "the store has no event at byte " + std::to_string(offset), kInsteadOfCutOff};
}

}  // namespace warpscope::store
