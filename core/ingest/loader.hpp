#pragma once
// Loads a path in the background: finds the files, has a crew read them, publishes ranks one by one as they are done,
// so that the window shows what is there while the rest still comes. The only place where threads meet a profile.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/crew.hpp"
#include "core/ingest/discover.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

enum class FileState : std::uint8_t { waiting, reading, done, passed_over, cancelled };

struct FileStatus {
  std::string path;
  FileState state = FileState::waiting;
  std::uint64_t bytes_done = 0;  ///< of the file on disk
  std::uint64_t bytes_total = 0;
};

struct LoadStatus {
  bool finished = false;
  bool cancelled = false;
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;
  double seconds = 0;  ///< since the load began; until it finished, once it has
  std::vector<FileStatus> files;
};

struct LoadOptions {
  unsigned threads = 0;             ///< 0: as many as the machine has cores
  std::function<void()> on_change;  ///< called from workers: a new profile, or progress, is there (at most ~25 / s)
};

class Loader {
 public:
  /// Begins at once. `path`: a file or a directory.
  explicit Loader(std::string path, LoadOptions options = {});
  /// Cancels and waits.
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// The best profile so far; nullptr until the first rank is there. Each call may give a newer one.
  [[nodiscard]] std::shared_ptr<const trace::Profile> profile() const;
  [[nodiscard]] LoadStatus status() const;
  [[nodiscard]] bool finished() const { return finished_.load(std::memory_order_acquire); }
  /// Set once finished if nothing at all could be read: what was wrong, where, what to do.
  [[nodiscard]] Failure failure() const;

  /// What is loaded stays; the rest is left out, and the profile says so in a diagnostic.
  void cancel();
  void wait();

 private:
  struct Job {
    trace::SourceFile source;
    std::atomic<FileState> state{FileState::waiting};
    Progress progress;
  };

  void run();
  void read_file(std::size_t index);
  void add_rank(std::shared_ptr<const trace::Rank> rank);
  void note(std::string_view code, Severity severity, const std::string& file, const Error& error);
  void publish(bool complete);
  void changed();
  void read_files();
  [[nodiscard]] Error why_nothing() const;

  std::string path_;
  LoadOptions options_;
  std::chrono::steady_clock::time_point began_;
  std::shared_ptr<trace::Dictionary> dictionary_;
  CancelToken cancel_;
  std::atomic<bool> finished_{false};
  Crew crew_;
  unsigned threads_ = 1;

  mutable std::mutex mutex_;  // guards everything below
  std::vector<std::unique_ptr<Job>> jobs_;
  std::string root_;
  std::vector<std::shared_ptr<const trace::Rank>> ranks_;
  Diagnostics diagnostics_;
  std::shared_ptr<const trace::Profile> profile_;
  std::chrono::steady_clock::time_point last_publish_;
  std::vector<Error> errors_;
  Failure failure_;
  double seconds_ = 0;

  std::thread thread_;  // last: it uses all of the above
};

/// Loads and waits: for the command line and for tests.
[[nodiscard]] Result<std::shared_ptr<const trace::Profile>> load_profile(const std::string& path,
                                                                         LoadOptions options = {});

}  // namespace warpscope::ingest
