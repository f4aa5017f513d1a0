#pragma once
// SageMaker Debugger framework timelines: one process's steps, phases, data loading, operators and collectives, in
// files under "framework/pevents". All files of a process form one source.
#include "core/ingest/formats/trace_events/trace_events_format.hpp"

namespace warpscope::ingest {

class PeventsFormat final : public TraceEventsFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "SageMaker Debugger timeline"; }
  [[nodiscard]] bool sniff(const FileHead& head) const override;
  [[nodiscard]] std::optional<std::string> group_of(std::string_view path) const override;
  [[nodiscard]] bool repeats_traces() const override { return true; }
  [[nodiscard]] std::unique_ptr<TraceReader> open(const trace::SourceFile& source, const ReadOptions& options,
                                                  std::function<void()> on_units) const override;
  [[nodiscard]] bool is_named(const EventText& event, std::string_view slice) const override;
};

}  // namespace warpscope::ingest
