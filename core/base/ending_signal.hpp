#pragma once
// The signals that ask a program to end, for those parts of it that hold them back to tidy up first. Blocking and
// taking them is theirs; nothing here is a handler.
#include <array>
#include <csignal>

namespace warpscope {

inline constexpr std::array kEndingSignals{SIGINT, SIGTERM, SIGHUP};

/// The same, without those that whoever started the program has it ignore (nohup does): they are to
/// stay ignored.
[[nodiscard]] sigset_t ending_signals();

/// Ends the program by the signal, as it would have ended without being held back: whoever started it sees that.
[[noreturn]] void end_by_signal(int signal);

}  // namespace warpscope
