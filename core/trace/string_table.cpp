#include "core/trace/string_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpscope {

namespace {

struct Place {
  std::size_t chunk;
  std::uint32_t slot;
};

// Chunk k starts at id 1024 * (2^k - 1).
Place place_of(NameId id, std::uint32_t first_chunk) {
  const std::uint64_t shifted = static_cast<std::uint64_t>(id) / first_chunk + 1;
  const auto chunk = static_cast<std::size_t>(std::bit_width(shifted) - 1);
  const std::uint64_t start = static_cast<std::uint64_t>(first_chunk) * ((std::uint64_t{1} << chunk) - 1);
  return {chunk, static_cast<std::uint32_t>(id - start)};
}

}  // namespace

std::uint32_t stable_hash(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  hash ^= hash >> 32;
  hash *= 0x9E3779B97F4A7C15ull;
  return static_cast<std::uint32_t>(hash >> 32);
}

StringTable::StringTable(std::uint32_t most) : most_(most) { intern(""); }

const StringTable::Entry& StringTable::entry(NameId id) const {
  const auto [chunk, slot] = place_of(id, kFirstChunk);
  return chunks_[chunk][slot];
}

std::string_view StringTable::keep(std::string_view text) {
  constexpr std::size_t kArenaBlock = 64 << 10;
  if (arena_.empty() || arena_used_ + text.size() > arena_capacity_) {
    arena_capacity_ = std::max(kArenaBlock, text.size());
    arena_.push_back(std::make_unique_for_overwrite<char[]>(arena_capacity_));
    arena_bytes_ += arena_capacity_;
    arena_used_ = 0;
  }
  char* at = arena_.back().get() + arena_used_;
  if (!text.empty()) std::memcpy(at, text.data(), text.size());
  arena_used_ += text.size();
  return {at, text.size()};
}

NameId StringTable::intern(std::string_view text) {
  const MutexLock lock(mutex_);
  if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
  if (size() == most_) return most_ - 1;
  return append(size() == most_ - 1 ? kFurther : text);
}

NameId StringTable::append(std::string_view text) {
  const NameId id = size_.load(std::memory_order_relaxed);
  const auto [chunk, slot] = place_of(id, kFirstChunk);
  if (!chunks_[chunk]) chunks_[chunk] = std::make_unique<Entry[]>(static_cast<std::size_t>(kFirstChunk) << chunk);
  Entry& entry = chunks_[chunk][slot];
  entry.text = keep(text);
  entry.hash = stable_hash(text);
  ids_.emplace(entry.text, id);
  size_.store(id + 1, std::memory_order_release);
  return id;
}

bool StringTable::find(std::string_view text, NameId& id) const {
  const MutexLock lock(mutex_);
  const auto found = ids_.find(text);
  if (found == ids_.end()) return false;
  id = found->second;
  return true;
}

std::size_t StringTable::resident_bytes() const {
  const MutexLock lock(mutex_);
  std::size_t bytes = arena_bytes_ + ids_.size() * (sizeof(std::string_view) + sizeof(NameId) + 3 * sizeof(void*));
  for (std::size_t chunk = 0; chunk < kChunks; ++chunk)
    if (chunks_[chunk]) bytes += sizeof(Entry) * (static_cast<std::size_t>(kFirstChunk) << chunk);
  return bytes;
}

}  // namespace warpscope
