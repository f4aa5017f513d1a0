#pragma once
// Puts the texts of a rank's events into an archive: reads the source a second time, from begin to end, and cuts out
// the event at each offset that a slice of the rank refers to.
#include <cstdint>
#include <string_view>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/formats/trace_events/arguments.hpp"
#include "core/store/event_archive_writer.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Adds the events of all slices of `rank` to `writer`, which is not finished. Damaged events go in with all the text
/// that may belong to them. `progress` (may be null) gains the bytes of the source as they are used. Memory: some MiB
/// whatever the rank has, and the longest event. Errors: the source cannot be read or is not the one that the rank
/// was read from; an event is not there any more; the writer's; `cancel` (may be null) was cancelled, which is answered
/// within a block of text.
[[nodiscard]] Failure archive_events(const trace::Rank& rank, store::EventArchiveWriter& writer,
                                     Progress* progress = nullptr, const CancelToken* cancel = nullptr);

/// The rows of an event as the archive gave its text back: the same as read_event_at makes of it in its source.
[[nodiscard]] EventText archived_event_text(std::string_view text);

}  // namespace warpscope::ingest
