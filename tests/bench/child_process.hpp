#pragma once
// Runs a program and measures it from outside, with the wall time from start to end and the kernel's resource
// accounting. Every measurement uses a separate process, so that no run inherits warm memory, threads or caches.
//
// Until the child calls exec, the kernel counts the parent's memory toward the child's peak. The measuring program must
// therefore stay small.
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.hpp"

namespace warpscope::bench {

struct Command {
  std::vector<std::string> words;  ///< program (a path, or a name to look up in PATH) and arguments
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to this process's environment
  bool quiet = false;                                            ///< discards stderr
};

struct ProcessRun {
  int status = 0;  ///< exit status, or 128 + the signal that terminated it
  double wall_seconds = 0;
  double user_seconds = 0;
  double system_seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< resident memory
  std::string output;            ///< of stdout

  [[nodiscard]] double cpu_seconds() const { return user_seconds + system_seconds; }
};

/// Runs a program to completion. Fails if it cannot be started; a non-zero status is not an error.
[[nodiscard]] Result<ProcessRun> run_process(const Command& command);

/// Same, but a non-zero status is an error.
[[nodiscard]] Result<ProcessRun> run_successfully(const Command& command);

/// Path of the running program.
[[nodiscard]] std::filesystem::path own_program();

/// Returns the path of a program in PATH; empty if not found.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

/// An empty temporary folder, removed on destruction.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Environment of a fresh installation: no settings and no store of an earlier run.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> fresh_user(const TemporaryFolder& folder);

}  // namespace warpscope::bench
