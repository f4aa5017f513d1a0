#include "core/store/event_archive.hpp"

#include <algorithm>

namespace warpscope::store {

Failure EventArchiveWriter::close_block() {
  const auto section = store_.append_block(block_.bytes());
  if (!section) return section.error();
  blocks_.push_back({*section, block_.first_offset()});
  block_.clear();
  return {};
}

Failure EventArchiveWriter::add(std::uint64_t offset, std::string_view text, const EventFacts& facts) {
  if (offset < next_offset_)
    return Error{"", "events are out of order at byte " + std::to_string(offset), "reload the source"};
  if (text.size() > kLongestEventText)
    return Error{"", "the event at byte " + std::to_string(offset) + " is too long for a store", ""};
  block_.add(offset, text, facts);
  next_offset_ = offset + 1;
  return block_.bytes().size() >= kBlockBytes ? close_block() : std::nullopt;
}

Failure EventArchiveWriter::finish() {
  if (!block_.bytes().empty())
    if (auto failure = close_block()) return failure;
  return store_.set_archive(source_, std::move(blocks_));
}

Result<std::shared_ptr<const EventArchiveReader>> EventArchiveReader::open(const StoreFile& store, std::size_t source) {
  auto blocks = store.archive(source);
  if (!blocks) return blocks.error();
  return std::shared_ptr<const EventArchiveReader>(new EventArchiveReader(store, std::move(*blocks)));
}

Result<std::string> EventArchiveReader::read(std::uint64_t offset, const EventFacts& facts) const {
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), offset,
                       [](std::uint64_t at, const ArchiveBlock& block) { return at < block.first_offset; });
  const Error nothing{store_.name(), "the store has no event at byte " + std::to_string(offset), kInsteadOfCutOff};
  if (after == blocks_.begin()) return nothing;
  const auto number = static_cast<std::size_t>(after - blocks_.begin()) - 1;
  const MutexLock lock(mutex_);
  if (!events_ || open_block_ != number || events_->offset() > offset || !events_->ok()) {
    events_.reset();
    auto bytes = store_.read_block(blocks_[number].section);
    if (!bytes) return bytes.error();
    open_block_ = number;
    events_.emplace(std::move(*bytes), blocks_[number].first_offset);
    if (!events_->next()) return store_.damaged_events();
  }
  while (events_->offset() < offset)
    if (!events_->next()) return events_->ok() ? nothing : store_.damaged_events();
  return events_->offset() == offset ? Result<std::string>(events_->text(facts)) : nothing;
}

}  // namespace warpscope::store
