#pragma once
// Rereads the arguments of one event from its source on demand. Keeping them all would take many times the memory of
// the slices, and few are ever viewed.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/bytes/checkpoints.hpp"
#include "core/ingest/format/event_text.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// What ends the text of an event cut from its document.
enum class TextBound : std::uint8_t {
  event,       ///< the event itself: valid JSON up to its closing bracket
  next_event,  ///< corrupt: another event or the end of the array follows
  document,    ///< corrupt: the document ends
  limit,       ///< corrupt: the search for its end was limited
};

/// Returns the rows of an event from its text alone ('{' first), equal to those of read_event_at for the same event in
/// its file.
[[nodiscard]] EventText event_text_of(std::string_view text, TextBound bound);

/// Reads the event with its '{' at `offset` of the decompressed text. Reads plain files at that position; decompresses
/// others from the nearest of `checkpoints` (may be null: from the start), which `cancel` (may be null) stops. Errors:
/// see open_source_at; no event at `offset`.
[[nodiscard]] Result<EventText> read_event_at(const trace::SourceFile& source, std::uint64_t offset,
                                              const CancelToken* cancel = nullptr,
                                              const Checkpoints* checkpoints = nullptr);

/// Same for several events with ascending `offsets`: calls visit(i, event) for each in order. Reads the text once, so
/// many events cost little more than the last of them. Errors: as above; earlier events were visited.
[[nodiscard]] Failure read_events_at(const trace::SourceFile& source, std::span<const std::uint64_t> offsets,
                                     const std::function<void(std::size_t, const EventText&)>& visit,
                                     const CancelToken* cancel = nullptr, const Checkpoints* checkpoints = nullptr);

}  // namespace warpscope::ingest
