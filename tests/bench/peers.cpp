#include "tests/bench/peers.hpp"

#include <fstream>
#include <system_error>

namespace warpscope::bench {

namespace {

// Python holds the text twice and an object for every value: some 5 times the file, and about 25 MB/s.
constexpr std::uintmax_t kPythonLimit = 1'000'000'000;

constexpr const char* kPythonScript =
    "import gzip, json, sys\n"
    "opener = gzip.open if open(sys.argv[1], 'rb').read(2) == b'\\x1f\\x8b' else open\n"
    "with opener(sys.argv[1], 'rb') as file: json.load(file)\n";

}  // namespace

std::optional<Peer> find_peer() {
  if (auto program = find_program("trace_processor_shell"); !program.empty())
    return Peer{PeerKind::perfetto, "trace_processor_shell", std::move(program)};
  if (auto program = find_program("python3"); !program.empty())
    return Peer{PeerKind::python, "Python json.load", std::move(program)};
  return std::nullopt;
}

bool can_read(const Peer& peer, const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension != ".json" && extension != ".gz") return false;
  std::error_code error;
  return peer.kind == PeerKind::perfetto ||
         (extension == ".json" && std::filesystem::file_size(file, error) <= kPythonLimit && !error);
}

Result<ProcessRun> run_peer(const Peer& peer, const std::filesystem::path& file) {
  if (peer.kind == PeerKind::python)
    return run_successfully(
        {.words = {peer.program.string(), "-c", kPythonScript, file.string()}, .environment = {}, .quiet = true});
  const TemporaryFolder folder;
  const std::filesystem::path query = folder.path() / "count.sql";
  std::ofstream(query) << "select count(*) from slice;\n";
  return run_successfully(
      {.words = {peer.program.string(), "-q", query.string(), file.string()}, .environment = {}, .quiet = true});
}

}  // namespace warpscope::bench
