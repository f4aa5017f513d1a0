#pragma once
// Reads PyTorch's memory timeline as `export_memory_timeline` writes it to a name ending in `.raw.json.gz`: a JSON list
// of changes, each a list of four integers: time in ns (-1: before the recording), action (1 existed before, 2
// allocated, 3 became another version, 4 freed), bytes gained or lost, category. The action is redundant: the sign of
// the bytes implies it.
//
// The file is untrusted: unreadable entries are counted and skipped.
#include <memory>
#include <string>
#include <string_view>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/trace/memory_timeline.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// Recognizes a file by the first bytes of its text (100 suffice): a list of lists of numbers. No trace starts like
/// that.
[[nodiscard]] bool looks_like_memory_timeline(std::string_view head);

/// Reads `file`, plain or compressed; null if nothing is readable. Reports problems to `diagnostics`.
[[nodiscard]] std::shared_ptr<const trace::MemoryTimeline> read_memory_timeline(const trace::SourceFile& file,
                                                                                Diagnostics& diagnostics,
                                                                                const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest
