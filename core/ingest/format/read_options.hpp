#pragma once
// Options for reading a file: cancellation, progress, and sizes of the parts held in memory.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/progress.hpp"
#include "core/ingest/events/batch_joiner.hpp"
#include "core/trace/event_limit.hpp"

namespace warpscope::ingest {

struct PieceSizes {
  std::size_t piece = std::size_t{512} << 10;  ///< text per piece; with its batch it fits in the L2 cache
  std::size_t ahead = std::size_t{16} << 10;   ///< how far the text of a piece extends into the next piece
  std::size_t in_flight = 4;                   ///< pieces in memory, at least 2
};

struct ParseLimits {
  std::size_t block = std::size_t{256} << 10;        ///< text read at a time; fits in the L2 cache
  std::size_t longest_event = trace::kLongestEvent;  ///< longer events and metadata are skipped
};

/// State kept by the reader of a growing source, so the next read does not have to start over.
struct ReaderState {
  ReaderState() = default;
  virtual ~ReaderState() = default;
  ReaderState(const ReaderState&) = delete;
  ReaderState& operator=(const ReaderState&) = delete;
};

struct ReadOptions {
  Progress* progress = nullptr;         ///< advances by the file bytes consumed
  const CancelToken* cancel = nullptr;  ///< after cancellation, the rank contains the events read so far, or there is
                                        ///< none
  std::shared_ptr<const ReaderState> earlier{};  ///< from the last read of this source; may be null
  PieceSizes pieces;
  ParseLimits limits;
  std::uint64_t most_slices = BatchJoiner::kMostSlices;
  /// Ranks with more slices than this are not built after cancellation, to avoid keeping the user waiting.
  std::uint64_t built_after_cancel = 1'000'000;
};

}  // namespace warpscope::ingest
