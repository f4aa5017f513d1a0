#include "core/ingest/load/loader.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/heap.hpp"
#include "core/base/threads/caught.hpp"
#include "core/ingest/bytes/converted_profile.hpp"
#include "core/ingest/listing/job_documents.hpp"
#include "core/store/verify_store.hpp"
#include "core/trace/file_end.hpp"

namespace warpscope::ingest {

namespace fs = std::filesystem;

namespace {

// Above this size an estimate is worth the tens of milliseconds it takes.
constexpr std::uint64_t kWorthEstimating = std::uint64_t{128} << 20;

}  // namespace

Loader::Loader(std::string path, LoadOptions options)
    : path_(std::move(path)),
      options_(std::move(options)),
      began_(Clock::now()),
      publisher_([this] { changed(); }),
      keeper_(options_.store, path_),
      watching_(options_.watch),
      thread_([this] { run(); }) {}

Loader::~Loader() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  cancel();
  thread_.join();
  keeper_.stop();
}

void Loader::cancel() {
  {
    const MutexLock lock(mutex_);
    cancel_->cancel();
    watching_ = false;
    if (!finished()) cancelled_ = true;
  }
  news_.notify_all();
}

void Loader::watch(bool on) {
  {
    const MutexLock lock(mutex_);
    watching_ = on && !opened_store_;
  }
  news_.notify_all();
  changed();
}

void Loader::wait() {
  MutexLock lock(mutex_);
  news_.wait(lock, [this] { return finished(); });
}

Failure Loader::failure() const {
  const MutexLock lock(mutex_);
  return publisher_.profile() ? std::nullopt : failure_;
}

LoadStatus Loader::status() const {
  LoadStatus status;
  jobs_.write(status);
  status.keeping = keeper_.keeping();
  status.away = away_;
  const MutexLock lock(mutex_);
  status.finished = finished();
  status.cancelled = cancelled_;
  status.watching = watching_;
  status.converted = opened_store_;
  status.seconds = status.finished ? seconds_ : std::chrono::duration<double>(Clock::now() - began_).count();
  status.bytes_per_second = rate_.per_second();
  status.seconds_left = rate_.seconds_left(status.bytes_total);
  status.expected = expected_;
  status.waiting_in_store = waiting_in_store_;
  return status;
}

void Loader::changed() {
  if (options_.on_change) options_.on_change();
}

void Loader::tick() {
  LoadStatus status;
  jobs_.write(status);
  {
    const MutexLock lock(mutex_);
    rate_.update(std::chrono::duration<double>(Clock::now() - began_).count(), status.bytes_done);
  }
  publisher_.publish_if_due();
  changed();
}

void Loader::run() {
  before_ = process_memory();
  survive([this] { load(); });
  survive([this] {
    publisher_.publish(nothing_more());
    std::uint64_t ranks = 0;
    if (options_.memory_limit > 0) {
      const MutexLock house(house_);
      ranks = give_back();
    }
    give_memory_back();  // free buffers of a size that is not needed again
    if (options_.memory_limit > 0) note_memory(ranks);
    publisher_.publish(nothing_more());
  });
  {
    const MutexLock lock(mutex_);
    seconds_ = std::chrono::duration<double>(Clock::now() - began_).count();
    if (!publisher_.profile() && !cancelled_) failure_ = why_nothing();
    finished_.store(true, std::memory_order_release);
  }
  news_.notify_all();
  survive([this] { changed(); });
  attend();
}

void Loader::load() {
  if (opens_as_store(path_)) return load_store(path_);
  auto found = discover(path_);
  if (!found) {
    away_ = true;
    return fail(found.error());
  }
  const bool converted_only = found->sources.empty() && !found->converted.empty() && !status().watching;
  if (converted_only && found->converted.size() == 1) return load_store(found->converted.front());
  if (converted_only) return fail(several_converted(found->root, found->converted));
  found_ = std::move(*found);
  read_job(found_);
  for (std::size_t i = 0; i < found_.sources.size(); ++i) jobs_.add(found_.sources[i], static_cast<std::int64_t>(i));
  changed();
  Failure damage;
  known_ = keeper_.open(damage);
  if (damage && store::of_other_version(*damage))
    publisher_.note("store-outdated", Severity::info, keeper_.place(), damage->what);
  else if (damage)
    publisher_.note("store-damaged", Severity::info, keeper_.place(), damage->what + kSetAside);
  if (known_) read_stored_metrics();
  look_at_cost(found_.sources);
  take(found_.sources, false);
  stored_metrics_.clear();
  const MutexLock house(house_);
  check_stores();
}

void Loader::fail(const Error& error) {
  const MutexLock lock(mutex_);
  errors_.insert_or_assign(path_, error);
}

