#pragma once
// Reads the timelines of one process, one file or a group, in two passes (see TimelineSurvey). The files are small: a
// process closes its file after a minute or 10 MB.
#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest::pevents {

class TimelineReader final : public TraceReader {
 public:
  TimelineReader(const trace::SourceFile& source, const ReadOptions& options) : source_(source), options_(options) {}
  Result<std::unique_ptr<FileContents>> read() override;

 private:
  const trace::SourceFile& source_;
  const ReadOptions& options_;
};

}  // namespace warpscope::ingest::pevents
