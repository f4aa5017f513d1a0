#pragma once
// PyTorch traces of several ranks, merged by a tool into a single file (see merged_layout.hpp). Each merged file is
// listed and read as one file but yields one source per rank.
#include "core/ingest/formats/trace_events/trace_events_format.hpp"

namespace warpscope::ingest {

class MergedFormat final : public TraceEventsFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "merged PyTorch traces"; }
  [[nodiscard]] bool sniff(const FileHead& head) const override;
  /// Recognizes the merged file that SGLang writes next to the original files.
  [[nodiscard]] std::optional<Copy> copy_of(const FileHead& head) const override;
  [[nodiscard]] std::unique_ptr<TraceReader> open(const trace::SourceFile& source, const ReadOptions& options,
                                                  std::function<void()> on_units) const override;
  [[nodiscard]] bool is_named(const EventText& event, std::string_view slice) const override;
};

}  // namespace warpscope::ingest
