#pragma once
// Termination signals, for code that blocks them to clean up first. Callers block and receive them; there are no
// handlers.
#include <array>
#include <csignal>

namespace warpscope {

inline constexpr std::array kEndingSignals{SIGINT, SIGTERM, SIGHUP};

/// Same, except for signals that were ignored when the program started, as with nohup; they stay ignored.
[[nodiscard]] sigset_t ending_signals();

/// Terminates the program with `signal`, so the parent process sees the same status as if it had not been blocked.
[[noreturn]] void end_by_signal(int signal);

}  // namespace warpscope
