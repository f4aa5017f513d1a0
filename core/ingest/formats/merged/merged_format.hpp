#pragma once
// Files into which a tool merged the PyTorch traces of several ranks (see merged_layout.hpp). They are listed and read
// as one file, which yields one source per rank.
#include "core/ingest/formats/trace_events/trace_events_format.hpp"

namespace warpscope::ingest {

class MergedFormat final : public TraceEventsFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "merged PyTorch traces"; }
  [[nodiscard]] bool sniff(const FileHead& head) const override;
  [[nodiscard]] std::optional<FileSummary> summarize(const FileHead& head) const override;
  /// Recognizes the file that SGLang writes next to the files it merged.
  [[nodiscard]] std::optional<Copy> copy_of(const FileHead& head) const override;
  [[nodiscard]] std::unique_ptr<TraceReader> open(const trace::SourceFile& source, const ReadOptions& options,
                                                  std::function<void()> on_units) const override;
  [[nodiscard]] bool is_named(const EventText& event, std::string_view slice) const override;
};

}  // namespace warpscope::ingest
