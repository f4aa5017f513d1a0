#include "core/ingest/load/memory_limiter.hpp"

#include <algorithm>
#include <utility>
#include <vector>

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
      uses_[rank->source.path].unloaded = rank->resident_bytes();
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

/// Unloads ranks, least recently used first, until everything fits. Returns the memory needed, in bytes.
std::uint64_t MemoryLimiter::unload() {
  if (spill_ != nullptr) spill_the_rest();
  std::uint64_t held = kResidentBase + load_.publisher.dictionary()->names.resident_bytes();
  std::vector<std::pair<std::uint64_t, std::shared_ptr<const trace::Rank>>> stored;  // with their last use
  ++round_;
  {
    const MutexLock lock(mutex_);
    for (auto& rank : load_.publisher.ranks()) {
      const std::uint64_t bytes = rank->resident_bytes();
      held += bytes;
      if (!rank->storage) continue;
      Use& use = uses_[rank->source.path];
      if (bytes > use.bytes) use.grown = round_;
      use.bytes = bytes;
      stored.emplace_back(use.grown, std::move(rank));
    }
  }
  const std::uint64_t limit = load_.options.memory_limit;
  const auto target = held <= limit ? limit : static_cast<std::uint64_t>(static_cast<double>(limit) * kTarget);
  std::ranges::stable_sort(stored, {}, [](const auto& one) { return one.first; });
  for (const auto& [grown, rank] : stored) {
    if (held <= target) break;
    auto fresh = rank->storage->reopen();
    const std::uint64_t bytes = rank->resident_bytes();
    if (!fresh || (*fresh)->resident_bytes() >= bytes) continue;
    const std::uint64_t rest = (*fresh)->resident_bytes();
    held -= bytes - rest;
    const MutexLock lock(mutex_);
    uses_[rank->source.path] = {rest, grown, rest};
    load_.publisher.put(rank->source.path, {.rank = std::move(*fresh)});
  }
  std::size_t waiting = 0;
  {
    const MutexLock lock(mutex_);
    waiting = static_cast<std::size_t>(std::ranges::count_if(
        uses_, [](const auto& one) { return one.second.unloaded > 0 && one.second.bytes <= one.second.unloaded; }));
  }
  if (waiting_in_store_.exchange(waiting) != waiting) load_.changed();
  load_.publish();
  return held;
}

}  // namespace warpscope::ingest
