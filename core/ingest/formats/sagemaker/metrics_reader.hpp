#pragma once
// Reads a node's system metrics from thousands of small files into one NodeMetrics. The files are read independently,
// on any thread. If state from the last read is available, rereads only files that changed since then.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/base/progress.hpp"
#include "core/base/threads/shared_units.hpp"
#include "core/ingest/format/trace_format.hpp"
#include "core/ingest/formats/sagemaker/metrics_text.hpp"

namespace warpscope::ingest::smdebug {

class MetricsReader final : public TraceReader {
 public:
  /// `source`: one file, or the group of a node.
  MetricsReader(const trace::SourceFile& source, const ReadOptions& options, std::function<void()> on_units)
      : source_(source), options_(options), units_(std::move(on_units)) {}

  Result<std::unique_ptr<FileContents>> read() override;
  bool help() override { return units_.help(); }

 private:
  const trace::SourceFile& source_;
  const ReadOptions& options_;
  SharedUnits units_;
};

/// Reads one file. I/O and compression errors become diagnostics; samples before the error are kept.
[[nodiscard]] MetricsPart read_metrics_file(const std::string& path, MetricNames& names,
                                            const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest::smdebug
