#pragma once
// Reads the timelines of one process (a file or a group of files) in two passes (see TimelineSurvey). The files are
// small: a process closes each file after one minute or 10 MB.
#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest::pevents {

[[nodiscard]] Result<std::unique_ptr<FileContents>> read_timelines(const trace::SourceFile& source,
                                                                   const ReadOptions& options);

}  // namespace warpscope::ingest::pevents
