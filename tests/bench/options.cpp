#include "tests/bench/options.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

namespace warpscope::bench {

CommandLine::CommandLine(const std::string& what, Options& options) : app_(std::make_unique<CLI::App>(what)) {
  app_->add_option("--runs", options.runs, "Runs of each, in turn; figures are their medians")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app_->add_flag("--json", options.json, "As JSON");
  app_->add_flag("--strict", options.strict, "Exit status 1 if a requirement is missed");
  app_->add_option("--program", options.program, "The warpscope to measure");
  app_->add_option("--tracegen", options.generator, "The trace generator");
}

CommandLine::~CommandLine() = default;

void CommandLine::add(const std::string& name, std::vector<std::string>& paths, const std::string& help) {
  app_->add_option(name, paths, help)->check(CLI::ExistingPath);
}

void CommandLine::add(const std::string& name, std::string& path, const std::string& help) {
  app_->add_option(name, path, help)->check(CLI::ExistingPath);
}

void CommandLine::add(const std::string& name, int& number, const std::string& help) {
  app_->add_option(name, number, help)->capture_default_str()->check(CLI::PositiveNumber);
}

void CommandLine::add(const std::string& name, std::uint64_t& number, const std::string& help) {
  app_->add_option(name, number, help)->capture_default_str()->check(CLI::PositiveNumber);
}

void CommandLine::add(const std::string& name, double& number, const std::string& help) {
  app_->add_option(name, number, help)->capture_default_str()->check(CLI::PositiveNumber);
}

void CommandLine::add(const std::string& name, std::vector<double>& numbers, const std::string& help) {
  app_->add_option(name, numbers, help)->capture_default_str()->check(CLI::PositiveNumber);
}

void CommandLine::add(const std::string& name, bool& flag, const std::string& help) {
  app_->add_flag(name, flag, help);
}

std::optional<int> CommandLine::parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app_->exit(error);
  }
  return std::nullopt;
}

int guarded(const std::function<int()>& run) {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 2;
  }
}

int finish(const Report& report, const Options& options) {
  const std::string text = options.json ? to_json(report) : to_text(report);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return options.strict && !report.all_met() ? 1 : 0;
}

}  // namespace warpscope::bench
