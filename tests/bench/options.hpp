#pragma once
// The options that all benchmarks of child processes share, those of each, and how they end. What reads them is
// compiled once: the library takes longer than a benchmark itself.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/child_process.hpp"
#include "tests/bench/report.hpp"

namespace CLI {
class App;
}

namespace warpscope::bench {

struct Options {
  int runs = 5;
  bool json = false;
  bool strict = false;
  std::string program = (own_program().parent_path() / "warpscope").string();
  std::string generator = (own_program().parent_path() / "tracegen").string();
};

/// What is given must outlive it; what it holds is the preset.
class CommandLine {
 public:
  /// `what`: the benchmark measures.
  CommandLine(const std::string& what, Options& options);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  /// Files or folders that are there, without a name of the option before them.
  void add(const std::string& name, std::vector<std::string>& paths, const std::string& help);
  void add(const std::string& name, std::string& path, const std::string& help);
  /// More than 0.
  void add(const std::string& name, int& number, const std::string& help);
  void add(const std::string& name, std::uint64_t& number, const std::string& help);
  void add(const std::string& name, double& number, const std::string& help);
  void add(const std::string& name, std::vector<double>& numbers, const std::string& help);
  void add(const std::string& name, bool& flag, const std::string& help);

  /// The exit status, if the program is to end at once: after --help, or what it cannot be called with.
  [[nodiscard]] std::optional<int> parse(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

/// Prints; returns the exit status.
[[nodiscard]] int finish(const Report& report, const Options& options);

}  // namespace warpscope::bench
