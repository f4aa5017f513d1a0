#pragma once
// Checks whether the ranks' clocks agree. Each rank uses its host's clock. If the clocks are seconds apart, ranks that
// ran concurrently appear to run one after the other, and percentages of the profile's time span are wrong.
#include <string>

namespace warpscope::trace {

class Profile;
struct Recordings;

/// Adds the diagnostic "clocks-apart" for ranks recorded more than a day apart from the others. In a complete profile,
/// also adds it for ranks whose steps are all before or all after those of the first rank with steps in their
/// recording, although both have the same step names, number of steps and number of collectives. O(ranks + steps).
void note_clocks_apart(Profile& profile, const Recordings& recordings);

/// Returns a note if the ranks' clocks disagree; "" if they appear to agree.
[[nodiscard]] std::string clocks_apart_note(const Profile& profile);
/// Returns a note about ranks in merged files, which do not preserve each rank's time base; "" if there are none.
[[nodiscard]] std::string unverified_clocks_note(const Profile& profile);
/// Returns both notes. Used for results that depend on a common clock.
[[nodiscard]] std::string clock_note(const Profile& profile);

}  // namespace warpscope::trace
