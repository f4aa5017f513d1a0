#pragma once
// Command line options of the benchmarks that use child processes, and their exit status. Compiled once, because the
// option library takes longer to compile than a benchmark.
#include <cstdint>
#include <filesystem>
#include <functional>
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

/// The arguments must outlive this object; their current values are the defaults.
class CommandLine {
 public:
  /// `what` is the description in the help.
  CommandLine(const std::string& what, Options& options);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  /// Adds positional arguments for existing files or folders.
  void add(const std::string& name, std::vector<std::string>& paths, const std::string& help);
  void add(const std::string& name, std::string& path, const std::string& help);
  /// Must be greater than 0.
  void add(const std::string& name, int& number, const std::string& help);
  void add(const std::string& name, std::uint64_t& number, const std::string& help);
  void add(const std::string& name, double& number, const std::string& help);
  void add(const std::string& name, std::vector<double>& numbers, const std::string& help);
  void add(const std::string& name, bool& flag, const std::string& help);

  /// Returns the exit status if the program must exit immediately: after --help or invalid arguments.
  [[nodiscard]] std::optional<int> parse(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

/// Runs a benchmark program and returns its exit status; prints exceptions.
[[nodiscard]] int guarded(const std::function<int()>& run);

/// Prints the report; returns the exit status.
[[nodiscard]] int finish(const Report& report, const Options& options);

}  // namespace warpscope::bench
