#pragma once
// Termination signals, for code that must clean up before the program exits. Callers block and wait for these signals;
// no handlers are installed.
#include <array>
#include <csignal>

namespace warpscope {

inline constexpr std::array kEndingSignals{SIGINT, SIGTERM, SIGHUP};

/// Returns kEndingSignals except for signals that were ignored when the program started (as with nohup), which remain
/// ignored.
[[nodiscard]] sigset_t ending_signals();

/// Terminates the program with `signal`, so the parent process sees the same status as if the signal had not been
/// blocked.
[[noreturn]] void end_by_signal(int signal);

}  // namespace warpscope
