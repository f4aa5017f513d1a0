#pragma once
// Last step of reading a file: builds a Rank from the collected events, including lanes, interval trees, devices and
// their busy time, launches, steps, annotations, counts, labels and the file's time base.
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/progress.hpp"
#include "core/ingest/events/pending_rank.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

/// Calls unit(0) … unit(count - 1) in any order, on any thread; returns when all are done.
using UnitRunner = std::function<void(std::size_t count, const std::function<void(std::size_t)>& unit)>;

/// Runs all units in order on this thread.
inline void run_in_order(std::size_t count, const std::function<void(std::size_t)>& unit) {
  for (std::size_t i = 0; i < count; ++i) unit(i);
}

/// Rank property for the number of ranks in a merged file; absent for other files.
inline constexpr std::string_view kRanksInFile = "ranks in file";

/// Metadata inferred from a file's directory, used where the file itself lacks it.
struct FileFacts {
  trace::SourceFile source;
  std::int64_t ordinal = 0;  ///< the fallback rank (see assumed_ranks.hpp)
  std::optional<RankInFile> merged{};
};

/// Consumes `pending`. Adds names to `dictionary`, which other ranks may use concurrently. Runs one unit of work per
/// track via `run_units`. Returns null if cancelled via `cancel` (may be null).
[[nodiscard]] std::shared_ptr<const trace::Rank> build_rank(PendingRank pending, trace::Dictionary& dictionary,
                                                            const FileFacts& facts,
                                                            const UnitRunner& run_units = run_in_order,
                                                            const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest
