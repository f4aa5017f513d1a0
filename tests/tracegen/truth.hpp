#pragma once
// What a generated set really holds, counted by the generator while it generates: what a reader of the files must find.
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/tracegen/options.hpp"
#include "tests/tracegen/program.hpp"

namespace warpscope::tracegen {

/// Of one rank's file. Times are ns since the Unix epoch, as the file says them.
struct RankTruth {
  int rank = 0;  ///< as the file says it
  int node = 0;
  int device = 0;
  std::int64_t pid = 0;
  std::string host;
  std::string file;         ///< relative path
  bool exact = true;        ///< false if a defect makes the counts unknown
  std::int64_t events = 0;  ///< entries of traceEvents that are whole
  std::int64_t slices = 0;  ///< X, and pairs of B and E
  std::map<std::string, std::int64_t> slices_by_category;
  std::int64_t kernels = 0;
  std::int64_t copies = 0;
  std::int64_t sets = 0;
  std::int64_t moved = 0;        ///< bytes, by copies and sets
  std::int64_t calls = 0;        ///< runtime and driver
  std::int64_t launches = 0;     ///< calls with at least one run
  std::int64_t connections = 0;  ///< runs with a launch
  std::int64_t fwdbwd = 0;       ///< forward → backward pairs
  std::int64_t steps = 0;        ///< distinct ProfilerStep names
  std::int64_t streams = 0;      ///< with runs
  std::int64_t flagged = 0;      ///< slices of impossible begin or duration
  std::int64_t overlaps = 0;     ///< runs that begin before the last one of their stream has ended
  std::int64_t samples = 0;      ///< of counters
  std::int64_t busy_ns = 0;      ///< union of the runs over all streams, without the flagged
  std::int64_t begin_ns = 0;     ///< of the slices, without the flagged and the profiler's own span
  std::int64_t end_ns = 0;

  [[nodiscard]] std::int64_t runs() const { return kernels + copies + sets; }
};

/// One series of a node's system metrics. Values are counted in hundredths, as they are printed.
struct MetricTruth {
  std::int64_t samples = 0;
  std::int64_t hundredths = 0;  ///< sum over the samples
  std::int64_t last_hundredths = 0;
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
};

/// What a node measured of itself.
struct MetricsTruth {
  std::string node;  ///< "algo-1"
  std::int64_t files = 0;
  std::map<std::string, MetricTruth> series;  ///< by "type/name/dimension"
};

/// One collective on the ranks of one group.
struct CollectiveTruth {
  int collective = 0;  ///< index into Program::collectives
  int step = 0;
  Group group{};
  int node = 0;       ///< of a node's group
  int last_rank = 0;  ///< which the others waited for
  std::int64_t first_begin_ns = 0;
  std::int64_t last_begin_ns = 0;
  std::int64_t end_ns = 0;  ///< on all ranks of the group (before clocks are set apart)
};

struct Truth {
  std::uint64_t seed = 0;
  int world = 0;
  int nodes = 0;
  std::vector<RankTruth> ranks;  ///< one a file, in the order of the ranks
  std::vector<std::string> foreign_files;
  std::vector<CollectiveTruth> collectives;
  std::vector<MetricsTruth> metrics;  ///< of each node, if there are any

  /// Sums over the ranks; of `steps` the largest.
  [[nodiscard]] RankTruth total() const;
  [[nodiscard]] std::string json() const;
};

/// Union of intervals that arrive nearly in order, in bounded memory as long as they touch or overlap now and then.
class BusyUnion {
 public:
  void add(std::int64_t begin, std::int64_t end);
  /// Length of the union.
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
