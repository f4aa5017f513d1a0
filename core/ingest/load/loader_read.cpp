// Loads one file: from the store if possible, else by reading it.
#include <algorithm>
#include <utility>

#include "core/ingest/bytes/source_change.hpp"
#include "core/ingest/load/loader.hpp"
#include "core/ingest/read/source_reader.hpp"
#include "core/trace/file_end.hpp"

namespace warpscope::ingest {

namespace {

// For fewer bytes, starting a thread takes longer than it saves.
constexpr std::uint64_t kBytesPerThread = std::uint64_t{1} << 20;

}  // namespace

unsigned Loader::most_threads() const {
  return options_.threads > 0 ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
}

unsigned Loader::useful_threads(const std::vector<trace::SourceFile>& sources) const {
  std::uint64_t bytes = 0;
  for (const trace::SourceFile& source : sources) bytes += source.size;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(sources.size() + bytes / kBytesPerThread, 1, most_threads()));
}

/// Loads all of `sources`, which have jobs. `growing_known`: the watch knows which of them are still being written.
void Loader::take(const std::vector<trace::SourceFile>& sources, bool growing_known) {
  threads_ = useful_threads(sources);
  crew_.run(
      sources.size(), threads_,
      [&](std::size_t index) {
        if (const auto job = jobs_.find(sources[index].path))
          take_one(*job, growing_known && watch_->growing(sources[index].path));
      },
      [this] { tick(); }, [&](std::size_t index, const Error& error) { drop(sources[index], error); });
}

/// Passes over a file that an exception kept from being loaded.
void Loader::drop(const trace::SourceFile& source, const Error& error) {
  try {
    publisher_.note("load-failed", Severity::error, source.path, error.what);
    {
      const MutexLock lock(mutex_);
      errors_.insert_or_assign(source.path, Error{source.path, error.what, error.advice});
    }
    if (const auto job = jobs_.find(source.path)) {
      job->failed = true;
      jobs_.pass_over(*job, error.what);
    }
  } catch (const std::exception&) {
    // No memory is left to report it.
  }
}

void Loader::take_one(SourceJob& job, bool growing) {
  std::shared_ptr<CancelToken> cancel;
  {
    const MutexLock lock(mutex_);
    cancel = cancel_;
  }
  if (cancel->cancelled())
    job.state = FileState::cancelled;
  else if (!take_from_store(job))
    read(job, growing);
}

bool Loader::take_from_store(SourceJob& job) {
  if (!known_) return false;
  const auto number = known_->find(job.source);
  if (!number) return false;
  const store::StoreFile& file = known_->file();
  job.from_store = true;
  if (!file.sources()[*number].rank) {
    // It was read before and yields nothing: those diagnostics still apply.
    std::string why;
    for (const Diagnostic& one : file.directory().diagnostics.all()) {
      if (one.file != job.source.path) continue;
      publisher_.note(one.code, one.severity, one.file, one.example);
      if (why.empty()) why = one.example;
    }
    jobs_.pass_over(job, std::move(why));
    return true;
  }
  auto rank = file.rank(*number, publisher_.dictionary());
  if (!rank) {
    job.from_store = false;
    const MutexLock lock(mutex_);
    if (!store_damage_) store_damage_ = rank.error();
    return false;
  }
  events_->add_stored(job.source.path, file, *number, EventLookup::StoreIs::kept);
  job.unfinished = trace::unfinished((*rank)->diagnostics, job.source.path);
  publisher_.put(std::move(*rank));
  job.state = FileState::done;
  return true;
}

void Loader::read(SourceJob& job, bool growing) {
  std::shared_ptr<CancelToken> cancel;
  {
    const MutexLock lock(mutex_);
    cancel = cancel_;
  }
  job.state = FileState::reading;
  job.growing = growing;
  ReadOptions options;
  options.progress = &job.progress;
  options.cancel = cancel.get();
  options.pieces.in_flight = threads_ + 2;
  const auto began = Clock::now();
  const auto reader = std::make_shared<SourceReader>(job.source, job.ordinal, *publisher_.dictionary(), options,
                                                     [this] { crew_.call(); });
  crew_.enter(reader);
  ReadOutcome outcome = reader->run();
  crew_.leave(reader.get());
  const auto end = Clock::now();
  const std::string& file = job.source.path;
  {
    const MutexLock lock(mutex_);
    policy_.was_read(job.source, end, end - began);
    read_anything_ = true;
    if (outcome.failure && !growing) errors_.insert_or_assign(job.source.path, *outcome.failure);
    if (outcome.rank) errors_.erase(job.source.path);
  }
  publisher_.forget_notes(file);
  if (growing) {
    publisher_.note("still-written", Severity::info, file, "shown up to its current end");
  } else if (const std::string change = change_since_found(job.source); !change.empty()) {
    publisher_.note("changed-while-read", Severity::warning, file, change);
  }
  const bool shown = outcome.rank != nullptr;
  if (shown) {
    events_->add_read(file, growing);
    job.unfinished = trace::unfinished(outcome.rank->diagnostics, file);
    add(std::move(outcome.rank));
  } else if (!growing) {
    publisher_.note(outcome.code, outcome.severity, file, outcome.failure->what);
  }
  const bool cancelled = cancel->cancelled();
  job.failed = outcome.code == "load-failed";
  job.partly = cancelled && shown;
  if (cancelled)
    job.state = FileState::cancelled;
  else if (outcome.failure)
    jobs_.pass_over(job, outcome.failure->what);
  else
    job.state = FileState::done;
}

/// Publishes a rank that was read; if memory is short, as loaded from the store.
void Loader::add(std::shared_ptr<const trace::Rank> rank) {
  const std::uint64_t held =
      kResidentBase + publisher_.dictionary()->names.resident_bytes() + in_memory_ + rank->resident_bytes();
  for (std::uint64_t most = most_held_; held > most && !most_held_.compare_exchange_weak(most, held);) continue;
  if (options_.memory_limit > 0 && spill_ == nullptr && held > options_.memory_limit) begin_spilling(text_bytes());
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
  publisher_.put(std::move(rank));
}

}  // namespace warpscope::ingest
