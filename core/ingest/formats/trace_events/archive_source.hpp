#pragma once
// Archives the text of the events of ranks: rereads the whole file and extracts the event at each offset that a slice
// refers to. The ranks of a merged file take one pass together.
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/format/trace_format.hpp"
#include "core/ingest/formats/trace_events/arguments.hpp"
#include "core/store/event_archive.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Adds the events of all slices of ranks in one file to their archives, without finishing the archives. `progress`
/// (may be null) is advanced by the bytes of the source used. Memory: the longest event and a few MiB, independent of
/// the ranks. Errors: the source cannot be read or is not the one that the rank was read from; an event no longer
/// exists; the writer's; `cancel` (may be null) was cancelled, checked in each block of text.
[[nodiscard]] Failure archive_events(std::span<const ArchivedRank> ranks, Progress* progress = nullptr,
                                     const CancelToken* cancel = nullptr);
[[nodiscard]] inline Failure archive_events(const trace::Rank& rank, store::EventArchiveWriter& writer,
                                            Progress* progress = nullptr, const CancelToken* cancel = nullptr) {
  const ArchivedRank one{rank, writer};
  return archive_events(std::span(&one, 1), progress, cancel);
}

/// Returns the `wanted` rows of an event from its archived text, equal to those of read_events_at in its source.
[[nodiscard]] EventText archived_event_text(std::string_view text, WantedRows wanted = {});

}  // namespace warpscope::ingest
