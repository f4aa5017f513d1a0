#pragma once
// True contents of a generated set, counted during generation: what a reader of the files must find.
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/tracegen/options.hpp"
#include "tests/tracegen/program.hpp"

namespace warpscope::tracegen {

/// Contents of one rank's file. Times are ns since the Unix epoch, as written in the file.
struct RankTruth {
  int rank = 0;  ///< as written in the file
  int node = 0;
  int device = 0;
  std::int64_t pid = 0;
  std::string host;
  std::string file;         ///< relative path
  bool exact = true;        ///< false if a defect makes the counts unknown
  std::int64_t events = 0;  ///< complete entries of traceEvents
  std::int64_t slices = 0;  ///< X events, and pairs of B and E
  std::map<std::string, std::int64_t> slices_by_category;
  std::int64_t kernels = 0;
  std::int64_t copies = 0;
  std::int64_t sets = 0;
  std::int64_t moved = 0;        ///< bytes moved by memcpys and memsets
  std::int64_t calls = 0;        ///< runtime and driver calls
  std::int64_t launches = 0;     ///< calls with at least one GPU activity
  std::int64_t connections = 0;  ///< GPU activities with a launch
  std::int64_t fwdbwd = 0;       ///< forward → backward pairs
  std::int64_t steps = 0;        ///< distinct ProfilerStep names
  std::int64_t streams = 0;      ///< streams with GPU activity
  std::int64_t flagged = 0;      ///< slices with an impossible start or duration
  std::int64_t overlaps = 0;     ///< GPU activities that start before the previous one on their stream ends
  std::int64_t samples = 0;      ///< counter samples
  std::int64_t busy_ns = 0;      ///< union of GPU activity over all streams, without flagged slices
  std::int64_t begin_ns = 0;     ///< extent of the slices, without flagged ones and the profiler's own span
  std::int64_t end_ns = 0;

  [[nodiscard]] std::int64_t runs() const { return kernels + copies + sets; }
};

/// One series of a node's system metrics. Values are in hundredths, as printed.
struct MetricTruth {
  std::int64_t samples = 0;
  std::int64_t hundredths = 0;  ///< sum over the samples
  std::int64_t last_hundredths = 0;
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
};

/// System metrics of a node.
struct MetricsTruth {
  std::string node;  ///< "algo-1"
  std::int64_t files = 0;
  std::map<std::string, MetricTruth> series;  ///< by "type/name/dimension"
};

/// One collective of one group of ranks.
struct CollectiveTruth {
  int collective = 0;  ///< index into Program::collectives
  int step = 0;
  Group group{};
  int node = 0;       ///< node of the group
  int last_rank = 0;  ///< last rank to arrive
  std::int64_t first_begin_ns = 0;
  std::int64_t last_begin_ns = 0;
  std::int64_t end_ns = 0;  ///< on all ranks of the group (before clock offsets are applied)
};

struct Truth {
  std::uint64_t seed = 0;
  int world = 0;
  int nodes = 0;
  std::vector<RankTruth> ranks;  ///< one per file, in rank order
  std::vector<std::string> foreign_files;
  std::vector<CollectiveTruth> collectives;
  std::vector<MetricsTruth> metrics;  ///< one per node, if any
  std::vector<Fault> faults;          ///< why ranks are late

  /// Sums over the ranks; for `steps`, the maximum.
  [[nodiscard]] RankTruth total() const;
  [[nodiscard]] std::string json() const;
};

/// Computes the union of intervals that arrive nearly in order. Memory is bounded as long as intervals touch or overlap
/// occasionally.
class BusyUnion {
 public:
  void add(std::int64_t begin, std::int64_t end);
  /// Returns the length of the union.
  [[nodiscard]] std::int64_t total();

 private:
  struct Range {
    std::int64_t begin;
    std::int64_t end;
  };
  void merge();

  std::vector<Range> ranges_;
  std::size_t merged_ = 0;
};

}  // namespace warpscope::tracegen
