#include "core/ingest/load/publisher.hpp"

#include <algorithm>
#include <utility>

#include "core/base/file_group.hpp"

namespace warpscope::ingest {

void Publisher::found(std::string root, Diagnostics diagnostics, trace::JobDocuments documents) {
  auto job = std::make_shared<const trace::JobDocuments>(std::move(documents));
  const MutexLock lock(mutex_);
  root_ = std::move(root);
  found_ = std::move(diagnostics);
  job_ = std::move(job);
  ++version_;
}

void Publisher::is_on(std::shared_ptr<trace::ProfileHost> host) {
  const MutexLock lock(mutex_);
  host_ = std::move(host);
}

void Publisher::put(const std::string& source, trace::SourceData data, const Diagnostics& notes) {
  {
    const MutexLock lock(mutex_);
    data_.insert_or_assign(source, std::move(data));
    if (!notes.empty()) notes_[source].merge(notes);
    ++version_;
  }
  publish_if_due();
}

void Publisher::take_out(const std::string& file) {
  keep_only(file, {});
  const MutexLock lock(mutex_);
  version_ += notes_.erase(file);
}

void Publisher::keep_only(const std::string& file, const std::vector<std::string>& sources) {
  const MutexLock lock(mutex_);
  for (auto at = data_.lower_bound(file); at != data_.end() && at->first.starts_with(file);) {
    if (file_of(at->first) != file || std::ranges::find(sources, at->first) != sources.end()) {
      ++at;
      continue;
    }
    at = data_.erase(at);
    ++version_;
  }
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
  std::shared_ptr<trace::ProfileHost> host;
  std::uint64_t version = 0;
  const Clock::time_point start = Clock::now();
  {
    const MutexLock lock(mutex_);
    const bool news = version_ != published_version_ || complete != published_complete_;
    if (!anything(complete) || !news) return;
    ranks = each_of(&trace::SourceData::rank);
    metrics = each_of(&trace::SourceData::metrics);
    memory = each_of(&trace::SourceData::memory);
    python = each_of(&trace::SourceData::python);
    diagnostics = all_diagnostics();
    root = root_;
    job = job_;
    host = host_;
    version = version_;
    last_publish_ = start;
  }
  auto fresh =
      trace::assemble_profile(std::move(root), dictionary_, std::move(ranks), diagnostics, complete, std::move(metrics),
                              std::move(job), std::move(memory), std::move(python), std::move(host));
  {
    const MutexLock lock(mutex_);
    last_publish_ = Clock::now();
    pause_ = pause_after(last_publish_ - start);
    // If several threads publish at once, the most recent version wins.
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
    if (profile_ && (version_ == published_version_ || Clock::now() - last_publish_ <= pause_)) return;
  }
  publish(false);
}

std::shared_ptr<const trace::Profile> Publisher::profile() const {
  const MutexLock lock(mutex_);
  return profile_;
}

std::vector<std::shared_ptr<const trace::Rank>> Publisher::ranks_of(const std::string& file) const {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<const trace::Rank>> found;
  for (auto at = data_.lower_bound(file); at != data_.end() && at->first.starts_with(file); ++at)
    if (at->second.rank && file_of(at->first) == file) found.push_back(at->second.rank);
  return found;
}

std::vector<std::shared_ptr<const trace::Rank>> Publisher::ranks() const {
  const MutexLock lock(mutex_);
  return each_of(&trace::SourceData::rank);
}

std::vector<std::shared_ptr<const trace::NodeMetrics>> Publisher::metrics() const {
  const MutexLock lock(mutex_);
  return each_of(&trace::SourceData::metrics);
}

trace::SourceData Publisher::data(const std::string& source) const {
  const MutexLock lock(mutex_);
  const auto found = data_.find(source);
  return found == data_.end() ? trace::SourceData() : found->second;
}

Diagnostics Publisher::diagnostics() const {
  const MutexLock lock(mutex_);
  return all_diagnostics();
}

bool Publisher::anything(bool complete) const {
  const auto is_report = [](const trace::JobDocument& one) { return one.kind == trace::JobDocumentKind::rule_report; };
  const auto counts = [&](const auto& one) {
    return one.second.rank || one.second.metrics || (complete && static_cast<bool>(one.second));
  };
  return std::ranges::any_of(data_, counts) || (complete && job_ && std::ranges::any_of(*job_, is_report));
}

Diagnostics Publisher::all_diagnostics() const {
  Diagnostics all = found_;
  for (const auto& [file, notes] : notes_) all.merge(notes);
  return all;
}

}  // namespace warpscope::ingest
