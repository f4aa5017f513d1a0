#pragma once
// How a file is read: who may stop it, how far it is, and how large the parts are that are in memory at a time.
#include <cstddef>
#include <cstdint>

#include "core/base/progress.hpp"
#include "core/ingest/events/batch_joiner.hpp"
#include "core/trace/event_limit.hpp"

namespace warpscope::ingest {

struct PieceSizes {
  std::size_t piece = std::size_t{512} << 10;  ///< text of a piece; with its batch it fits the second-level cache
  std::size_t ahead = std::size_t{16} << 10;   ///< how far a piece's text reaches into the next
  std::size_t in_flight = 4;                   ///< pieces in memory, at least 2
};

struct ParseLimits {
  std::size_t block = std::size_t{256} << 10;        ///< text taken in at a time; within the second-level cache
  std::size_t longest_event = trace::kLongestEvent;  ///< longer events and metadata are left out
};

struct ReadOptions {
  Progress* progress = nullptr;         ///< gains the bytes of the file as they are used
  const CancelToken* cancel = nullptr;  ///< once cancelled the rank is of what was read by then, or there is none
  bool keep_checkpoints = false;        ///< of a compressed file, see Checkpoints
  PieceSizes pieces;
  ParseLimits limits;
  std::uint64_t most_slices = BatchJoiner::kMostSlices;
  /// A rank of more slices is not built once the work is cancelled: it would take longer than people wait.
  std::uint64_t built_after_cancel = 1'000'000;
};

}  // namespace warpscope::ingest
