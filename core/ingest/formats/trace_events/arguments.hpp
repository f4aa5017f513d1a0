#pragma once
// The arguments of one event, read again from its source when someone looks at it. Keeping them all would cost many
// times what the slices themselves cost, and hardly any is ever looked at.
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

/// What ends the text of an event that was cut out of its document.
enum class TextBound : std::uint8_t {
  event,       ///< the event itself: valid JSON up to its closing bracket
  next_event,  ///< damaged: what follows is another event or the end of the array
  document,    ///< damaged: the document ends
  limit,       ///< damaged: where it ends was not looked for any further
};

/// The rows of an event from its text alone ('{' first), as read_event_at makes them of the same event in its file.
[[nodiscard]] EventText event_text_of(std::string_view text, TextBound bound);

/// Reads the event whose '{' stands at `offset` of the decompressed text. Plain files are read at the place; compressed
/// ones are decompressed up to it from the nearest of `checkpoints` (may be null: from their begin), which `cancel`
/// (may be null) stops. Errors: see open_source_at; no event is there.
[[nodiscard]] Result<EventText> read_event_at(const trace::SourceFile& source, std::uint64_t offset,
                                              const CancelToken* cancel = nullptr,
                                              const Checkpoints* checkpoints = nullptr);

/// The same of several events, whose `offsets` ascend: visit(i, event) for each in turn, and the text is gone through
/// once, so that many cost little more than the last of them. Errors: as above; those before it were visited.
[[nodiscard]] Failure read_events_at(const trace::SourceFile& source, std::span<const std::uint64_t> offsets,
                                     const std::function<void(std::size_t, const EventText&)>& visit,
                                     const CancelToken* cancel = nullptr, const Checkpoints* checkpoints = nullptr);

}  // namespace warpscope::ingest
