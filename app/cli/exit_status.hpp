#pragma once
// Exit status of every command.

namespace warpscope::cli {

enum ExitStatus : int {
  kDone = 0,         ///< success, even with corrupt input (reported as diagnostics)
  kGateFailed = 1,   ///< completed, but a requested condition does not hold
  kUsage = 2,        ///< usage error
  kNothingRead = 3,  ///< no input could be read, or input that the command needs is corrupt; always with a message
  kNotWritten = 4,   ///< the result or the requested store could not be written; always with a message
};

}  // namespace warpscope::cli
