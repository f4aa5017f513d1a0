#include "app/cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <utility>

#include "core/base/parse_number.hpp"

namespace warpscope::cli {

namespace {

using Values = CLI::results_t;

/// Adds an option whose values are passed to `take`; all other option kinds are built on this. CLI11 calls `take` with
/// at least one value.
CLI::Option& add(CLI::App& app, const char* name, const char* help, std::function<bool(const Values&)> take,
                 std::string preset = {}, const char* type = "TEXT") {
  CLI::Option* const option = app.add_option(name, std::move(take), help, false, [preset] { return preset; });
  option->type_name(type)->type_size(1)->expected(1);
  if (!preset.empty()) option->capture_default_str();
  return *option;
}

/// Stores the last value; CLI11 has checked that at most one is given.
std::function<bool(const Values&)> into_text(std::string& into) {
  return [&into](const Values& values) {
    into = values.back();
    return true;
  };
}

template <class Number>
std::function<bool(const Values&)> into_number(Number& into) {
  return [&into](const Values& values) {
    const auto number = parse_number<Number>(values.back());
    into = number.value_or(into);
    return number.has_value();
  };
}

/// Appends the options of the application and its option groups (CLI11 models groups as unnamed applications).
void append_options(std::vector<OptionText>& into, CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option == app.get_help_ptr() || option == app.get_version_ptr()) continue;
    OptionText& text = into.emplace_back();
    text.name = option->get_name();
    text.about = option->get_description();
    text.preset = option->get_default_str();
    text.required = option->get_required();
    text.repeatable = option->get_expected_max() > 1;
    if (option->get_expected_max() == 0) continue;  // a flag
    text.value = option->get_type_name();
    const std::string choices = "TEXT:";
    if (text.value.starts_with(choices + '{')) text.value.erase(0, choices.size());
  }
  for (CLI::App* group : app.get_subcommands([](const CLI::App* one) { return one->get_name().empty(); }))
    append_options(into, *group);
}

/// Describes the first error before `--`, for a command that runs another program. CLI11 would treat the value of an
/// unknown option as part of the other program's command line.
std::string wrong_before_mark(CLI::App& command, std::span<char*> arguments, bool marked, const char* otherwise) {
  const std::vector<CLI::Option*> options = command.get_options();
  const bool missing = std::ranges::any_of(options, [](auto* each) { return each->get_required() && each->empty(); });
  for (const std::string_view argument : arguments) {
    const std::string name(argument.substr(0, argument.find('=')));
    const bool unknown = name.starts_with("--") && command.get_option_no_throw(name) == nullptr;
    if (unknown && (marked || missing))
      return "unknown option " + name;  // without --, it may belong to the other program
  }
  for (const CLI::Option* option : options) {
    if (option->get_required() && option->empty()) return option->get_name() + " is missing";
    if (marked && option->get_positional() && !option->empty())
      return "unexpected argument \"" + option->results().front() + "\" before --";
  }
  return otherwise;
}

}  // namespace

void Arguments::flag(const char* name, bool& into, const char* help) {
  app_->add_flag_callback(
      name, [&into] { into = true; }, help);
}

void Arguments::text(const char* name, std::string& into, const char* help) {
  add(*app_, name, help, into_text(into), into);
}

void Arguments::required(const char* name, std::string& into, const char* help) {
  add(*app_, name, help, into_text(into), into).required();
}

void Arguments::text(const char* name, std::optional<std::string>& into, const char* help) {
  add(*app_, name, help, [&into](const Values& values) {
    into = values.back();
    return true;
  });
}

void Arguments::list(const char* name, std::vector<std::string>& into, const char* help) {
  const auto take = [&into](const Values& values) {
    into = values;
    return true;
  };
  add(*app_, name, help, take).expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false);
}

