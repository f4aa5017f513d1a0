#include "core/ingest/damage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace warpscope::ingest {

namespace {

struct Begins {
  Ns first_after_zero = std::numeric_limits<Ns>::max();  // earliest that is not 0 or before
  Ns last = std::numeric_limits<Ns>::min();
};

Begins begins_of(const PendingRank& rank) {
  Begins begins;
  for (const PendingTrack& track : rank.tracks)
    for (const PendingSlice& slice : track.slices) {
      if (slice.flags & PendingSlice::kDamaged || slice.begin <= 0) continue;
      begins.first_after_zero = std::min(begins.first_after_zero, slice.begin);
      begins.last = std::max(begins.last, slice.begin);
    }
  return begins;
}

}  // namespace

void flag_impossible_slices(PendingRank& rank, const trace::Categories& categories) {
  const Begins begins = begins_of(rank);
  const bool any = begins.last >= begins.first_after_zero;
  // Beyond a hundred times the stretch in which anything begins at all, a duration is an overflow of some counter.
  const Ns stretch = any ? begins.last - begins.first_after_zero : 0;
  const Ns longest = stretch > kLongestDuration / 100 ? kLongestDuration : std::max(kZeroBeginGap, stretch * 100);
  const bool begins_elsewhere = any && begins.first_after_zero > kZeroBeginGap;

  for (PendingTrack& track : rank.tracks)
    for (PendingSlice& slice : track.slices) {
      const char* code = nullptr;
      if (slice.duration < 0)
        code = "negative-duration";
      else if (slice.duration > longest)
        code = "absurd-duration";
      else if (slice.begin <= 0 && begins_elsewhere)
        code = "begins-at-zero";
      if (slice.duration == 0 && trace::is_run(categories.role(slice.category)))
        rank.diagnostics.add("run-without-duration", Severity::info, rank.file, slice.offset(),
                             rank.names.view(slice.name).substr(0, 80));
      if (code == nullptr || slice.flags & PendingSlice::kDamaged) continue;
      slice.flags |= PendingSlice::kDamaged;
      rank.diagnostics.add(code, Severity::warning, rank.file, slice.offset(),
                           fmt::format("{} (begin {} ns, duration {} ns)", rank.names.view(slice.name).substr(0, 80),
                                       slice.begin, slice.duration));
    }
}

}  // namespace warpscope::ingest
