#include "core/ingest/load/source_jobs.hpp"

#include <algorithm>
#include <utility>

#include "core/ingest/bytes/source_change.hpp"

namespace warpscope::ingest {

namespace {

/// Returns `path` relative to `root`, or its last component if it is not under `root`.
std::string shown_name(const std::filesystem::path& path, const std::filesystem::path& root) {
  const std::filesystem::path below = path.lexically_relative(root);
  if (below.empty() || below == "." || *below.begin() == "..") return path.filename().string();
  return below.string();
}

}  // namespace

std::shared_ptr<SourceJob> SourceJobs::add(const trace::SourceFile& source, std::int64_t ordinal) {
  auto job = std::make_shared<SourceJob>();
  job->source = source;
  job->name = shown_name(source.path, opened_);
  job->ordinal = ordinal;
  job->progress.total = source.size;
  const MutexLock lock(mutex_);
  std::shared_ptr<SourceJob>& place = jobs_[source.path];
  if (place) {
    job->last_read = place->last_read;
    job->reader_state = std::move(place->reader_state);
  }
  place = job;
  return job;
}

std::shared_ptr<SourceJob> SourceJobs::find(const std::string& path) const {
  const MutexLock lock(mutex_);
  const auto found = jobs_.find(path);
  return found == jobs_.end() ? nullptr : found->second;
}

void SourceJobs::remove(const std::string& path) {
  const MutexLock lock(mutex_);
  jobs_.erase(path);
}

void SourceJobs::pass_over(SourceJob& job, std::string why) {
  const MutexLock lock(mutex_);
  job.why = std::move(why);
  job.state = FileState::passed_over;
}

bool LastRead::due(const trace::SourceFile& now_at, bool settled, Clock::time_point now) const {
  if (same_state(source, now_at)) return false;
  return settled || now >= end + std::max<Clock::duration>(kLeastPause, took * kPauses);
}

void SourceJobs::was_read(SourceJob& job, LastRead read) {
  const MutexLock lock(mutex_);
  job.last_read = std::move(read);
}

bool SourceJobs::due(const trace::SourceFile& source, bool settled) const {
  const MutexLock lock(mutex_);
  const auto job = jobs_.find(source.path);
  if (job == jobs_.end() || !job->second->last_read) return true;
  return job->second->last_read->due(source, settled, LastRead::Clock::now());
}

void SourceJobs::write(LoadStatus& status) const {
  const MutexLock lock(mutex_);
  status.files.reserve(jobs_.size());
  for (const auto& [path, job] : jobs_) {
    FileStatus file{path,
                    job->name,
                    job->state.load(),
                    job->progress.done.load(),
                    job->source.size,
                    job->from_store.load(),
                    job->growing.load(),
                    job->why,
                    job->unfinished.load()};
    if (file.state == FileState::done || file.state == FileState::passed_over) file.bytes_done = file.bytes_total;
    file.bytes_done = std::min(file.bytes_done, file.bytes_total);  // the file may grow while it is read
    status.done += file.bytes_done;
    status.total += file.bytes_total;
    status.files.push_back(std::move(file));
  }
}

}  // namespace warpscope::ingest
