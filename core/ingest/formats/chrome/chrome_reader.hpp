#pragma once
// Reads a Chrome trace in two passes: first names of processes and lanes, ids and flows, because they may follow the
// events they refer to; then the events. Each event is rewritten the way Kineto would have written it: kernels and
// memcpys on the streams of a device, launches, annotations, steps, counters. Single-threaded: such files hold a
// million events at most.
#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest::chrome {

class ChromeReader final : public TraceReader {
 public:
  ChromeReader(const trace::SourceFile& source, const ReadOptions& options) : source_(source), options_(options) {}
  Result<std::unique_ptr<FileContents>> read() override;

 private:
  const trace::SourceFile& source_;
  const ReadOptions& options_;
};

}  // namespace warpscope::ingest::chrome
