#pragma once
// Other readers of the same files, if they are on the machine.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "tests/bench/child_process.hpp"

namespace warpscope::bench {

enum class PeerKind {
  experiment,  ///< reads what a product must not rely on, and keeps no arguments: how fast it could be
  perfetto,
  python,  ///< in Perfetto's place, where that is missing
};

struct Peer {
  PeerKind kind = PeerKind::python;
  std::string name;  ///< for a table
  std::filesystem::path program;
  int most_runs = 1;  ///< one takes long
};

struct Peers {
  std::vector<Peer> there;
  std::vector<std::string> missing;  ///< a note for each
};

/// The experiment that ./dev bench builds from ../shared/lab, and Perfetto's trace_processor_shell if PATH has it, else
/// Python, which can at least read JSON.
[[nodiscard]] Peers find_peers();

/// True if the peer can be expected to read the file in the memory that is there.
[[nodiscard]] bool can_read(const Peer& peer, const std::filesystem::path& file);

/// One load of `file` by the peer.
[[nodiscard]] Result<ProcessRun> run_peer(const Peer& peer, const std::filesystem::path& file);

}  // namespace warpscope::bench
