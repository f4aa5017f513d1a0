#pragma once
// Combines the metrics of a load, thousands of small files, into one NodeMetrics per node. Files are read
// independently, on any thread; a node is assembled once all its files are read. Only files that grew are reread, as
// long as the data of the others is still held. A node is taken from the store if none of its files changed.
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/ingest/formats/sagemaker/metrics_text.hpp"
#include "core/trace/rank.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::ingest::smdebug {

/// One node and the diagnostics of its files.
struct ReadMetrics {
  std::shared_ptr<const trace::NodeMetrics> metrics;  ///< null if its files are gone or have no samples
  std::string key;                                    ///< identifies the node in every scan
  Diagnostics diagnostics;
  bool from_store = false;  ///< if so, the store's diagnostics about its files still apply
};

class SystemMetrics {
 public:
  /// A node with files to read.
  struct Node {
    std::string key;          ///< folder and node: a pattern for its files as a user would type it
    std::uint64_t files = 0;  ///< files to read
    std::uint64_t bytes = 0;  ///< their size
  };

  /// Records the current files: `files` are those that metrics_file_name() recognizes, `stored` (may be empty) the
  /// nodes in a store. Returns the nodes with files to read. Not thread-safe; no read() may be running.
  [[nodiscard]] std::vector<Node> look(std::span<const trace::SourceFile> files,
                                       std::span<const std::shared_ptr<const trace::NodeMetrics>> stored);

  /// Returns true if no files were found yet.
  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  /// Returns the number of files to read.
  [[nodiscard]] std::size_t to_read() const { return due_.size(); }
  /// Returns the node key of file number `i` to read.
  [[nodiscard]] const std::string& node_of(std::size_t i) const { return due_[i].node->key; }
  /// Reads file number `i`. Thread-safe; call once per number. `cancel` (may be null): if cancelled, the file counts as
  /// unread.
  void read(std::size_t i, Progress* progress, const CancelToken* cancel);

  /// Returns the nodes changed since the last call. `hold`: keeps the data of each file for later rereads. Not
  /// thread-safe; call after all read().
  [[nodiscard]] std::vector<ReadMetrics> take_changed(bool hold);

 private:
  struct File {
    trace::SourceFile source;
    std::shared_ptr<const MetricsPart> part;  // null: not read yet, or released
    std::shared_ptr<const Diagnostics> diagnostics;
    bool seen = false;
  };
  struct NodeFiles {
    std::string key;
    std::string folder;
    std::string node;
    std::map<std::string, File> files;  // by path, which is the order of time
    bool changed = false;
    std::shared_ptr<const trace::NodeMetrics> stored;
  };
  struct Due {
    NodeFiles* node = nullptr;
    File* file = nullptr;
  };
  [[nodiscard]] std::shared_ptr<const trace::NodeMetrics> join(const NodeFiles& node) const;

  MetricNames names_;
  std::map<std::string, NodeFiles> nodes_;
  std::vector<Due> due_;
};

/// Returns a hash of names, sizes and modification times; `files` sorted by path.
[[nodiscard]] std::uint64_t stamp_of_files(std::span<const trace::SourceFile* const> files);

/// Reads one file. I/O and compression errors become diagnostics; the samples before them are kept.
[[nodiscard]] MetricsPart read_metrics_file(const std::string& path, MetricNames& names,
                                            const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest::smdebug
