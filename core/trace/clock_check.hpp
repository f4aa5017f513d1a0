#pragma once
// Checks whether the clocks of ranks agree. Each rank uses the clock of its host. If the clocks are seconds apart,
// ranks that ran concurrently seem to run one after the other, and shares of their common time are wrong.
#include <string>

namespace warpscope::trace {

class Profile;
struct Recordings;

/// Adds "clocks-apart" for ranks recorded more than a day from the others. In a complete profile, also adds it for
/// ranks of a recording that have the same step names and the same number of steps and collectives as its first rank
/// but never overlap it in time. O(ranks + steps).
void note_clocks_apart(Profile& profile, const Recordings& recordings);

/// Returns a sentence for results that need a common clock; "" if the clocks seem to agree.
[[nodiscard]] std::string clock_note(const Profile& profile);

}  // namespace warpscope::trace
