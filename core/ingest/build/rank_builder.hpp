#pragma once
// The last step of reading a file: from what was collected to a Rank that can be drawn and asked. Lanes and interval
// trees, devices and their busy time, launches, steps, annotations, counts, labels, the file's time base.
#include <memory>

#include "core/base/progress.hpp"
#include "core/ingest/build/unit_runner.hpp"
#include "core/ingest/events/pending_rank.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

/// What the directory tells about a file, for what the file itself does not say.
struct FileFacts {
  trace::SourceFile source;
  std::int64_t ordinal = 0;  ///< position among the files of the directory: the rank of last resort
  bool damaged = false;      ///< some of the text may not be what was written
};

/// Takes `pending` apart. Names go to `dictionary`, which other ranks may be using. Tracks are units of work for
/// `run_units`. Null if `cancel` (may be null) was cancelled meanwhile.
[[nodiscard]] std::shared_ptr<const trace::Rank> build_rank(PendingRank pending, trace::Dictionary& dictionary,
                                                            const FileFacts& facts,
                                                            const UnitRunner& run_units = run_in_order,
                                                            const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest
