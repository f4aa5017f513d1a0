#include "core/ingest/loader.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <utility>

namespace warpscope::ingest {

using Clock = std::chrono::steady_clock;

namespace {

// Putting hundreds of ranks together for each one that arrives would be quadratic.
constexpr auto kPublishEvery = std::chrono::milliseconds(150);
// For less, starting a thread takes longer than it saves.
constexpr std::uint64_t kBytesPerThread = std::uint64_t{1} << 20;

double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

// What a reader freed lies in the allocator's pools, at most load-time sizes that will not be asked for again.
void give_memory_back() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace

Loader::Loader(std::string path, LoadOptions options)
    : path_(std::move(path)),
      options_(std::move(options)),
      began_(Clock::now()),
      dictionary_(std::make_shared<trace::Dictionary>()),
      thread_([this] { run(); }) {}

Loader::~Loader() {
  cancel();
  wait();
}

void Loader::cancel() { cancel_.cancel(); }

void Loader::wait() {
  if (thread_.joinable()) thread_.join();
}

std::shared_ptr<const trace::Profile> Loader::profile() const {
  const std::lock_guard lock(mutex_);
  return profile_;
}

Failure Loader::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

LoadStatus Loader::status() const {
  LoadStatus status;
  const std::lock_guard lock(mutex_);
  status.finished = finished();
  status.cancelled = cancel_.cancelled();
  status.seconds = status.finished ? seconds_ : seconds_since(began_);
  status.files.reserve(jobs_.size());
  for (const auto& job : jobs_) {
    FileStatus file{job->source.path, job->state.load(), job->progress.done.load(), job->source.size};
    if (file.state == FileState::done || file.state == FileState::passed_over) file.bytes_done = file.bytes_total;
    status.bytes_done += file.bytes_done;
    status.bytes_total += file.bytes_total;
    status.files.push_back(std::move(file));
  }
  return status;
}

void Loader::changed() {
  if (options_.on_change) options_.on_change();
}

void Loader::note(std::string_view code, Severity severity, const std::string& file, const Error& error) {
  const std::lock_guard lock(mutex_);
  diagnostics_.add(code, severity, file, Diagnostic::kNoOffset, error.what);
  errors_.push_back(error);
}

void Loader::run() {
  auto found = discover(path_);
  if (found) {
    const std::lock_guard lock(mutex_);
    root_ = found->root;
    diagnostics_ = std::move(found->diagnostics);
    for (trace::SourceFile& source : found->sources) {
      auto job = std::make_unique<Job>();
      job->source = std::move(source);
      job->progress.total = job->source.size;
      jobs_.push_back(std::move(job));
    }
  } else {
    const std::lock_guard lock(mutex_);
    errors_.push_back(found.error());
  }
  changed();
  read_files();
  publish(!cancel_.cancelled());
  give_memory_back();
  {
    const std::lock_guard lock(mutex_);
    seconds_ = seconds_since(began_);
    if (ranks_.empty() && !cancel_.cancelled()) {
      failure_ = why_nothing();
    }
    finished_.store(true, std::memory_order_release);
  }
  changed();
}

Error Loader::why_nothing() const {
  if (errors_.size() == 1) return errors_.front();
  if (!errors_.empty())
    return {path_, std::to_string(errors_.size()) + " files, and none is a trace; the first: " + errors_.front().what,
            errors_.front().advice};
  if (!diagnostics_.empty()) {
    const Diagnostic& first = diagnostics_.all().front();
    return {first.file, first.example, "choose a directory that holds PyTorch profiler traces"};
  }
  return {path_, "there is no trace in it",
          "choose a directory with PyTorch profiler traces (.json, .json.gz or .json.zst)"};
}

void Loader::read_files() {
  std::uint64_t bytes = 0;
  for (const auto& job : jobs_) bytes += job->source.size;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const std::uint64_t useful = jobs_.size() + bytes / kBytesPerThread;
  threads_ =
      static_cast<unsigned>(std::clamp<std::uint64_t>(useful, 1, options_.threads > 0 ? options_.threads : cores));
  crew_.run(
      jobs_.size(), threads_, [this](std::size_t index) { read_file(index); }, [this] { changed(); });
}

void Loader::read_file(std::size_t index) {
  Job& job = *jobs_[index];
  if (cancel_.cancelled()) {
    job.state = FileState::cancelled;
    return;
  }
  job.state = FileState::reading;
  ReadOptions options;
  options.progress = &job.progress;
  options.cancel = &cancel_;
  options.pieces.in_flight = threads_ + 2;
  const auto reader = std::make_shared<SourceReader>(job.source, static_cast<std::int64_t>(index), *dictionary_,
                                                     options, [this] { crew_.call(); });
  crew_.enter(reader);
  ReadOutcome read = reader->run();
  crew_.leave(reader.get());
  if (read.rank) {
    add_rank(std::move(read.rank));
    job.state = cancel_.cancelled() ? FileState::cancelled : FileState::done;
  } else {
    note(read.code, read.severity, job.source.path, *read.failure);
    job.state = cancel_.cancelled() ? FileState::cancelled : FileState::passed_over;
  }
}

void Loader::add_rank(std::shared_ptr<const trace::Rank> rank) {
  bool due = false;
  {
    const std::lock_guard lock(mutex_);
    ranks_.push_back(std::move(rank));
    due = !profile_ || Clock::now() - last_publish_ > kPublishEvery;
  }
  if (due) publish(false);
}

void Loader::publish(bool complete) {
  std::vector<std::shared_ptr<const trace::Rank>> ranks;
  Diagnostics diagnostics;
  {
    const std::lock_guard lock(mutex_);
    if (ranks_.empty()) return;
    ranks = ranks_;
    diagnostics = diagnostics_;
    last_publish_ = Clock::now();
  }
  const std::size_t count = ranks.size();
  auto fresh = trace::assemble_profile(root_, dictionary_, std::move(ranks), diagnostics, complete);
  {
    const std::lock_guard lock(mutex_);
    // Two workers may publish at once: the one that knows more ranks wins.
    if (!profile_ || profile_->ranks.size() <= count) profile_ = std::move(fresh);
  }
  changed();
}

Result<std::shared_ptr<const trace::Profile>> load_profile(const std::string& path, LoadOptions options) {
  Loader loader(path, std::move(options));
  loader.wait();
  if (auto failure = loader.failure()) return *failure;
  return loader.profile();
}

}  // namespace warpscope::ingest
