#pragma once
// Reads PyTorch's memory timeline, the one that `export_memory_timeline` writes to a name ending in `.raw.json.gz`: a
// JSON list of changes, each a list of four whole numbers: time in ns (-1: before the recording), action (1 was there,
// 2 allocated, 3 became another version, 4 freed), bytes gained or lost, category. Actions say nothing that the sign of
// the bytes does not say.
//
// Anyone may have written the file: what cannot be read is counted and passed over, the rest is taken.
#include <memory>
#include <string>
#include <string_view>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/trace/memory_timeline.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// By the first bytes of its text, of which a hundred are enough: a list of lists of numbers, as no trace begins.
[[nodiscard]] bool looks_like_memory_timeline(std::string_view head);

/// Reads `file`, plain or compressed; null if nothing of it can be had. What was odd goes to `diagnostics`.
[[nodiscard]] std::shared_ptr<const trace::MemoryTimeline> read_memory_timeline(const trace::SourceFile& file,
                                                                                Diagnostics& diagnostics,
                                                                                const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest
