#include "tests/bench/peers.hpp"

#include <fstream>
#include <system_error>

namespace warpscope::bench {

namespace {

// Python holds the text twice plus an object per value: about 5 times the file size, at about 25 MB/s.
constexpr std::uintmax_t kPythonLimit = 1'000'000'000;

constexpr const char* kPythonScript =
    "import gzip, json, sys\n"
    "opener = gzip.open if open(sys.argv[1], 'rb').read(2) == b'\\x1f\\x8b' else open\n"
    "with opener(sys.argv[1], 'rb') as file: json.load(file)\n";

}  // namespace

Peers find_peers() {
  Peers peers;
  std::error_code none;
  if (auto program = own_program().parent_path() / "experiment"; std::filesystem::exists(program, none))
    peers.there.push_back({PeerKind::experiment, "experiment", std::move(program), 1000});
  else
    peers.missing.emplace_back(
        "skipped: the experiment, for ../shared/lab/ingest.cpp was not there when this was built");
  auto perfetto = find_program("trace_processor_shell");
  auto python = find_program("python3");
  if (perfetto.empty()) peers.missing.emplace_back("skipped: trace_processor_shell, which is not on the PATH");
  if (!perfetto.empty())
    peers.there.push_back({PeerKind::perfetto, "trace_processor_shell", std::move(perfetto), 3});
  else if (!python.empty())
    peers.there.push_back({PeerKind::python, "Python json.load", std::move(python), 1});
  return peers;
}

bool can_read(const Peer& peer, const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension != ".json" && extension != ".gz") return false;
  std::error_code error;
  return peer.kind != PeerKind::python ||
         (extension == ".json" && std::filesystem::file_size(file, error) <= kPythonLimit && !error);
}

Result<ProcessRun> run_peer(const Peer& peer, const std::filesystem::path& file, std::string_view query) {
  if (peer.kind == PeerKind::python)
    return run_successfully(
        {.words = {peer.program.string(), "-c", kPythonScript, file.string()}, .environment = {}, .quiet = true});
  if (peer.kind == PeerKind::experiment) {
    std::vector<std::string> words{peer.program.string(), "-t", "2", file.string()};
    if (file.extension() == ".gz") words.emplace_back("--gz");
    return run_successfully({.words = std::move(words), .environment = {}, .quiet = true});
  }
  const TemporaryFolder folder;
  const std::filesystem::path script = folder.path() / "query.sql";
  std::ofstream(script) << query;
  return run_successfully(
      {.words = {peer.program.string(), "-q", script.string(), file.string()}, .environment = {}, .quiet = true});
}

}  // namespace warpscope::bench
