#include "core/store/byte_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpscope::store {
namespace {

std::uint64_t load(const char* at, std::size_t count) {
  std::uint64_t value = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&value, at, count);
  } else {
    for (std::size_t i = 0; i < count; ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
  }
  return value;
}

}  // namespace

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = bytes.size();
  const auto add = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32;
  };
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) add(load(bytes.data() + at, 8));
  if (at < bytes.size()) add(load(bytes.data() + at, bytes.size() - at));
  return hash;
}

std::uint32_t ByteTable::intern(std::string_view bytes) {
  if (ends_.size() * 2 >= slots_.size()) grow();
  const std::uint64_t hash = hash_of(bytes);
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.id == kNone) {
      slot = {tag, size()};
      bytes_ += bytes;
      ends_.push_back(bytes_.size());
      return slot.id;
    }
    if (slot.tag == tag && view(slot.id) == bytes) return slot.id;
  }
}

std::uint32_t ByteTable::find(std::string_view bytes) const {
  if (slots_.empty()) return kNone;
  const std::uint64_t hash = hash_of(bytes);
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at].id != kNone; at = (at + 1) & mask)
    if (slots_[at].tag == tag && view(slots_[at].id) == bytes) return slots_[at].id;
  return kNone;
}

void ByteTable::clear() {
  std::fill(slots_.begin(), slots_.end(), Slot{});
  ends_.clear();
  bytes_.clear();
}

void ByteTable::grow() {
  std::vector<Slot> slots(std::max<std::size_t>(64, slots_.size() * 2));
  const std::size_t mask = slots.size() - 1;
  for (std::uint32_t id = 0; id < size(); ++id) {
    const std::uint64_t hash = hash_of(view(id));
    std::size_t at = hash & mask;
    while (slots[at].id != kNone) at = (at + 1) & mask;
    slots[at] = {static_cast<std::uint32_t>(hash >> 32), id};
  }
  slots_ = std::move(slots);
}

}  // namespace warpscope::store