/// Calls `work`; reports an exception, which would end the program if it left the loader's thread.
void Loader::survive(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    note_failed(caught(path_));
  }
}

void Loader::note_failed(const Error& error) {
  try {
    fail({path_, error.what, error.advice});
    publisher_.note("load-failed", Severity::error, path_, error.what);
  } catch (const std::exception&) {
    // No memory is left to report it.
  }
}

/// Passes the diagnostics of a scan and the job descriptions to the publisher.
void Loader::read_job(const Discovery& found) {
  FoundJobDocuments job = read_job_documents(found);
  Diagnostics diagnostics = found.diagnostics;
  diagnostics.merge(job.diagnostics);
  publisher_.found(found.root, std::move(diagnostics));
  publisher_.put_job(std::move(job.documents));
}

void Loader::read_stored_metrics() {
  auto nodes = known_->file().metrics();
  if (!nodes) {
    const MutexLock lock(mutex_);
    store_damage_ = nodes.error();
    return;
  }
  for (auto& node : *nodes) {
    std::string source = node->origin().source;
    stored_metrics_.insert_or_assign(std::move(source), std::move(node));
  }
}

/// Loads a converted profile, which is complete; its sources may be anywhere.
void Loader::load_store(const std::string& file) {
  {
    const MutexLock lock(mutex_);
    opened_store_ = true;
    watching_ = false;
  }
  const auto opened = open_converted(file);
  if (!opened) return fail(opened.error());
  auto ranks = opened->each_rank(publisher_.dictionary(), most_threads());
  auto nodes = opened->each_metrics();
  const bool anything = std::ranges::any_of(ranks, [](const auto& each) { return each.rank.ok(); }) ||
                        std::ranges::any_of(nodes, [](const auto& node) { return node.ok(); });
  const auto has_trace = [&](const auto& each) {
    return unchanged_trace(*opened, opened->sources()[each.source].key.path).has_value();
  };
  if (!anything && !ranks.empty() && std::ranges::none_of(ranks, has_trace)) return fail(ranks.front().rank.error());
  if (!anything && !nodes.empty()) return fail(nodes.front().error());
  const auto& sources = opened->sources();
  Discovery alone;
  alone.root = file;
  alone.diagnostics = opened->directory().diagnostics;
  read_job(alone);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    trace::SourceFile source;
    source.path = sources[i].key.path;
    source.size = sources[i].key.size;
    const auto job = jobs_.add(source, static_cast<std::int64_t>(i));
    job->from_store = true;
    job->state = sources[i].rank ? FileState::done : FileState::passed_over;
    events_->add_stored(source.path, *opened, i, EventLookup::StoreIs::carried);
  }
  const auto missing = [this](const std::string& of, const Error& error) {
    publisher_.note("stored-part-missing", Severity::error, of, error.where + ": " + error.what);
  };
  std::vector<trace::SourceFile> again;
  known_.emplace(*opened);
  for (auto& [source, rank] : ranks) {
    const std::string& path = sources[source].key.path;
    if (rank) {
      if (const auto job = jobs_.find(path)) job->unfinished = trace::unfinished((*rank)->diagnostics, path);
      publisher_.put(path, {.rank = std::move(*rank)});
      continue;
    }
    if (const auto trace = unchanged_trace(*opened, path)) {
      jobs_.add(*trace, static_cast<std::int64_t>(source));
      note_damage_of_converted(rank.error(), true);
      again.push_back(*trace);
      continue;
    }
    missing(path, rank.error());
    if (const auto job = jobs_.find(path)) jobs_.pass_over(*job, rank.error().what);
  }
  for (auto& read : nodes) {
    if (!read) {
      missing(file, read.error());
      continue;
    }
    const trace::NodeMetrics::Origin& origin = (*read)->origin();
    auto job = jobs_.find(origin.source);
    if (!job) {
      trace::SourceFile source;
      source.path = origin.source;
      source.size = origin.bytes;
      job = jobs_.add(source, static_cast<std::int64_t>(sources.size()));
      job->from_store = true;
    }
    job->state = FileState::done;
    publisher_.put(job->source.path, {.metrics = std::move(*read)});
  }
  if (again.empty()) return;
  for (const trace::SourceFile& source : again) known_->forget(source.path);
  take(again, false);
}

