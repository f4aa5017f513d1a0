#pragma once
// Reads a Chrome trace twice: names of processes and lanes, ids and flows first, for they may stand behind the events
// they are about; then the events. Each becomes what Kineto would have written of the same thing: kernels and copies on
// the streams of a device, launches, annotations, steps, counters. One thread: such files hold a million events at
// most.
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
