#pragma once
// Other readers of the same files, if they are on the machine.
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/result.hpp"
#include "tests/bench/child_process.hpp"

namespace warpscope::bench {

enum class PeerKind { perfetto, python };

struct Peer {
  PeerKind kind = PeerKind::python;
  std::string name;  ///< for a table
  std::filesystem::path program;
};

/// Perfetto's trace_processor_shell if PATH has it, else Python, which can at least read JSON; else nothing.
[[nodiscard]] std::optional<Peer> find_peer();

/// True if the peer can be expected to read the file in the memory that is there.
[[nodiscard]] bool can_read(const Peer& peer, const std::filesystem::path& file);

/// One load of `file` by the peer.
[[nodiscard]] Result<ProcessRun> run_peer(const Peer& peer, const std::filesystem::path& file);

}  // namespace warpscope::bench
