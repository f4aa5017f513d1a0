#pragma once
// Termination signals, for code that must clean up before the program exits. Callers block these signals and wait for
// them; no handlers are installed.
#include <array>
#include <csignal>

namespace warpscope {

inline constexpr std::array kEndingSignals{SIGINT, SIGTERM, SIGHUP};

/// Returns kEndingSignals without the signals that were ignored when the program started (as with nohup), which stay
/// ignored.
[[nodiscard]] sigset_t ending_signals();

/// Terminates the program with `signal`, so the parent process sees the same status as if the signal had not been
/// blocked.
[[noreturn]] void end_by_signal(int signal);

}  // namespace warpscope
