#pragma once
// One rank: everything that one source file holds, once built. Immutable after publishing, shared between profiles.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/result.hpp"
#include "core/trace/connections.hpp"
#include "core/trace/counter.hpp"
#include "core/trace/lane.hpp"
#include "core/trace/transfers.hpp"

namespace warpscope::trace {

/// The file a rank was read from, as it was when it was read: arguments are fetched from it later only if it still is
/// so.
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
  std::uint64_t launches = 0;  ///< host calls here that have a run
  std::int32_t device = -1;    ///< of a stream: its device; of a thread: the index of the device it launches to most
  bool communication = false;  ///< most of its busy time is communication
};

/// A device that ran something for this rank.
struct Device {
  std::int64_t id = 0;                 ///< as the trace numbers it
  std::string model;                   ///< "" if unknown
  std::vector<std::uint32_t> streams;  ///< tracks
  IntervalTree busy;                   ///< union of kernels, copies and sets over its streams
};

/// One training step as the host recorded it.
struct Step {
  NameId name = 0;
  Interval time;
  SliceOrdinal slice = 0;
};

struct RankCounts {
  std::uint64_t events = 0;    ///< entries of traceEvents, of every phase
  std::uint64_t slices = 0;    ///< complete ones: X, and paired B/E
  std::uint64_t runs = 0;      ///< kernels + memcpy + memset
  std::uint64_t launches = 0;  ///< host calls with at least one run
  std::map<CategoryId, std::uint64_t> by_category;
};

/// Where a slice stands.
struct SlicePlace {
  std::uint32_t lane = 0;
  std::uint32_t index = 0;
};

class Rank;

/// What keeps a rank's columns where they are brought in from. Safe from any thread.
class RankStorage {
 public:
  virtual ~RankStorage() = default;
  /// The same rank with nothing brought in: put in the place of the one that was looked at, it gives its memory back.
  [[nodiscard]] virtual Result<std::shared_ptr<const Rank>> reopen() const = 0;
  /// What was found wrong when columns were brought in; what could not be had reads as slices of no length and no name.
  [[nodiscard]] virtual Failure damage() const = 0;
};

class Rank {
 public:
  SourceFile source;
  std::int64_t number = 0;                        ///< rank
  std::int64_t world_size = 0;                    ///< 0 if unknown
  bool number_assigned = false;                   ///< neither the file nor its name tells the rank
  std::string host;                               ///< "" if unknown
  std::int64_t process = 0;                       ///< pid of the host side, 0 if unknown
  std::map<std::string, std::string> properties;  ///< metadata of the file: key → raw JSON text

  std::vector<Track> tracks;
  std::vector<Lane> lanes;
  std::vector<SliceOrdinal> lane_start;  ///< ordinal of each lane's first slice, and the total at the end
  std::vector<Device> devices;
  std::vector<Counter> counters;
  Connections launches;  ///< launch → run
  Connections forward_backward;
  Transfers transfers;                               ///< of copies and sets that say how much they moved
  std::vector<Step> steps;                           ///< by begin
  std::map<std::string, std::uint64_t> annotations;  ///< host annotations by family
  RankCounts counts;
  Interval span = kEmptySpan;  ///< of possible slices; kEmptySpan if none
  Diagnostics diagnostics;
  std::shared_ptr<const RankStorage> storage;  ///< nullptr if everything is in memory for good

  [[nodiscard]] SlicePlace locate(SliceOrdinal slice) const;  ///< O(log lanes)
  [[nodiscard]] SliceOrdinal ordinal(SlicePlace place) const { return lane_start[place.lane] + place.index; }
  [[nodiscard]] std::uint32_t track_of_lane(std::uint32_t lane) const;  ///< O(log tracks)
  /// What kind of rows a lane belongs to; of a folded one that of the lanes above it, of which it holds the rest.
  [[nodiscard]] LaneKind rows_of(std::uint32_t lane) const {
    const LaneKind kind = lanes[lane].kind();
    return kind == LaneKind::folded && lane > 0 ? lanes[lane - 1].kind() : kind;
  }
  /// The slice whose event begins at `offset`; for finding a selection again. O(n) over offsets.
  [[nodiscard]] std::optional<SliceOrdinal> find_offset(std::uint64_t offset) const;

  [[nodiscard]] Ns begin(SliceOrdinal slice) const;
  [[nodiscard]] Ns duration(SliceOrdinal slice) const;
  [[nodiscard]] NameId name(SliceOrdinal slice) const;
  [[nodiscard]] CategoryId category(SliceOrdinal slice) const;
  /// What a copy or a set moved, if its trace says so. O(log transfers).
  [[nodiscard]] std::optional<std::uint64_t> bytes(SliceOrdinal slice) const { return transfers.of(slice); }

  /// Moves everything in time.
  void shift(Ns delta);
  /// Columns, trees, connections and counters that are in memory; names aside.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// The same when all of it is there, also what is built when it is first asked: by the sizes alone, so that it does
  /// not matter where the rank came from and what has been looked at.
  [[nodiscard]] std::size_t whole_bytes() const;
};

}  // namespace warpscope::trace