void Loader::look_at_cost(const std::vector<trace::SourceFile>& sources) {
  std::vector<trace::SourceFile> unknown;
  std::uint64_t bytes = 0;
  for (const trace::SourceFile& source : sources) {
    if (known_ && known_->seems_to_have(source)) continue;
    unknown.push_back(source);
    bytes += source.size;
  }
  if (unknown.empty() || (bytes < kWorthEstimating && options_.memory_limit == 0)) return;
  const Preflight expected = preflight(unknown, options_.threads);
  if (options_.memory_limit > 0 && expected.resident_bytes > options_.memory_limit) begin_spilling(expected.text_bytes);
  const MutexLock lock(mutex_);
  expected_ = expected;
}

Error Loader::why_nothing() const {
  if (errors_.size() == 1) return errors_.begin()->second;
  if (!errors_.empty())
    return {path_,
            std::to_string(errors_.size()) + " files, none of them a trace; the first: " + errors_.begin()->second.what,
            errors_.begin()->second.advice};
  const Diagnostics diagnostics = publisher_.diagnostics();
  for (const Diagnostic& one : diagnostics.all())
    if (one.severity != Severity::info)
      return {one.file, one.example,
              one.code == "unreadable-file" ? "copy it again if it is corrupt, or choose a directory with traces"
              : one.code == "sealed-profile"
                  ? "record the job with torch.profiler (see Record a trace in the README) and open those traces"
                  : "choose a directory with traces"};
  return {path_, "no traces found", "choose a directory with traces (.json, .json.gz or .json.zst)"};
}

Failure Loader::save(const std::string& file, const CancelToken& cancel, Progress* progress) const {
  return write(file, true, cancel, progress);
}

/// `whole`: a changed source is an Error. Otherwise such sources are left to the next load, and the limit of stores
/// applies.
Failure Loader::write(const std::string& file, bool whole, const CancelToken& cancel, Progress* progress) const {
  StoreContents everything;
  {
    const MutexLock lock(house_);
    everything = contents();
    // A trace's diagnostics report what is missing from it; a copy must not silently lack part of its original.
    if (opened_store_)
      if (const auto nodes = known_->file().metrics(); !nodes) {
        known_->file().note_damage(nodes.error());
        return nodes.error();
      }
  }
  if (everything.ranks.empty() && everything.stored.empty() && everything.metrics.empty())
    return Error{path_, "nothing is loaded", ""};
  auto builder = StoreBuilder::create(file, publisher_.dictionary(), cancel,
                                      {.in_order = true, .most_bytes = whole ? 0 : keeper_.limit()});
  if (!builder) return builder.error();
  if (whole) (*builder)->insist();
  return write_store(**builder, everything, most_threads(), cancel, progress);
}

Failure Loader::damage_of_converted() const {
  const MutexLock lock(house_);
  return opened_store_ && known_ ? known_->file().damage() : std::nullopt;
}

Result<Kept> Loader::keep(const CancelToken& cancel, Progress* progress) {
  Kept kept;
  if (opened_store_) return kept;
  std::error_code gone;
  {
    const MutexLock lock(house_);
    kept.written = read_anything_ || !fs::exists(keeper_.place(), gone);
    const Diagnostics noted = publisher_.diagnostics();
    for (const Diagnostic& one : noted.all())
      if (one.code == "store-damaged") kept.repaired = one.example;
  }
  if (!kept.written) {
    auto damage = check_kept(cancel);
    if (!damage) return damage.error();
    kept.repaired = std::move(*damage);
    kept.written = !kept.repaired.empty();
    if (kept.written) mend();
  }
  if (kept.written) {
    const auto place = keeper_.make_room(text_bytes());
    if (!place) return place.error();
    if (const Failure failure = write(*place, false, cancel, progress)) return *failure;
    keeper_.tidy();
    if (const auto file = store::open_store(*place);
        file && file->sources().empty() && file->directory().metrics.empty()) {
      fs::remove(*place, gone);
      return Error{*place, "store not saved: the traces changed since they were read",
                   "run the command again when they are complete"};
    }
  }
  kept.file = keeper_.place();
  kept.bytes = fs::file_size(kept.file, gone);
  if (gone) return Error{kept.file, "the saved store is missing: " + gone.message(), "check the folder's disk"};
  return kept;
}

/// Returns the first corruption in the store that the next load would use; "" if it is valid. check_stores() then
/// handles the corruption of single files.
Result<std::string> Loader::check_kept(const CancelToken& cancel) {
  const auto parts = store::verify_parts(keeper_.place(), &cancel);
  if (cancel.cancelled()) return Error{path_, "checking the store was cancelled", ""};
  if (!parts) return parts.error().what;
  std::string first;
  const MutexLock lock(mutex_);
  for (const store::VerifiedPart& part : *parts) {
    if (!part.wrong) continue;
    if (first.empty()) first = part.wrong->what;
    unsound_.insert_or_assign(part.path, *part.wrong);
  }
  return first;
}

}  // namespace warpscope::ingest
