#pragma once
// The tables of analyses, for panels: asked for in each frame, computed on other threads in the order in which they
// were asked for, kept per profile, scope and settings. While a fuller profile loads, the answer of the last one is
// shown until the new one is there; what no panel asks for any more is cancelled.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/base/progress.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::ui {

struct AnalysisRequest {
  std::string analysis;  ///< name in the registry
  std::vector<analysis::Setting> settings;
  analysis::Scope scope;

  /// The same for equal requests.
  [[nodiscard]] std::string key() const;
};

struct AnalysisAnswer {
  Result<std::vector<Table>> tables = std::vector<Table>();
  std::uint64_t generation = 0;  ///< of the profile it is of
  std::uint64_t serial = 0;      ///< another one for every answer: what is made from it is cached by this
};

class AnalysisResults {
 public:
  /// `wake` is called from other threads when there is an answer; may be empty.
  explicit AnalysisResults(std::function<void()> wake);
  /// Cancels and waits.
  ~AnalysisResults();
  AnalysisResults(const AnalysisResults&) = delete;
  AnalysisResults& operator=(const AnalysisResults&) = delete;

  /// Answers are of this profile from now on, whose slices' arguments `events` has (may be null). `fresh`: of another
  /// path, so older answers are of no use.
  void set_profile(std::shared_ptr<const trace::Profile> profile, std::uint64_t generation, bool fresh,
                   std::shared_ptr<const ingest::EventLookup> events = nullptr);
  /// The latest answer, or null until there is one; asks for one of this generation if there is none yet. An analysis
  /// of that name must exist. UI thread, as the rest.
  std::shared_ptr<const AnalysisAnswer> get(const AnalysisRequest& request);
  /// Once a frame, after all were asked for: cancels what was not.
  void end_frame();
  /// True while any answer is under way.
  [[nodiscard]] bool busy() const;
  /// Answers that were computed since the start, cancelled ones not counted.
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
    std::shared_ptr<Job> job;  // null: none under way
    std::uint64_t asked = 0;   // frame
    Clock::time_point answered{};
  };

  void work();
  void forget_old();
  [[nodiscard]] std::shared_ptr<analysis::SharedResults> shared_with(const analysis::Scope& scope);

  std::function<void()> wake_;
  std::shared_ptr<const trace::Profile> profile_;
  std::shared_ptr<const ingest::EventLookup> events_;
  std::uint64_t generation_ = 0;
  std::uint64_t frame_ = 1;

  mutable std::mutex mutex_;
  std::condition_variable more_;
  std::map<std::string, Entry> entries_;
  std::deque<std::shared_ptr<Job>> queue_;
  std::shared_ptr<analysis::SharedResults> shared_;  // by the jobs of one scope; null while none is queued
  analysis::Scope shared_scope_;
  std::uint64_t serial_ = 0;
  bool stop_ = false;
  std::vector<std::thread> workers_;  // last: they use the rest
};

}  // namespace warpscope::ui
