#pragma once
// Other readers of the same files, if installed.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "tests/bench/child_process.hpp"

namespace warpscope::bench {

enum class PeerKind {
  experiment,  ///< makes assumptions that a product must not make and keeps no arguments; an upper bound on speed
  perfetto,
  python,  ///< used if Perfetto is not installed
};

struct Peer {
  PeerKind kind = PeerKind::python;
  std::string name;  ///< name in tables
  std::filesystem::path program;
  int most_runs = 1;  ///< 1 for slow peers
};

struct Peers {
  std::vector<Peer> there;
  std::vector<std::string> missing;  ///< one note per missing peer
};

/// Finds the experiment that ./dev bench builds from ../shared/lab, and Perfetto's trace_processor_shell in PATH, else
/// Python, which can at least read JSON.
[[nodiscard]] Peers find_peers();

/// Returns true if the peer can probably load the file with the available memory.
[[nodiscard]] bool can_read(const Peer& peer, const std::filesystem::path& file);

/// Runs one load of `file` with the peer. `query`: for Perfetto, the SQL after the load.
[[nodiscard]] Result<ProcessRun> run_peer(const Peer& peer, const std::filesystem::path& file,
                                          std::string_view query = "select count(*) from slice;\n");

}  // namespace warpscope::bench
