#pragma once
// Reads a multi-rank file in one pass. One pass per rank would decompress and parse a 64-rank file 64 times. The pass
// runs on one thread, because a collector can accept an event only once its rank is known; the ranks are then built on
// all threads. Until then, the slices of all ranks are in memory, at 24 bytes each, or about a tenth of the text size.
// Additional passes are needed only if names follow the events they apply to.
//
// The alternative, listing the ranks as sources before the load, would require reading the whole file just to list it.
#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest::merged {

/// Reads the file as a single trace if it turns out not to be merged.
[[nodiscard]] Result<std::unique_ptr<FileContents>> read_merged(const trace::SourceFile& source,
                                                                const ReadOptions& options);

}  // namespace warpscope::ingest::merged
