#pragma once
// Reads PyTorch memory timelines, which `export_memory_timeline` writes if the file name ends in `.raw.json.gz`. The
// content is a JSON list of changes. Each change is a list of four integers: time in ns (-1: before the recording),
// action (1 preexisting, 2 allocated, 3 new version, 4 freed), bytes gained or lost, and category. The action is
// redundant, because the sign of the byte count implies it.
//
// The file is untrusted: unreadable entries are counted and skipped.
#include <memory>
#include <string>
#include <string_view>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest {

class MemoryTimelineFormat final : public TraceFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "memory timeline"; }
  /// Recognizes a list of lists of numbers; no trace starts this way. Needs only the first 100 bytes of the text.
  [[nodiscard]] bool sniff(const FileHead& head) const override;
  [[nodiscard]] std::unique_ptr<TraceReader> open(const trace::SourceFile& source, const ReadOptions& options,
                                                  std::function<void()> on_units) const override;
};

/// Reads `file`, plain or compressed; returns null if nothing is readable. Reports problems to `diagnostics`.
[[nodiscard]] std::shared_ptr<const trace::MemoryTimeline> read_memory_timeline(const trace::SourceFile& file,
                                                                                Diagnostics& diagnostics,
                                                                                const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest
