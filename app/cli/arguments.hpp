#pragma once
// Command line options, parsed by CLI11. Only arguments.cpp includes CLI11, which takes longer to compile than all
// commands combined.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace warpscope::cli {

/// Options for a program or command. Names starting with dashes are options; all others are positional arguments.
/// `into` receives the value and must outlive parsing; its initial value is the default, which --help shows unless it
/// is empty.
class Arguments {
 public:
  void flag(const char* name, bool& into, const char* help);
  void text(const char* name, std::string& into, const char* help);
  void required(const char* name, std::string& into, const char* help);
  /// Adds a string option that distinguishes "" from an omitted option.
  void text(const char* name, std::optional<std::string>& into, const char* help);
  /// Adds a repeatable option; each occurrence takes one value.
  void list(const char* name, std::vector<std::string>& into, const char* help);
  void choice(const char* name, std::string& into, std::span<const std::string_view> among, const char* help);
  void number(const char* name, std::int64_t& into, const char* help);
  void number(const char* name, double& into, const char* help);
  /// Stores everything after `--` unchanged, as the command line of another program.
  void rest(const char* name, std::vector<std::string>& into, const char* help);

  /// Adds a group of mutually exclusive options.
  [[nodiscard]] Arguments one_of(const char* group);
  void exclude(const char* name, const char* other);

  /// Returns the values given for an option or a positional argument, even if parsing failed.
  [[nodiscard]] std::vector<std::string> values(const char* name) const;

 private:
  friend class CommandLine;
  /// Destinations of the arguments after `--`, by command.
  using Rests = std::map<std::string, std::vector<std::string>*>;

  Arguments(CLI::App& app, Rests& rests) : app_(&app), rests_(&rests) {}
  CLI::App* app_;
  Rests* rests_;
};

/// Parse result that makes the program exit without running a command.
struct ParseEnd {
  std::string output;   ///< text requested by --help or --version
  std::string problem;  ///< error in the arguments, if any
};

/// An option or positional argument as shown by --help and the reference in docs/cli.md.
struct OptionText {
  std::string name;    ///< "--out", "PATH"
  std::string value;   ///< "TEXT", "{dark,light}"; empty for a flag
  std::string about;   ///< one line
  std::string preset;  ///< the default; empty if there is none
  bool required = false;
  bool repeatable = false;
};

struct CommandText {
  std::string name;  ///< empty for the program itself
  std::string about;
  std::vector<OptionText> options;  ///< in declaration order
};

/// The command line of a program with at most one level of subcommands.
class CommandLine {
 public:
  CommandLine(const char* about, const char* program);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  void footer(const std::string& text);
  void version(const char* text);
  /// Returns the program's own options.
  [[nodiscard]] Arguments options() const { return Arguments(*app_, *rests_); }
  [[nodiscard]] Arguments command(const char* name, const char* about);

  /// Parses and stores the options. Returns nullopt if the program should continue.
  [[nodiscard]] std::optional<ParseEnd> parse(int argc, char** argv);
  /// Returns the name of the given command, or "" if there is none.
  [[nodiscard]] std::string chosen() const;
  /// Returns the help text for the program and its commands, without --help and --version.
  [[nodiscard]] std::vector<CommandText> texts() const;

 private:
  std::unique_ptr<CLI::App> app_;
  std::unique_ptr<Arguments::Rests> rests_;
};

}  // namespace warpscope::cli
