#pragma once
// Reads a file that holds many ranks, in one pass: reading it once per rank would decompress and parse 64 ranks 64
// times. The pass runs on one thread, because each event needs its rank before a collector can take it; the ranks are
// then built on all threads. Until then the slices of all ranks are in memory, 24 bytes each, about a tenth of the
// text. Further passes are needed only if names follow the events that they apply to.
//
// The alternative, to list the ranks as sources before the load, would need the whole file to be read for a list.
#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest::merged {

/// Reads the file as a single trace if it turns out not to be a merged one.
[[nodiscard]] Result<std::unique_ptr<FileContents>> read_merged(const trace::SourceFile& source,
                                                                const ReadOptions& options);

}  // namespace warpscope::ingest::merged
