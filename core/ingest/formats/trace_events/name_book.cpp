#include "core/ingest/formats/trace_events/name_book.hpp"

#include <cstring>

namespace warpscope::ingest::json {
namespace {

constexpr std::size_t kArenaBlock = std::size_t{64} << 10;
constexpr std::size_t kReadable = 64;
constexpr std::size_t kFirstSlots = 512;

std::uint64_t word_at(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0xff51afd7ed558ccdU;
  return hash ^ hash >> 32;
}

/// Two chains, so that their multiplications overlap.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t even = text.size() * 0x9e3779b97f4a7c15U;
  std::uint64_t odd = 0x2545f4914f6cdd1dU;
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 16; at += 16, left -= 16) {
    even = mix(even, word_at(at));
    odd = mix(odd, word_at(at + 8));
  }
  if (left >= 8) {
    even = mix(even, word_at(at));
    at += 8;
    left -= 8;
  }
  std::uint64_t rest = 0;
  if (left > 0) std::memcpy(&rest, at, left);
  return mix(mix(odd, rest), even) * 0x9e3779b97f4a7c15U;
}

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

const char* NameBook::keep(std::string_view name) {
  const std::size_t room = name.size() + 1 + kReadable;
  if (arena_left_ < room) {
    arena_.push_back(std::make_unique<char[]>(kArenaBlock));
    arena_at_ = arena_.back().get();
    arena_left_ = kArenaBlock;
  }
  char* const text = arena_at_;
  if (!name.empty()) std::memcpy(text, name.data(), name.size());
  text[name.size()] = '"';
  arena_at_ += name.size() + 1;  // the next name may start in the readable bytes
  arena_left_ -= name.size() + 1;
  bytes_ += name.size() + 1;
  return text;
}

std::uint32_t NameBook::key_of(std::string_view name) {
  if (name.size() > kLongestName) return 0;
  if (slots_.empty()) {
    slots_.resize(kFirstSlots);
    entries_.resize(1);
  }
  const std::uint64_t hash = hash_of(name);
  const std::uint32_t tag = tag_of(hash);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.key == 0) {
      if (entries_.size() > kMostNames || bytes_ + name.size() > kMostBytes) return 0;
      slot = {tag, static_cast<std::uint32_t>(entries_.size())};
      const std::uint32_t key = slot.key;
      entries_.push_back({keep(name), static_cast<std::uint32_t>(name.size())});
      if (entries_.size() * 2 > slots_.size()) grow();
      return key;
    }
    const Entry& entry = entries_[slot.key];
    if (slot.tag == tag && std::string_view(entry.text, entry.length) == name) return slot.key;
  }
}

void NameBook::grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const std::size_t mask = larger.size() - 1;
  for (std::uint32_t key = 1; key < entries_.size(); ++key) {
    const std::uint64_t hash = hash_of({entries_[key].text, entries_[key].length});
    std::size_t i = hash & mask;
    while (larger[i].key != 0) i = (i + 1) & mask;
    larger[i] = {tag_of(hash), key};
  }
  slots_ = std::move(larger);
}

}  // namespace warpscope::ingest::json
