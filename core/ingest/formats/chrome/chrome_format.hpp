#pragma once
// Reads Chrome traces from other programs: JAX, XLA and TensorFlow (`HOST.trace.json.gz`), and anything else that
// writes the Trace Event Format. Devices are recognized by process names such as "/device:GPU:0"; without such names,
// all lanes are host threads, regardless of event names.
#include "core/ingest/formats/trace_events/trace_events_format.hpp"

namespace warpscope::ingest {

class ChromeFormat final : public TraceEventsFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "Chrome trace"; }
  [[nodiscard]] bool sniff(const FileHead& head) const override;
  /// Recognizes files that SageMaker Debugger collects from TensorFlow's profiler: traces, and empty .metadata files
  /// whose names contain the profiler's start time.
  /// Recognizes the additional file that JAX can write for Perfetto.
  [[nodiscard]] std::optional<Copy> copy_of(const FileHead& head) const override;
  [[nodiscard]] std::unique_ptr<TraceReader> open(const trace::SourceFile& source, const ReadOptions& options,
                                                  std::function<void()> on_units) const override;
  [[nodiscard]] bool is_named(const EventText& event, std::string_view slice) const override;
};

}  // namespace warpscope::ingest
