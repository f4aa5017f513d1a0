#pragma once
// The metrics of all nodes of a load: from thousands of small files to one NodeMetrics a node. Files are read apart, by
// any thread; a node is put together from them once all are there. A file that grew is read again alone, as long as
// what the others gave is still held; what a store has of a node is taken from there if none of its files changed.
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

/// One node and what was said of its files.
struct ReadMetrics {
  std::shared_ptr<const trace::NodeMetrics> metrics;  ///< null if its files are gone or gave nothing
  std::string key;                                    ///< of the node, the same in each look
  Diagnostics diagnostics;
  bool from_store = false;  ///< then what the store's directory says of its files holds still
};

class SystemMetrics {
 public:
  /// A node whose files have to be read, all or some.
  struct Node {
    std::string key;          ///< folder and node: what a person would type for its files
    std::uint64_t files = 0;  ///< to be read
    std::uint64_t bytes = 0;  ///< of these
  };

  /// Notes what there is now: `files` are those that metrics_file_name() knows, `stored` (may be empty) what a store
  /// has. Returns the nodes with files to be read. One thread, and none in read().
  [[nodiscard]] std::vector<Node> look(std::span<const trace::SourceFile> files,
                                       std::span<const std::shared_ptr<const trace::NodeMetrics>> stored);

  /// Nothing was found yet.
  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  /// How many files are to be read.
  [[nodiscard]] std::size_t to_read() const { return due_.size(); }
  /// The key of the node that file number `i` of them is of.
  [[nodiscard]] const std::string& node_of(std::size_t i) const { return due_[i].node->key; }
  /// Reads file number `i` of them. Any thread, each number once. `cancel` (may be null): then the file counts as not
  /// read.
  void read(std::size_t i, Progress* progress, const CancelToken* cancel);

  /// The nodes that changed since the last time. `hold`: files will be looked at again, so what was read of each stays.
  /// One thread, after all read().
  [[nodiscard]] std::vector<ReadMetrics> take_changed(bool hold);

 private:
  struct File {
    trace::SourceFile source;
    std::shared_ptr<const MetricsPart> part;  // null: not read, or not held any more
    std::shared_ptr<const Diagnostics> diagnostics;
    bool seen = false;
  };
  struct NodeFiles {
    std::string key;
    std::string folder;
    std::string node;
    std::map<std::string, File> files;  // by path: in the order of time
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

/// A stamp of names, sizes and modification times; `files` in the order of their paths.
[[nodiscard]] std::uint64_t stamp_of_files(std::span<const trace::SourceFile* const> files);

/// Reads one file. Errors of the disk and of compression are diagnostics; what came before them is there.
[[nodiscard]] MetricsPart read_metrics_file(const std::string& path, MetricNames& names,
                                            const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest::smdebug
