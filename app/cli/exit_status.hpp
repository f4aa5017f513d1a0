#pragma once
// Exit status of every command.

namespace warpscope::cli {

enum ExitStatus : int {
  kDone = 0,         ///< also with corrupt input: see the diagnostics
  kGateFailed = 1,   ///< completed, but a requested condition does not hold
  kUsage = 2,        ///< wrong usage
  kNothingRead = 3,  ///< no input could be read, or not the input to copy or check; always with a message
  kNotWritten = 4,   ///< the result or the requested store could not be written; always with a message
};

}  // namespace warpscope::cli
