#include "core/ingest/load/memory_limiter.hpp"

#include <algorithm>
#include <utility>

#include "core/base/format.hpp"

namespace warpscope::ingest {

void MemoryLimiter::start_spilling(std::uint64_t text_bytes) {
  const MutexLock lock(spilling_);
  if (spill_ != nullptr || cannot_spill_) return;
  const auto builder = load_.keeper.spill(text_bytes, load_.publisher.dictionary());
  if (builder) {
    spill_ = *builder;
    load_.publisher.note("memory-limit", Severity::info, load_.path, "ranks load when you view them");
  } else {
    cannot_spill_ = true;
    note_no_place(builder.error());
  }
}

void MemoryLimiter::add(std::shared_ptr<const trace::Rank> rank) {
  const std::uint64_t limit = load_.options.memory_limit;
  const std::uint64_t held =
      kResidentBase + load_.publisher.dictionary()->names.resident_bytes() + in_memory_ + rank->resident_bytes();
  if (limit > 0 && spill_ == nullptr && held > limit) start_spilling(load_.text_bytes());
  if (StoreBuilder* const spill = spill_) {
    auto stored = spill->exchange(*rank);
    if (!stored) {
      spill_ = nullptr;
      note_no_place(stored.error());
    } else if (*stored) {
      rank = std::move(*stored);
      const MutexLock lock(mutex_);
      stored_.insert_or_assign(rank->source.path, rank->resident_bytes());
      waiting_in_store_ = stored_.size();
    }
  }
  if (!rank->storage) in_memory_ += rank->resident_bytes();
  std::string source = rank->source.path;
  load_.publisher.put(source, {.rank = std::move(rank)});
}

/// Spills the ranks loaded before the limit was reached.
void MemoryLimiter::spill_the_rest() {
  for (const auto& rank : load_.publisher.ranks()) {
    if (rank->storage || spill_ == nullptr) continue;
    in_memory_ -= rank->resident_bytes();
    add(rank);
  }
}

/// Records why ranks cannot be kept on disk. Reported only if this causes the limit to be exceeded.
void MemoryLimiter::note_no_place(const Error& error) {
  const MutexLock lock(mutex_);
  if (no_place_.empty()) no_place_ = "; " + error.what;
}

void MemoryLimiter::look() {
  const std::uint64_t limit = load_.options.memory_limit;
  if (limit == 0) return;
  const std::uint64_t needed = unload();
  if (needed > limit) note_not_held(needed);
}

/// Reports once that the limit is exceeded.
void MemoryLimiter::note_not_held(std::uint64_t needed) {
  if (load_.publisher.diagnostics().count("memory-limit-not-held") > 0) return;
  const auto bytes = [](std::uint64_t count) { return format_bytes(static_cast<std::int64_t>(count)); };
  const std::uint64_t limit = load_.options.memory_limit;
  const MutexLock lock(mutex_);
  load_.publisher.note("memory-limit-not-held", Severity::warning, load_.path,
                       "loaded data uses " + bytes(needed) + " of memory, " + bytes(needed - limit) +
                           " above the limit of " + bytes(limit) + no_place_);
}

/// Returns the total bytes used by ranks that stay in memory, names (which all stay), and the allowance for everything
/// else.
std::uint64_t MemoryLimiter::unload() {
  if (spill_ != nullptr) spill_the_rest();
  std::uint64_t fixed = kResidentBase + load_.publisher.dictionary()->names.resident_bytes();
  std::map<std::string, std::shared_ptr<const trace::Rank>> stored;
  for (auto& rank : load_.publisher.ranks()) {
    const std::uint64_t bytes = rank->resident_bytes();
    if (!rank->storage) {
      fixed += bytes;
      continue;
    }
    residency_.seen(rank->source.path, bytes);
    stored.emplace(rank->source.path, std::move(rank));
  }
  std::map<std::string, std::shared_ptr<const trace::Rank>> fresh;
  const auto least = [&](const std::string& file) -> std::uint64_t {
    const auto rank = stored.find(file);
    if (rank == stored.end()) return ~std::uint64_t{0};
    auto reopened = rank->second->storage->reopen();
    if (!reopened) return ~std::uint64_t{0};
    const std::uint64_t bytes = (*reopened)->resident_bytes();
    fresh.insert_or_assign(file, std::move(*reopened));
    return bytes;
  };
  const std::vector<std::string> chosen = residency_.choose(load_.options.memory_limit, fixed, least);
  for (const std::string& file : chosen) load_.publisher.put(file, {.rank = fresh.at(file)});
  bool other = false;
  {
    const MutexLock lock(mutex_);
    for (const std::string& file : chosen) stored_.insert_or_assign(file, fresh.at(file)->resident_bytes());
    const auto waiting = static_cast<std::size_t>(std::ranges::count_if(stored_, [&](const auto& one) {
      const auto rank = stored.find(one.first);
      return fresh.contains(one.first) || (rank != stored.end() && rank->second->resident_bytes() <= one.second);
    }));
    other = waiting_in_store_.exchange(waiting) != waiting;
  }
  if (other) load_.changed();
  load_.publish();
  return fixed + residency_.total();
}

}  // namespace warpscope::ingest
