#pragma once
// What every command ends with.

namespace warpscope::cli {

enum ExitStatus : int {
  kDone = 0,         ///< also when parts of the input were damaged: see the diagnostics
  kGateFailed = 1,   ///< done, and a condition that was asked for does not hold
  kUsage = 2,        ///< wrong usage
  kNothingRead = 3,  ///< nothing at all could be read, or not what was to be copied or checked; always with a message
  kNotWritten = 4,   ///< the result could not be written, or the store that was asked for; always with a message
};

}  // namespace warpscope::cli
