#include "core/ingest/load/publisher.hpp"

#include <algorithm>
#include <utility>

namespace warpscope::ingest {

void Publisher::found(std::string root, Diagnostics diagnostics) {
  const MutexLock lock(mutex_);
  root_ = std::move(root);
  found_ = std::move(diagnostics);
  ++version_;
}

void Publisher::put_job(trace::JobDocuments documents) {
  auto job = std::make_shared<const trace::JobDocuments>(std::move(documents));
  const MutexLock lock(mutex_);
  job_ = std::move(job);
  ++version_;
}

void Publisher::put_memory(trace::MemoryTimelines timelines) {
  const MutexLock lock(mutex_);
  memory_ = std::move(timelines);
  ++version_;
}

void Publisher::put_python(trace::PythonProfiles profiles) {
  const MutexLock lock(mutex_);
  python_ = std::move(profiles);
  ++version_;
}

void Publisher::put(std::shared_ptr<const trace::Rank> rank) {
  {
    const MutexLock lock(mutex_);
    std::string file = rank->source.path;
    ranks_.insert_or_assign(std::move(file), std::move(rank));
    ++version_;
  }
  publish_if_due();
}

void Publisher::put_metrics(const std::string& key, std::shared_ptr<const trace::NodeMetrics> metrics,
                            Diagnostics notes) {
  const MutexLock lock(mutex_);
  if (metrics)
    metrics_.insert_or_assign(key, std::move(metrics));
  else
    metrics_.erase(key);
  notes_.insert_or_assign(key, std::move(notes));
  ++version_;
}

void Publisher::take_out(const std::string& file) {
  const MutexLock lock(mutex_);
  version_ += ranks_.erase(file) + notes_.erase(file);
}

void Publisher::note(std::string_view code, Severity severity, const std::string& file, std::string_view example) {
  const MutexLock lock(mutex_);
  notes_[file].add(code, severity, file, Diagnostic::kNoOffset, example);
  ++version_;
}

void Publisher::forget_notes(const std::string& file, std::string_view code) {
  const MutexLock lock(mutex_);
  const auto notes = notes_.find(file);
  if (notes == notes_.end()) return;
  Diagnostics kept;
  for (const Diagnostic& one : notes->second.all())
    if (!code.empty() && one.code != code)
      kept.add(one.code, one.severity, one.file, one.offset, one.example, one.count);
  notes->second = std::move(kept);
  ++version_;
}

void Publisher::publish(bool complete) {
  std::vector<std::shared_ptr<const trace::Rank>> ranks;
  std::vector<std::shared_ptr<const trace::NodeMetrics>> metrics;
  Diagnostics diagnostics;
  std::string root;
  std::shared_ptr<const trace::JobDocuments> job;
  trace::MemoryTimelines memory;
  trace::PythonProfiles python;
  std::uint64_t version = 0;
  {
    const MutexLock lock(mutex_);
    const bool news = version_ != published_version_ || complete != published_complete_;
    const bool anything = !ranks_.empty() || !metrics_.empty() || (complete && anything_besides());
    if (!anything || !news) return;
    for (const auto& [file, rank] : ranks_) ranks.push_back(rank);
    for (const auto& [key, node] : metrics_) metrics.push_back(node);
    diagnostics = all_diagnostics();
    root = root_;
    job = job_;
    memory = memory_;
    python = python_;
    version = version_;
    last_publish_ = Clock::now();
  }
  auto fresh = trace::assemble_profile(std::move(root), dictionary_, std::move(ranks), diagnostics, complete,
                                       std::move(metrics), std::move(job), std::move(memory), std::move(python));
  {
    const MutexLock lock(mutex_);
    // Several threads may publish at once: the most recent version wins.
    if (profile_ && version < published_version_) return;
    profile_ = std::move(fresh);
    published_version_ = version;
    published_complete_ = complete;
  }
  if (published_) published_();
}

void Publisher::publish_if_due() {
  {
    const MutexLock lock(mutex_);
    if (profile_ && (version_ == published_version_ || Clock::now() - last_publish_ <= kPause)) return;
  }
  publish(false);
}

std::shared_ptr<const trace::Profile> Publisher::profile() const {
  const MutexLock lock(mutex_);
  return profile_;
}

std::vector<std::shared_ptr<const trace::Rank>> Publisher::ranks() const {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<const trace::Rank>> all;
  for (const auto& [file, rank] : ranks_) all.push_back(rank);
  return all;
}

std::vector<std::shared_ptr<const trace::NodeMetrics>> Publisher::metrics() const {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<const trace::NodeMetrics>> all;
  for (const auto& [key, node] : metrics_) all.push_back(node);
  return all;
}

std::shared_ptr<const trace::Rank> Publisher::rank(const std::string& file) const {
  const MutexLock lock(mutex_);
  const auto found = ranks_.find(file);
  return found == ranks_.end() ? nullptr : found->second;
}

Diagnostics Publisher::diagnostics() const {
  const MutexLock lock(mutex_);
  return all_diagnostics();
}

bool Publisher::anything_besides() const {
  const auto is_report = [](const trace::JobDocument& one) { return one.kind == trace::JobDocumentKind::rule_report; };
  return !memory_.empty() || !python_.empty() || (job_ && std::ranges::any_of(*job_, is_report));
}

Diagnostics Publisher::all_diagnostics() const {
  Diagnostics all = found_;
  for (const auto& [file, notes] : notes_) all.merge(notes);
  return all;
}

}  // namespace warpscope::ingest
