#pragma once
// Termination signals, for code that blocks them to clean up first. Callers block and receive them; there are no
// handlers.
#include <array>
#include <csignal>

namespace warpscope {

inline constexpr std::array kEndingSignals{SIGINT, SIGTERM, SIGHUP};

/// Same, without the signals that were ignored when the program started (nohup does this); they stay ignored.
[[nodiscard]] sigset_t ending_signals();

/// Terminates the program by `signal`, so the parent process sees the same status as without blocking.
[[noreturn]] void end_by_signal(int signal);

}  // namespace warpscope
