#pragma once
// SageMaker Debugger system metrics: samples of a node's CPU cores, GPUs, memory, network and disk, in many small files
// that form one source.
#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest {

class SystemMetricsFormat final : public TraceFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "system metrics"; }
  [[nodiscard]] bool sniff(const FileHead& head) const override;
  [[nodiscard]] std::optional<NamedFile> look_at_name(std::string_view path) const override;
  [[nodiscard]] std::optional<std::string> group_of(std::string_view path) const override;
  [[nodiscard]] std::unique_ptr<TraceReader> open(const trace::SourceFile& source, const ReadOptions& options,
                                                  std::function<void()> on_units) const override;
};

}  // namespace warpscope::ingest