void Arguments::choice(const char* name, std::string& into, std::span<const std::string_view> among, const char* help) {
  std::string joined;
  for (const std::string_view one : among) joined.append(joined.empty() ? "" : ",").append(one);
  const std::vector<std::string> allowed(among.begin(), among.end());
  const auto check = [allowed, joined](const std::string& value) {
    const bool found = std::ranges::find(allowed, value) != allowed.end();
    return found ? std::string() : value + " is not one of " + joined;
  };
  add(*app_, name, help, into_text(into), into).check(CLI::Validator(check, '{' + joined + '}'));
}

void Arguments::number(const char* name, std::int64_t& into, const char* help) {
  add(*app_, name, help, into_number(into), std::to_string(into), "INT");
}

void Arguments::number(const char* name, double& into, const char* help) {
  std::string preset = std::to_string(into);
  preset.erase(preset.find_last_not_of('0') + 1);
  if (preset.ends_with('.')) preset.pop_back();
  add(*app_, name, help, into_number(into), preset, "FLOAT");
}

void Arguments::rest(const char* name, std::vector<std::string>& into, const char* help) {
  (*rests_)[app_->get_name()] = &into;
  const auto misplaced = [name](const Values&) -> bool { throw CLI::ValidationError(name, "put -- before it"); };
  add(*app_, name, help, misplaced).expected(1, CLI::detail::expected_max_vector_size);
}

Arguments Arguments::one_of(const char* group) {
  CLI::Option_group* const options = app_->add_option_group(group);
  options->require_option(0, 1);
  return Arguments(*options, *rests_);
}

void Arguments::exclude(const char* name, const char* other) {
  app_->get_option(name)->excludes(app_->get_option(other));
}

std::vector<std::string> Arguments::values(const char* name) const { return app_->get_option(name)->results(); }

CommandLine::CommandLine(const char* about, const char* program)
    : app_(std::make_unique<CLI::App>(about, program)), rests_(std::make_unique<Arguments::Rests>()) {
  app_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

void CommandLine::footer(const std::string& text) { app_->footer(text); }

void CommandLine::version(const char* text) { app_->set_version_flag("--version", text); }

Arguments CommandLine::command(const char* name, const char* about) {
  return Arguments(*app_->add_subcommand(name, about), *rests_);
}

std::optional<ParseEnd> CommandLine::parse(int argc, char** argv) {
  // Otherwise CLI11 would look for options and lists in the other program's command line.
  const auto rest = argc > 1 ? rests_->find(argv[1]) : rests_->end();
  bool marked = false;
  if (rest != rests_->end()) {
    char** const mark = std::find(argv, argv + argc, std::string_view("--"));
    marked = mark != argv + argc;
    if (marked) rest->second->assign(mark + 1, argv + argc);
    argc = static_cast<int>(mark - argv);
  }
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& asked) {
    std::ostringstream output;
    app_->exit(asked, output);
    return ParseEnd{output.str(), ""};
  } catch (const CLI::ParseError& error) {
    if (rest == rests_->end()) return ParseEnd{"", error.what()};
    const std::span<char*> arguments(argv + 2, argv + argc);
    return ParseEnd{"", wrong_before_mark(*app_->get_subcommand(rest->first), arguments, marked, error.what())};
  }
  if (marked && rest->second->empty()) return ParseEnd{"", "no command after --"};
  return std::nullopt;
}

std::vector<CommandText> CommandLine::texts() const {
  const auto text_of = [](CLI::App& app, std::string name) {
    CommandText text{std::move(name), app.get_description(), {}};
    append_options(text.options, app);
    return text;
  };
  std::vector<CommandText> texts{text_of(*app_, "")};
  for (CLI::App* command : app_->get_subcommands({})) texts.push_back(text_of(*command, command->get_name()));
  return texts;
}

std::string CommandLine::chosen() const {
  const std::vector<CLI::App*> commands = app_->get_subcommands();
  return commands.empty() ? std::string() : commands.front()->get_name();
}

}  // namespace warpscope::cli
