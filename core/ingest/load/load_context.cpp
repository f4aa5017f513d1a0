#include "core/ingest/load/load_context.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/base/threads/caught.hpp"
#include "core/ingest/listing/job_documents.hpp"

namespace warpscope::ingest {

LoadContext::LoadContext(std::string path_to_open, LoadOptions how)
    : path(std::move(path_to_open)),
      options(std::move(how)),
      control(options.watch),
      publisher([this] { changed(); }),
      jobs(path),
      keeper(options.store, path) {}

void LoadContext::changed() const {
  if (options.on_change) options.on_change();
}

void LoadContext::tick() {
  LoadStatus status;
  jobs.write(status);
  {
    const MutexLock lock(mutex_);
    rate_.update(seconds(), status.done);
  }
  publisher.publish_if_due();
  changed();
}

bool LoadContext::nothing_more() const {
  if (!control.watching()) return !control.cancelled();
  return std::ranges::none_of(found.sources, [this](const trace::SourceFile& source) {
    const auto job = jobs.find(source.path);
    if (!job || !(job->growing || job->unfinished)) return false;
    const trace::SourceData data = publisher.data(source.path);
    return !data || data.rank;
  });
}

void LoadContext::await(std::optional<RemoteProgress> progress) {
  {
    const MutexLock lock(mutex_);
    if (progress) rate_.update(seconds(), progress->done);
    awaited_ = std::move(progress);
  }
  changed();
}

void LoadContext::publish_scan(const Discovery& scan) {
  FoundJobDocuments job = read_job_documents(scan);
  Diagnostics diagnostics = scan.diagnostics;
  diagnostics.merge(job.diagnostics);
  publisher.found(scan.root, std::move(diagnostics), std::move(job.documents));
}

void LoadContext::fail(const std::string& file, const Error& error) {
  const MutexLock lock(mutex_);
  errors_.insert_or_assign(file, Error{error.where.empty() ? file : error.where, error.what, error.advice});
}

void LoadContext::forget_error(const std::string& file) {
  const MutexLock lock(mutex_);
  errors_.erase(file);
}

void LoadContext::survive(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    try {
      const Error error = caught(path);
      fail(path, error);
      publisher.note("load-failed", Severity::error, path, error.what);
    } catch (const std::exception&) {
      // No memory is left to report it.
    }
  }
}

Error LoadContext::why_nothing() const {
  {
    const MutexLock lock(mutex_);
    if (errors_.size() == 1) return errors_.begin()->second;
    if (!errors_.empty())
      return {
          path,
          std::to_string(errors_.size()) + " files, none of them a trace; first error: " + errors_.begin()->second.what,
          errors_.begin()->second.advice};
  }
  const Diagnostics diagnostics = publisher.diagnostics();
  for (const Diagnostic& one : diagnostics.all())
    if (one.severity != Severity::info)
      return {one.file, one.example,
              one.code == "unreadable-file" ? "copy it again if it is corrupt, or choose a directory with traces"
              : one.code == "sealed-profile"
                  ? "record the job with torch.profiler (see Record a trace in the README) and open those traces"
                  : "choose a directory with traces"};
  return {path, "no traces found", "choose a directory with traces (.json, .json.gz or .json.zst)"};
}

unsigned LoadContext::most_threads() const {
  return options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
}

std::uint64_t LoadContext::text_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& rank : publisher.ranks()) bytes += rank->source.text_bytes;
  return bytes;
}

double LoadContext::seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

void LoadContext::write(LoadStatus& status) const {
  jobs.write(status);
  status.running = !control.finished();
  status.cancelled = control.cancelled();
  status.watching = control.watching();
  status.away = away;
  status.converted = opened_store;
  status.keeping = keeper.keeping();
  status.memory_limit = options.memory_limit;
  status.seconds = seconds();
  const MutexLock lock(mutex_);
  if (awaited_) {
    status.awaited = awaited_->what;
    status.done = awaited_->done;
    status.total = awaited_->total;
  }
  status.bytes_per_second = rate_.per_second();
  status.seconds_left = rate_.seconds_left(status.total);
}

}  // namespace warpscope::ingest
