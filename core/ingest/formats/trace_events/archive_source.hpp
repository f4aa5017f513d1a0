#pragma once
// Archives the text of a rank's events: rereads the whole source and extracts the event at each offset that a slice of
// the rank refers to.
#include <cstdint>
#include <string_view>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/formats/trace_events/arguments.hpp"
#include "core/store/event_archive.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Adds the events of all slices of `rank` to `writer`, without finishing it. `progress` (may be null) is advanced by
/// the bytes of the source used. Memory: a few MiB, independent of the rank, and the longest event. Errors: the source
/// cannot be read or is not the one that the rank was read from; an event no longer exists; the writer's; `cancel` (may
/// be null) was cancelled, checked in each block of text.
[[nodiscard]] Failure archive_events(const trace::Rank& rank, store::EventArchiveWriter& writer,
                                     Progress* progress = nullptr, const CancelToken* cancel = nullptr);

/// Returns the `wanted` rows of an event from its archived text, equal to those of read_events_at in its source.
[[nodiscard]] EventText archived_event_text(std::string_view text, WantedRows wanted = {});

}  // namespace warpscope::ingest
