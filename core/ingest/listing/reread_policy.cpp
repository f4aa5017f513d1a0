#include "core/ingest/listing/reread_policy.hpp"

#include <algorithm>

#include "core/ingest/bytes/source_change.hpp"

namespace warpscope::ingest {

void RereadPolicy::was_read(const trace::SourceFile& source, Clock::time_point end, Clock::duration took) {
  read_.insert_or_assign(source.path, Reading{source, end, took});
}

bool RereadPolicy::due(const trace::SourceFile& source, bool settled, Clock::time_point now) const {
  const auto last = read_.find(source.path);
  if (last == read_.end()) return true;
  if (same_state(last->second.source, source)) return false;
  const Clock::duration pause = std::max<Clock::duration>(kLeastPause, last->second.took * kPauses);
  return settled || now >= last->second.end + pause;
}

}  // namespace warpscope::ingest
