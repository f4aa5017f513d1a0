#include "core/ingest/events/interner.hpp"

#include <algorithm>
#include <cstring>

#include "core/trace/string_table.hpp"

namespace warpscope::ingest {

namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0xFF51AFD7ED558CCDull;
  return hash ^ hash >> 32;
}

std::uint64_t word_at(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, 8);
  return word;
}

std::uint64_t hash_of(std::string_view text) {
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t hash = text.size() * 0x9E3779B97F4A7C15ull;
  for (; left >= 8; at += 8, left -= 8) hash = mix(hash, word_at(at));
  std::uint64_t rest = 0;
  if (left > 0) std::memcpy(&rest, at, left);
  return mix(hash, rest) * 0x9E3779B97F4A7C15ull;
}

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

Interner::Interner(std::uint32_t most) : most_(most), slots_(1024) {}

std::string_view Interner::keep(std::string_view text) {
  constexpr std::size_t kArenaBlock = 64 << 10;
  const std::size_t room = text.size() + 1 + kReadable;
  if (arena_.empty() || arena_used_ + room > arena_capacity_) {
    arena_capacity_ = std::max(kArenaBlock, room);
    arena_.push_back(std::make_unique<char[]>(arena_capacity_));
    arena_used_ = 0;
  }
  char* at = arena_.back().get() + arena_used_;
  if (!text.empty()) std::memcpy(at, text.data(), text.size());
  at[text.size()] = '"';
  arena_used_ += text.size() + 1;  // the next text may start in the readable bytes
  return {at, text.size()};
}

std::uint32_t Interner::intern(std::string_view text) {
  const std::uint64_t hash = hash_of(text);
  const std::uint32_t tag = tag_of(hash);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.id == kFree) {
      if (full()) return most_ - 1;
      slot = {tag, size()};
      strings_.push_back(keep(size() + 1 == most_ ? StringTable::kFurther : text));
      const std::uint32_t id = slot.id;
      if (strings_.size() * 2 > slots_.size()) grow();
      return id;
    }
    if (slot.tag == tag && strings_[slot.id] == text) return slot.id;
  }
}

void Interner::grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const std::size_t mask = larger.size() - 1;
  for (std::uint32_t id = 0; id < size(); ++id) {
    const std::uint64_t hash = hash_of(strings_[id]);
    std::size_t i = hash & mask;
    while (larger[i].id != kFree) i = (i + 1) & mask;
    larger[i] = {tag_of(hash), id};
  }
  slots_ = std::move(larger);
}

}  // namespace warpscope::ingest
