#include "app/ui/model/analysis_results.hpp"

#include <algorithm>
#include <utility>

#include "core/base/heap.hpp"
#include "core/base/threads/caught.hpp"

namespace warpscope::ui {
namespace {

constexpr std::size_t kMostEntries = 200;
constexpr unsigned kMostWorkers = 4;
constexpr std::chrono::seconds kPauseWhileLoading{2};

Result<std::vector<Table>> run(const AnalysisRequest& request, const trace::Profile& profile,
                               const ingest::EventLookup* events, analysis::SharedResults* shared,
                               const CancelToken& cancel) {
  const analysis::Analysis* found = analysis::find_analysis(request.analysis);
  if (found == nullptr) return Error{request.analysis, "unknown analysis", ""};
  try {
    return analysis::run_analysis(*found, profile, request.scope, request.settings, &cancel, nullptr, events, shared);
  } catch (...) {
    return caught(request.analysis);
  }
}

}  // namespace

std::string AnalysisRequest::key() const {
  std::string key = analysis;
  for (const auto& [name, value] : settings) key += '\n' + name + '=' + value;
  key += "\n\n";
  for (const std::uint32_t rank : scope.ranks) key += std::to_string(rank) + ' ';
  if (scope.evaluated_only && !scope.range) key += 'e';
  if (scope.range) key += '@' + std::to_string(scope.range->begin) + ' ' + std::to_string(scope.range->end);
  return key;
}

AnalysisResults::AnalysisResults(std::function<void()> wake) : wake_(std::move(wake)) {
  // Leave one thread for the window.
  const unsigned count = std::clamp(std::thread::hardware_concurrency() / 2, 1u, kMostWorkers);
  for (unsigned i = 0; i < count; ++i) workers_.emplace_back([this] { work(); });
}

AnalysisResults::~AnalysisResults() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
    queue_.clear();
    for (auto& [key, entry] : entries_)
      if (entry.job) entry.job->cancel.cancel();
  }
  more_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void AnalysisResults::set_profile(std::shared_ptr<const trace::Profile> profile, std::uint64_t generation, bool fresh,
                                  std::shared_ptr<const ingest::EventLookup> events) {
  const bool other = profile != profile_;
  profile_ = std::move(profile);
  events_ = std::move(events);
  generation_ = generation;
  const MutexLock lock(mutex_);
  if (other) shared_.reset();
  if (!fresh && profile_) return;
  queue_.clear();
  for (auto& [key, entry] : entries_)
    if (entry.job) entry.job->cancel.cancel();
  entries_.clear();
}

std::shared_ptr<const AnalysisAnswer> AnalysisResults::get(const AnalysisRequest& request) {
  if (!profile_) return nullptr;
  std::string key = request.key();
  const MutexLock lock(mutex_);
  Entry& entry = entries_[key];
  entry.asked = frame_;
  // Let a running job finish even if more of the profile has loaded; otherwise nothing would be shown during a long
  // load. While loading, most of the machine is reserved for the load.
  const bool current = entry.answer && entry.answer->generation == generation_;
  const bool soon = entry.answer && !profile_->complete && Clock::now() - entry.answered < kPauseWhileLoading;
  if (!current && !soon && !entry.job) {
    entry.job = std::make_shared<Job>();
    entry.job->key = std::move(key);
    entry.job->request = request;
    entry.job->profile = profile_;
    entry.job->events = events_;
    entry.job->generation = generation_;
    entry.job->shared = shared_with(request.scope);
    queue_.push_back(entry.job);
    more_.notify_one();
  }
  return entry.answer;
}

/// Returns the results shared by jobs of the same scope, such as the panels of a page.
std::shared_ptr<analysis::SharedResults> AnalysisResults::shared_with(const analysis::Scope& scope) {
  if (!shared_ || shared_scope_ != scope) {
    shared_ = std::make_shared<analysis::SharedResults>(*profile_);
    shared_scope_ = scope;
  }
  return shared_;
}

void AnalysisResults::end_frame() {
  const MutexLock lock(mutex_);
  for (auto& [key, entry] : entries_) {
    if (!entry.job || entry.asked == frame_) continue;
    entry.job->cancel.cancel();
    std::erase(queue_, entry.job);
    entry.job.reset();
  }
  if (entries_.size() > kMostEntries) forget_old();
  ++frame_;
}

void AnalysisResults::forget_old() {
  std::vector<std::uint64_t> asked;
  for (const auto& [key, entry] : entries_) asked.push_back(entry.asked);
  std::ranges::nth_element(asked, asked.begin() + static_cast<std::ptrdiff_t>(asked.size() / 2));
  const std::uint64_t limit = std::min(asked[asked.size() / 2], frame_ - 1);
  std::erase_if(entries_, [limit](const auto& item) { return item.second.asked <= limit && !item.second.job; });
}

bool AnalysisResults::busy() const {
  const MutexLock lock(mutex_);
  return std::ranges::any_of(entries_, [](const auto& item) { return item.second.job != nullptr; });
}

std::uint64_t AnalysisResults::answered() const {
  const MutexLock lock(mutex_);
  return serial_;
}

void AnalysisResults::work() {
  MutexLock lock(mutex_);
  while (true) {
    more_.wait(lock, [this]() REQUIRES(mutex_) { return stop_ || !queue_.empty(); });
    if (stop_) return;
    const std::shared_ptr<Job> job = queue_.front();
    queue_.pop_front();
    lock.unlock();
    auto answer = std::make_shared<AnalysisAnswer>();
    answer->tables = run(job->request, *job->profile, job->events.get(), job->shared.get(), job->cancel);
    answer->generation = job->generation;
    job->shared.reset();
    job->profile.reset();  // possibly the last reference, so release it without the lock
    lock.lock();
    auto shared_by_none = queue_.empty() ? std::exchange(shared_, nullptr) : nullptr;
    const auto entry = entries_.find(job->key);
    const bool awaited = entry != entries_.end() && entry->second.job == job;
    if (awaited) {
      answer->serial = ++serial_;
      entry->second.answered = Clock::now();
      entry->second.answer = std::move(answer);
      entry->second.job.reset();
    }
    lock.unlock();
    if (shared_by_none) {  // may free a lot of memory, so not under the lock
      shared_by_none.reset();
      give_memory_back();
    }
    if (awaited && wake_) wake_();
    lock.lock();
  }
}

}  // namespace warpscope::ui
