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
#include "core/ingest/format/event_text.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Returns the `wanted` rows of an event from its text alone ('{' first), equal to those of read_events_at for the same
/// event in its file. `repaired`: the text is not valid JSON.
[[nodiscard]] EventText event_text_of(std::string_view text, bool repaired, WantedRows wanted = {});

/// Reads the `wanted` rows of the events with their '{' at the ascending `offsets` of the decompressed text: calls
/// visit(i, event) for each in order. Reads plain files at these positions and decompresses others from the start,
/// once, so many events cost little more than the last of them. Errors: the file cannot be read, or is not the one in
/// `source` (size, modification time, inode; not compared if all three are 0); it ends before an offset, or has no
/// event there; `cancel` (may be null) was cancelled. Earlier events were visited.
[[nodiscard]] Failure read_events_at(const trace::SourceFile& source, std::span<const std::uint64_t> offsets,
                                     const std::function<void(std::size_t, const EventText&)>& visit,
                                     const CancelToken* cancel = nullptr, WantedRows wanted = {});

}  // namespace warpscope::ingest
