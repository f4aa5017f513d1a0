#pragma once
// One rank: the contents of one source file. Immutable once published, and shared between profiles.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/result.hpp"
#include "core/trace/busy_curve.hpp"
#include "core/trace/connections.hpp"
#include "core/trace/counter.hpp"
#include "core/trace/lane.hpp"
#include "core/trace/transfers.hpp"

namespace warpscope::trace {

/// The state of a rank's file when it was read. Arguments are read from the file later only if it has not changed.
struct SourceFile {
  std::string path;
  std::uint64_t size = 0;        ///< bytes on disk
  std::int64_t modified_ns = 0;  ///< modification time
  std::uint64_t inode = 0;
  std::uint64_t text_bytes = 0;  ///< bytes after decompression
};

enum class TrackKind : std::uint8_t { stream, thread, async };

/// A thread or a stream: the lanes [first_lane, first_lane + lane_count) of its rank, top row first.
struct Track {
  TrackKind kind = TrackKind::thread;
  std::string label;         ///< "stream 7", "thread 4045 (python)"
  std::int64_t process = 0;  ///< host process id, or device id for a stream
  std::int64_t id = 0;       ///< thread or stream id
  std::uint32_t first_lane = 0;
  std::uint32_t lane_count = 0;
  std::uint64_t launches = 0;  ///< host calls on this track that launched GPU activity
  std::int32_t device = -1;    ///< of a stream: its device; of a thread: index of the device it launches to most
  bool communication = false;  ///< most of its busy time is communication
  bool runs = false;           ///< has kernels, memcpys or memsets
};

/// A device with activity from this rank.
struct Device {
  std::int64_t id = 0;                 ///< as numbered by the trace
  std::string model;                   ///< "" if unknown
  std::vector<std::uint32_t> streams;  ///< tracks
  RowPart<IntervalTree> busy;          ///< union of kernels, memcpys and memsets over its streams
  std::size_t busy_bytes = 0;          ///< of a rank in a store: size of `busy`
};

/// One training step as recorded on the host.
struct Step {
  NameId name = 0;
  Interval time;
  SliceOrdinal slice = 0;
};

struct RankCounts {
  std::uint64_t events = 0;    ///< entries of traceEvents, all phases
  std::uint64_t slices = 0;    ///< complete slices: X, and paired B/E
  std::uint64_t runs = 0;      ///< kernels, memcpys and memsets
  std::uint64_t launches = 0;  ///< host calls that launched at least one GPU activity
  std::map<CategoryId, std::uint64_t> by_category;
};

/// Position of a slice.
struct SlicePlace {
  std::uint32_t lane = 0;
  std::uint32_t index = 0;
};

class Rank;

/// Backing store of a rank's columns. Thread-safe.
class RankStorage {
 public:
  virtual ~RankStorage() = default;
  /// Returns an unloaded copy of the rank; swapping it in frees memory.
  [[nodiscard]] virtual Result<std::shared_ptr<const Rank>> reopen() const = 0;
  /// Returns the corruption found while loading columns; slices that could not be loaded have zero length and no name.
  [[nodiscard]] virtual Failure damage() const = 0;
};

class Rank {
 public:
  SourceFile source;
  std::int64_t number = 0;                        ///< rank
  std::int64_t world_size = 0;                    ///< 0 if unknown
  bool number_assigned = false;                   ///< neither the file nor its name contains the rank
  std::string host;                               ///< "" if unknown
  std::int64_t process = 0;                       ///< pid of the host side, 0 if unknown
  std::map<std::string, std::string> properties;  ///< metadata of the file: key → raw JSON text

  std::vector<Track> tracks;
  std::vector<Lane> lanes;
  std::vector<SliceOrdinal> lane_start;  ///< ordinal of each lane's first slice, and the total at the end
  std::vector<Device> devices;
  std::vector<Counter> counters;
  Connections launches;  ///< launch → GPU activity and graph nodes
  Connections forward_backward;
  Connections graph_edges;                           ///< between nodes of one replay of a CUDA graph
  Transfers transfers;                               ///< of memcpys and memsets whose size is recorded
  std::vector<Step> steps;                           ///< by start
  std::map<std::string, std::uint64_t> annotations;  ///< host annotations by family
  RankCounts counts;
  Interval span = kEmptySpan;  ///< of valid slices; kEmptySpan if none
  Ns clock_shift = 0;          ///< ns added to all times to align the clocks of ranks; 0: as recorded
  Diagnostics diagnostics;
  std::shared_ptr<const BusyCurve> curve;      ///< of a rank in a store
  std::shared_ptr<const RankStorage> storage;  ///< nullptr if everything is in memory
  StoredColumn<RankRows> rows;                 ///< of a rank in a store: what lanes and devices refer to

  [[nodiscard]] SlicePlace locate(SliceOrdinal slice) const;  ///< O(log lanes)
  [[nodiscard]] SliceOrdinal ordinal(SlicePlace place) const { return lane_start[place.lane] + place.index; }
  [[nodiscard]] std::uint32_t track_of_lane(std::uint32_t lane) const;  ///< O(log tracks)
  /// Returns the kind of a lane; for a folded lane, the kind of the lanes above it.
  [[nodiscard]] LaneKind rows_of(std::uint32_t lane) const {
    const LaneKind kind = lanes[lane].kind();
    return kind == LaneKind::folded && lane > 0 ? lanes[lane - 1].kind() : kind;
  }
  /// Finds the slice with this event id, for restoring a selection; nullopt if there is none or if its lane's ids are
  /// absent (ResidentOnly). O(number of ids).
  [[nodiscard]] std::optional<SliceOrdinal> find_event(std::uint64_t event) const;

  [[nodiscard]] Ns begin(SliceOrdinal slice) const;
  [[nodiscard]] Ns duration(SliceOrdinal slice) const;
  [[nodiscard]] NameId name(SliceOrdinal slice) const;
  [[nodiscard]] CategoryId category(SliceOrdinal slice) const;
  /// Returns the number of bytes moved by a memcpy or memset, if recorded. O(log transfers).
  [[nodiscard]] std::optional<std::uint64_t> bytes(SliceOrdinal slice) const { return transfers.of(slice); }

  /// Makes the lanes and devices refer to rows in a store.
  void set_rows(StoredColumn<RankRows> fresh);
  /// Shifts all times by `delta` ns.
  void shift(Ns delta);
  /// Size of loaded columns, trees, connections and counters in bytes, excluding names.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Same, but as if everything were loaded, including parts built on first use. Does not depend on where the rank
  /// comes from or on what has been loaded.
  [[nodiscard]] std::size_t whole_bytes() const;
};

}  // namespace warpscope::trace
