#include "core/ingest/load/store_keeper.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/base/threads/caught.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/base/threads/parallel_for.hpp"

namespace warpscope::ingest {

namespace {

/// Lowers the CPU priority of the calling thread (to a fifth of a normal thread's share under contention) and its I/O
/// priority. Does not use the lowest priority: on a busy machine, such a thread makes no progress for seconds, and
/// neither do threads that wait for it to stop or for a lock it holds. Cannot be undone.
void lower_priority_of_this_thread() {
#if defined(__linux__)
  // On Linux, both are thread properties; 0 means the calling thread.
  constexpr int kNice = 7;
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, kNice));
#if defined(SYS_ioprio_set)
  constexpr int kWhoProcess = 1;
  constexpr int kLeastOfBestEffort = 2 << 13 | 7;
  static_cast<void>(::syscall(SYS_ioprio_set, kWhoProcess, 0, kLeastOfBestEffort));
#endif
#endif
}

// A store with columns and event text is about 1/30 of the text size.
constexpr std::uint64_t kTextPerStore = 20;

/// Calls each(i) for i < count on `threads` threads until one fails; returns the first failure.
Failure for_each(std::size_t count, unsigned threads, const std::function<Failure(std::size_t)>& each) {
  Mutex failing;
  Failure failure;
  parallel_for_while(count, threads, [&](std::size_t i) {
    Failure wrong = each(i);
    if (!wrong) return true;
    const MutexLock lock(failing);
    if (!failure) failure = std::move(wrong);
    return false;
  });
  return failure;
}

Failure write_all(StoreBuilder& builder, const StoreContents& contents, unsigned threads, const CancelToken& cancel,
                  Progress* progress) {
  const auto cancelled = [&]() -> Failure {
    return cancel.cancelled() ? Failure(Error{contents.root, "writing the store was cancelled", ""}) : Failure();
  };
  Failure failure = for_each(contents.ranks.size(), threads, [&](std::size_t i) {
    if (auto stop = cancelled()) return stop;
    return builder.has(contents.ranks[i]->source.path) ? Failure() : builder.add(contents.ranks[i]);
  });
  if (failure) return failure;
  failure = for_each(contents.stored.size(), threads, [&](std::size_t i) {
    if (auto stop = cancelled()) return stop;
    return builder.copy(contents.stored[i].file, contents.stored[i].source);
  });
  if (failure) return failure;
  for (const trace::SourceFile& file : contents.empty)
    if (auto wrong = builder.add_empty(file)) return wrong;
  for (const auto& node : contents.metrics)
    if (auto wrong = builder.add_metrics(*node)) return wrong;
  return builder.finish(contents.root, contents.diagnostics, threads, progress);
}

}  // namespace

Failure write_store(StoreBuilder& builder, const StoreContents& contents, unsigned threads, const CancelToken& cancel,
                    Progress* progress) {
  try {
    return write_all(builder, contents, threads, cancel, progress);
  } catch (...) {
    return caught(contents.root);
  }
}

StoreKeeper::StoreKeeper(const StoreOptions& options, const std::filesystem::path& opened)
    : options_(options), cache_(options.folder, options.limit), place_(cache_.place_of(opened)) {}

StoreKeeper::~StoreKeeper() { stop(); }

std::optional<KnownSources> StoreKeeper::open(Failure& damage) {
  std::error_code error;
  if (!options_.use || !std::filesystem::exists(place_, error)) return std::nullopt;
  auto file = store::open_store(place_.string());
  if (file) {
    store::mark_used(place_);
    return KnownSources(std::move(*file));
  }
  damage = file.error();
  if (!store::of_other_version(*damage)) remove();
  return std::nullopt;
}

void StoreKeeper::remove() const {
  std::error_code error;
  std::filesystem::remove(place_, error);
}

Result<std::string> StoreKeeper::make_room(std::uint64_t text_bytes) const {
  if (auto failure = cache_.make_room(text_bytes / kTextPerStore)) return *failure;
  return place_.string();
}

Failure StoreKeeper::begin(std::uint64_t text_bytes, std::shared_ptr<trace::Dictionary> dictionary) {
  const auto place = make_room(text_bytes);
  if (!place) return place.error();
  auto builder =
      StoreBuilder::create(*place, std::move(dictionary), {.cancel = cancel_.get(), .most_bytes = cache_.limit()});
  if (!builder) return builder.error();
  builder_ = std::move(*builder);
  return {};
}

Result<StoreBuilder*> StoreKeeper::spill(std::uint64_t text_bytes, std::shared_ptr<trace::Dictionary> dictionary) {
  stop();
  cancel_ = std::make_unique<CancelToken>();
  if (auto failure = begin(text_bytes, std::move(dictionary))) return *failure;
  return builder_.get();
}

void StoreKeeper::keep(StoreContents contents, std::uint64_t text_bytes, std::shared_ptr<trace::Dictionary> dictionary,
                       std::function<void(const Failure&)> done) {
  if (keeping_ || thread_.joinable()) stop();
  if (!builder_) cancel_ = std::make_unique<CancelToken>();
  keeping_ = true;
  thread_ = std::thread(
      [this, contents = std::move(contents), text_bytes, dictionary = std::move(dictionary), done = std::move(done)] {
        lower_priority_of_this_thread();
        Failure failure;
        try {
          if (!builder_) failure = begin(text_bytes, dictionary);
          if (!failure) failure = write_store(*builder_, contents, 1, *cancel_);
          if (!failure) cache_.tidy();
        } catch (...) {
          failure = caught(place_.string());
        }
        const bool stopped = cancel_->cancelled();
        builder_.reset();
        keeping_ = false;
        try {
          if (!stopped) done(failure);
        } catch (const std::exception&) {
          // No memory is left to report it.
        }
      });
}

void StoreKeeper::stop() {
  if (cancel_) cancel_->cancel();
  if (thread_.joinable()) thread_.join();
  builder_.reset();
  cancel_.reset();
}

}  // namespace warpscope::ingest
