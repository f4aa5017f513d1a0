#pragma once
// Whether the clocks of ranks agree. Every rank records by the clock of its host; where these are seconds apart, ranks
// that ran side by side look as if one ran after the other, and shares of the time common to them are wrong.
#include <string>

namespace warpscope::trace {

class Profile;
struct Recordings;

/// Adds "clocks-apart" for ranks recorded more than a day from the others, and, once the profile is complete, for ranks
/// of one recording whose steps have the names and number of those of its first rank, and whose collectives are as
/// many, but which never overlap it in time. O(ranks + steps).
void note_clocks_apart(Profile& profile, const Recordings& recordings);

/// A sentence for figures that rest on a common clock; "" if the clocks seem to agree.
[[nodiscard]] std::string clock_note(const Profile& profile);

}  // namespace warpscope::trace
