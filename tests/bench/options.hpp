#pragma once
// The options that all benchmarks of child processes share, and how they end.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/bench/child_process.hpp"
#include "tests/bench/report.hpp"

namespace warpscope::bench {

struct Options {
  int runs = 5;
  bool json = false;
  bool strict = false;
  std::string program = (own_program().parent_path() / "warpscope").string();
  std::string generator = (own_program().parent_path() / "tracegen").string();
};

inline void add_options(CLI::App& app, Options& options) {
  app.add_option("--runs", options.runs, "Runs of each, in turn; figures are their medians")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_flag("--json", options.json, "As JSON");
  app.add_flag("--strict", options.strict, "Exit status 1 if a requirement is missed");
  app.add_option("--program", options.program, "The warpscope to measure");
  app.add_option("--tracegen", options.generator, "The trace generator");
}

/// Prints; returns the exit status.
inline int finish(const Report& report, const Options& options) {
  const std::string text = options.json ? to_json(report) : to_text(report);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return options.strict && !report.all_met() ? 1 : 0;
}

}  // namespace warpscope::bench
