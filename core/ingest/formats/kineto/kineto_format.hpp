#pragma once
// Reads PyTorch profiler (Kineto) traces from all versions and devices, and other traces in the same format.
#include "core/ingest/formats/trace_events/trace_events_format.hpp"

namespace warpscope::ingest {

inline constexpr std::string_view kPytorchFormat = "PyTorch profiler";

class KinetoFormat final : public TraceEventsFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return kPytorchFormat; }
  [[nodiscard]] bool sniff(const FileHead& head) const override;
  [[nodiscard]] std::unique_ptr<TraceReader> open(const trace::SourceFile& source, const ReadOptions& options,
                                                  std::function<void()> on_units) const override;
};

}  // namespace warpscope::ingest
