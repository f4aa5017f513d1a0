#pragma once
// A profile on another machine: runs `warpscope serve` there over ssh and reads from its stores. If the connection
// breaks, the next read connects again and continues, as long as the stores are the same. Thread-safe: reads take
// turns.
//
// Reading a part takes a round trip, however small it is, so readers announce what they need (StoreBytes::expect) and
// RemoteBytes reads ahead. Everything read is kept in a PartialCopy, so it crosses the network once.
//
// Analyses are computed on the host: of these, only the results cross the network.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/ingest/remote/remote_path.hpp"
#include "core/ingest/remote/remote_process.hpp"
#include "core/ingest/remote/wire.hpp"
#include "core/store/cache.hpp"
#include "core/store/store_bytes.hpp"
#include "core/trace/profile_host.hpp"

namespace warpscope::ingest {

/// Progress until the stores are available.
struct RemoteProgress {
  std::string what;         ///< "Connecting to node7", "node7: reading the traces"
  std::uint64_t done = 0;   ///< bytes of the traces
  std::uint64_t total = 0;  ///< 0 while unknown
};

class RemoteHost final : public trace::ProfileHost {
 public:
  struct File {
    std::string path;  ///< on the host
    std::uint64_t size = 0;
    std::uint64_t key = 0;  ///< of the content

    bool operator==(const File&) const = default;
  };
  using Notice = std::function<void(const RemoteProgress&)>;

  /// Connects and waits until the host has stores of the profile, writing them if necessary. Polls `stopped`.
  /// Errors: those of ssh, of loading on the host, or of another version there.
  [[nodiscard]] static Result<std::shared_ptr<RemoteHost>> connect(RemotePath remote, const Notice& notice,
                                                                   const std::function<bool()>& stopped);

  [[nodiscard]] const std::string& name() const { return remote_.host; }
  /// Returns the stores: one, or the shards of a job.
  [[nodiscard]] const std::vector<File>& files() const { return files_; }
  [[nodiscard]] bool shards() const { return shards_; }

  using Take = std::function<bool(std::size_t range, std::span<const std::uint8_t>)>;
  /// Reads ranges of a file, each of at most kMostBytes, and passes each to `take`, which returns false to stop.
  [[nodiscard]] Failure read(std::size_t file, std::span<const store::ByteRange> ranges, const Take& take);
  [[nodiscard]] trace::HostAnswer ask(std::string_view question, std::span<const std::uint8_t> content,
                                      const CancelToken* cancel) override;
  /// Makes current and later reads and questions fail.
  void close() { closed_ = true; }

 private:
  explicit RemoteHost(RemotePath remote) : remote_(std::move(remote)) {}
  [[nodiscard]] Failure open(const Notice& notice, const std::function<bool()>& stopped) REQUIRES(mutex_);
  [[nodiscard]] Failure await_files(const Notice& notice, const std::function<bool()>& stopped) REQUIRES(mutex_);
  [[nodiscard]] Failure take_files(std::span<const std::uint8_t> content) REQUIRES(mutex_);
  [[nodiscard]] Failure connect_again() REQUIRES(mutex_);
  [[nodiscard]] Error lost() const;
  void disconnect() REQUIRES(mutex_);
  enum class Asked : std::uint8_t { done, refused, broken };
  [[nodiscard]] Asked request(std::size_t file, std::span<const store::ByteRange> ranges, const Take& take)
      REQUIRES(mutex_);

  const RemotePath remote_;
  std::vector<File> files_;  // constant once connected
  bool shards_ = false;
  std::atomic<bool> closed_{false};

  Mutex mutex_;
  std::unique_ptr<RemoteProcess> process_ GUARDED_BY(mutex_);  // null while there is no connection
  std::unique_ptr<Wire> wire_ GUARDED_BY(mutex_);
  std::uint64_t connection_ GUARDED_BY(mutex_) = 0;  // number of the latest
  std::uint64_t questions_ GUARDED_BY(mutex_) = 0;   // number of the latest
  Failure lost_ GUARDED_BY(mutex_);                  // why the last attempts to connect again failed
  std::chrono::steady_clock::time_point lost_at_ GUARDED_BY(mutex_);
};

/// Returns the bytes of a file of the host, copied to `cache` as they are read. `cache`: without a folder, the copy is
/// in memory. Errors: no room for the copy.
[[nodiscard]] Result<std::shared_ptr<const store::StoreBytes>> remote_bytes(std::shared_ptr<RemoteHost> host,
                                                                            std::size_t file,
                                                                            const store::Cache& cache);

}  // namespace warpscope::ingest
