#pragma once
// The profile that others see while it comes together: ranks and notes by the file they are of, so that a file that is
// read again, or given back to its store, replaces what was there. Whoever adds something says so and goes on; a new
// profile is put together at most some times a second, for putting hundreds of ranks together for each one that arrives
// would be quadratic. Everything may be called from any thread.
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

class Publisher {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPause{150};

  /// `published` is called after each new profile, from the thread that made it; may be empty.
  explicit Publisher(std::function<void()> published) : published_(std::move(published)) {}

  /// Names and categories of all ranks that are put here.
  [[nodiscard]] const std::shared_ptr<trace::Dictionary>& dictionary() const { return dictionary_; }

  /// What is open, and what was found odd about its files without reading them; replaces what an earlier look found.
  void found(std::string root, Diagnostics diagnostics);
  /// What tells of the job; replaces what was there.
  void put_job(trace::JobDocuments documents);
  /// What is known of devices' memory; replaces what was there.
  void put_memory(trace::MemoryTimelines timelines);
  /// Adds the rank, in place of the one of the same file. Publishes if the last profile is old enough.
  void put(std::shared_ptr<const trace::Rank> rank);
  /// Adds what a node measured, in place of what was there for `key`; null takes it out. `notes`: on its files.
  void put_metrics(const std::string& key, std::shared_ptr<const trace::NodeMetrics> metrics, Diagnostics notes);
  /// Forgets the rank and the notes of a file.
  void take_out(const std::string& file);
  /// Adds a diagnostic about a file, or about all of it ("").
  void note(std::string_view code, Severity severity, const std::string& file, std::string_view example);
  /// Forgets the notes about a file, or those of one code only.
  void forget_notes(const std::string& file, std::string_view code = {});

  /// Makes a profile of everything that is here, if anything or `complete` changed since the last one. Nothing without
  /// a rank or metrics; memory timelines alone are one when nothing more will come.
  void publish(bool complete);
  /// publish(false), if anything changed and the last one is old enough.
  void publish_if_due();

  /// The latest; null until there is a rank.
  [[nodiscard]] std::shared_ptr<const trace::Profile> profile() const;
  /// In the order of their files' paths.
  [[nodiscard]] std::vector<std::shared_ptr<const trace::Rank>> ranks() const;
  [[nodiscard]] std::vector<std::shared_ptr<const trace::NodeMetrics>> metrics() const;
  [[nodiscard]] std::shared_ptr<const trace::Rank> rank(const std::string& file) const;
  /// Of the look and all notes; ranks carry their own.
  [[nodiscard]] Diagnostics diagnostics() const;

 private:
  [[nodiscard]] Diagnostics all_diagnostics() const;

  std::function<void()> published_;
  std::shared_ptr<trace::Dictionary> dictionary_ = std::make_shared<trace::Dictionary>();

  mutable std::mutex mutex_;  // guards everything below
  std::string root_;
  Diagnostics found_;
  std::map<std::string, std::shared_ptr<const trace::Rank>> ranks_;
  std::map<std::string, std::shared_ptr<const trace::NodeMetrics>> metrics_;
  std::map<std::string, Diagnostics> notes_;
  std::shared_ptr<const trace::JobDocuments> job_;
  trace::MemoryTimelines memory_;
  std::uint64_t version_ = 0;  // of what is above
  std::uint64_t published_version_ = 0;
  bool published_complete_ = false;
  Clock::time_point last_publish_{};
  std::shared_ptr<const trace::Profile> profile_;
};

}  // namespace warpscope::ingest
