#pragma once
// Which ranks of a job have no trace here. Every trace of a distributed job tells how many ranks there are; where fewer
// came, sums over the job lack a part, and the rank that the others wait for may be one that nobody sees.
#include <cstdint>
#include <set>
#include <string>

namespace warpscope::trace {

class Profile;

struct MissingRanks {
  std::uint64_t count = 0;
  std::string text;  ///< "2, 5–7 of 8"; "" if none is missing
};

/// Those of 0 … world - 1 that are not in `present`, as ranges; from the seventh range on they are only counted. None
/// where `world` is 0 (unknown), or `present` has a number beyond it: then it is of another job. O(present).
[[nodiscard]] MissingRanks missing_ranks(const std::set<std::int64_t>& present, std::int64_t world);

/// Adds the diagnostic "ranks-missing" if the profile lacks any: as information where a single file was opened, since
/// that it is not the whole job was its user's choice; else as a warning. Says nothing where a file does not tell its
/// rank. For profiles to which nothing more comes.
void note_missing_ranks(Profile& profile);

}  // namespace warpscope::trace
