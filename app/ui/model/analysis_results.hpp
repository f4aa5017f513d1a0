#pragma once
// Computes analysis tables for panels. Panels request tables every frame, and worker threads compute them in request
// order. Results are cached per profile, scope and settings. While a profile loads, the previous answer stays visible
// until the new one is ready. Requests that no panel repeats are cancelled.
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/base/progress.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::ui {

struct AnalysisRequest {
  std::string analysis;  ///< name in the registry
  std::vector<analysis::Setting> settings;
  analysis::Scope scope;

  /// Returns a cache key; equal requests have equal keys.
  [[nodiscard]] std::string key() const;
};

struct AnalysisAnswer {
  Result<std::vector<Table>> tables = std::vector<Table>();
  std::uint64_t generation = 0;  ///< generation of its profile
  std::uint64_t serial = 0;      ///< unique per answer; key for caches of derived data
};

class AnalysisResults {
 public:
  /// `wake` is called from other threads when an answer is ready; may be empty.
  explicit AnalysisResults(std::function<void()> wake);
  /// Cancels all jobs and waits for them.
  ~AnalysisResults();
  AnalysisResults(const AnalysisResults&) = delete;
  AnalysisResults& operator=(const AnalysisResults&) = delete;

  /// Sets the profile for subsequent answers; `events` reads its slices' arguments (may be null). `fresh`: the profile
  /// comes from a different path, so older answers are discarded.
  void set_profile(std::shared_ptr<const trace::Profile> profile, std::uint64_t generation, bool fresh,
                   std::shared_ptr<const ingest::EventLookup> events = nullptr);
  /// Returns the latest answer, or null if there is none yet. Requests an answer if there is none for the current
  /// profile generation. The analysis must exist. UI thread only, like all other functions.
  std::shared_ptr<const AnalysisAnswer> get(const AnalysisRequest& request);
  /// Cancels jobs not requested in this frame. Call once per frame, after all requests.
  void end_frame();
  /// True while any answer is being computed.
  [[nodiscard]] bool busy() const;
  /// Number of answers computed since startup, excluding cancelled ones.
  [[nodiscard]] std::uint64_t answered() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    std::string key;
    AnalysisRequest request;
    std::shared_ptr<const trace::Profile> profile;
    std::shared_ptr<const ingest::EventLookup> events;
    std::shared_ptr<analysis::SharedResults> shared;
    std::uint64_t generation = 0;
    CancelToken cancel;
  };
  struct Entry {
    std::shared_ptr<const AnalysisAnswer> answer;
    std::shared_ptr<Job> job;  // null: none running
    std::uint64_t asked = 0;   // frame of the last request
    Clock::time_point answered{};
  };

  void work();
  void forget_old() REQUIRES(mutex_);
  [[nodiscard]] std::shared_ptr<analysis::SharedResults> shared_with(const analysis::Scope& scope) REQUIRES(mutex_);

  std::function<void()> wake_;
  std::shared_ptr<const trace::Profile> profile_;
  std::shared_ptr<const ingest::EventLookup> events_;
  std::uint64_t generation_ = 0;
  std::uint64_t frame_ = 1;

  mutable Mutex mutex_;
  Condition more_;
  std::map<std::string, Entry> entries_ GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<Job>> queue_ GUARDED_BY(mutex_);
  // Shared by all jobs with the same scope; null while none are queued.
  std::shared_ptr<analysis::SharedResults> shared_ GUARDED_BY(mutex_);
  analysis::Scope shared_scope_ GUARDED_BY(mutex_);
  std::uint64_t serial_ GUARDED_BY(mutex_) = 0;
  bool stop_ GUARDED_BY(mutex_) = false;
  std::vector<std::thread> workers_;  // last: they use the other members
};

}  // namespace warpscope::ui
