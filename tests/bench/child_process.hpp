#pragma once
// Runs a program and measures it from outside: the wall from start to end, and what the kernel accounted for it. What
// is measured is always a process of its own, so that no run inherits warm memory, threads or caches of another.
//
// The kernel counts the memory of the process that starts a child into the child's peak until the child's own program
// is in place; a program that measures others must therefore stay small itself.
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.hpp"

namespace warpscope::bench {

struct Command {
  std::vector<std::string> words;  ///< program (a path, or a name looked for in PATH) and arguments
  std::vector<std::pair<std::string, std::string>> environment;  ///< on top of this process's own
  bool quiet = false;                                            ///< drops what it says on stderr
};

struct ProcessRun {
  int status = 0;  ///< exit status, or 128 + the signal that ended it
  double wall_seconds = 0;
  double user_seconds = 0;
  double system_seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< resident
  std::string output;            ///< of stdout

  [[nodiscard]] double cpu_seconds() const { return user_seconds + system_seconds; }
};

/// Runs to the end. Errors: the program cannot be started. A status other than 0 is no error here.
[[nodiscard]] Result<ProcessRun> run_process(const Command& command);

/// The same, and a status other than 0 is an error.
[[nodiscard]] Result<ProcessRun> run_successfully(const Command& command);

/// The file of the program that runs now.
[[nodiscard]] std::filesystem::path own_program();

/// Where PATH has the program; empty if nowhere.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

/// An empty folder of its own, removed at the end.
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

/// What lets warpscope run as on the day it was installed: no settings, no store of an earlier run.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> fresh_user(const TemporaryFolder& folder);

}  // namespace warpscope::bench
