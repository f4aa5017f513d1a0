// Loads one file: from the store if possible, else by reading it.
#include <algorithm>
#include <utility>

#include "core/base/file_group.hpp"
#include "core/ingest/bytes/source_change.hpp"
#include "core/ingest/load/loader.hpp"
#include "core/ingest/read/source_reader.hpp"
#include "core/trace/file_end.hpp"

namespace warpscope::ingest {

namespace {

// For fewer bytes, starting a thread takes longer than it saves.
constexpr std::uint64_t kBytesPerThread = std::uint64_t{1} << 20;
// Above this many bytes, system metrics alone are worth a store.
constexpr std::uint64_t kMetricsWorthKeeping = std::uint64_t{64} << 20;

/// True if the next load is faster with what was read in a store. Other data than ranks and metrics is not stored.
bool is_worth_keeping(const ReadOutcome& outcome, const trace::SourceFile& source) {
  if (outcome.data.metrics) return source.size >= kMetricsWorthKeeping;
  return !outcome.data.memory && !outcome.data.python;
}

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
  const std::string& path = job.source.path;
  if (!file.sources()[*number].rank) {
    // It was read before: those diagnostics still apply.
    Diagnostics notes;
    for (const Diagnostic& one : file.directory().diagnostics.all())
      if (one.file == path || in_group(path, one.file))
        notes.add(one.code, one.severity, one.file, one.offset, one.example, one.count);
    const auto metrics = stored_metrics_.find(path);
    if (metrics != stored_metrics_.end())
      job.state = FileState::done;
    else
      jobs_.pass_over(job, notes.empty() ? std::string() : notes.all().front().example);
    publisher_.put(path, {.metrics = metrics == stored_metrics_.end() ? nullptr : metrics->second}, notes);
    return true;
  }
  auto rank = file.rank(*number, publisher_.dictionary());
  if (!rank) {
    job.from_store = false;
    const MutexLock lock(mutex_);
    if (!store_damage_) store_damage_ = rank.error();
    return false;
  }
  events_->add_stored(path, file, *number, EventLookup::StoreIs::kept);
  job.unfinished = trace::unfinished((*rank)->diagnostics, path);
  publisher_.put(path, {.rank = std::move(*rank)});
  job.state = FileState::done;
  return true;
}

void Loader::read(SourceJob& job, bool growing) {
  std::shared_ptr<CancelToken> cancel;
  bool watching = false;
  {
    const MutexLock lock(mutex_);
    cancel = cancel_;
    watching = watching_;
  }
  job.state = FileState::reading;
  job.growing = growing;
  ReadOptions options;
  options.progress = &job.progress;
  options.cancel = cancel.get();
  options.pieces.in_flight = threads_ + 2;
  options.earlier = std::exchange(job.reader_state, nullptr);
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
    read_anything_ |= is_worth_keeping(outcome, job.source);
    if (outcome.failure && !growing) errors_.insert_or_assign(job.source.path, *outcome.failure);
    if (outcome.data) errors_.erase(job.source.path);
  }
  publisher_.forget_notes(file);
  if (growing) {
    publisher_.note("still-written", Severity::info, file, "shown up to its current end");
  } else if (const std::string change = change_since_found(job.source); !change.empty()) {
    publisher_.note("changed-while-read", Severity::warning, file, change);
  }
  const bool shown = static_cast<bool>(outcome.data);
  if (watching) job.reader_state = std::move(outcome.state);
  if (outcome.data.rank) {
    events_->add_read(file, growing);
    job.unfinished = trace::unfinished(outcome.data.rank->diagnostics, file);
    add(std::move(outcome.data.rank));
  } else {
    if (!growing && !outcome.code.empty()) publisher_.note(outcome.code, outcome.severity, file, outcome.failure->what);
    if (shown || !outcome.diagnostics.empty()) publisher_.put(file, std::move(outcome.data), outcome.diagnostics);
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
  std::string source = rank->source.path;
  publisher_.put(source, {.rank = std::move(rank)});
}

}  // namespace warpscope::ingest
