#include "app/cli/commands/analysis_help.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/request/kernel_class.hpp"
#include "core/base/parse_number.hpp"
#include "core/base/utf8.hpp"

namespace warpscope::cli {
namespace {

using analysis::Analysis;
using analysis::Parameter;
using analysis::ParameterKind;

constexpr std::size_t kTextIndent = 2;
constexpr std::size_t kAboutIndent = 30;  // for parameters

/// Describes the values that the parameter accepts.
std::string value_of(const Parameter& parameter) {
  const std::string automatic = parameter.preset == Parameter::kAutomatic ? ", or auto" : "";
  switch (parameter.kind) {
    case ParameterKind::integer:
      return "a whole number" + automatic;
    case ParameterKind::real:
      return "a number" + automatic;
    case ParameterKind::duration:
      return "a duration in ns, or with a unit (50us, 1.5ms)" + automatic;
    case ParameterKind::text:
      return "text";
    case ParameterKind::choice:
      return fmt::format("one of {}", fmt::join(parameter.choices, ", "));
    case ParameterKind::flag:
      return "true or false";
  }
  return "";
}

void append_parameter(std::string& out, const Parameter& parameter, bool values) {
  std::string line(kTextIndent, ' ');
  line += fmt::format("{}={}", parameter.name, parameter.preset.empty() ? "\"\"" : parameter.preset);
  line.append(std::max(line.size() + 2, kAboutIndent) - line.size(), ' ');
  std::string about(parameter.about);
  if (values) about += "; " + value_of(parameter);
  if (!values && !parameter.choices.empty()) about += fmt::format(": {}", fmt::join(parameter.choices, ", "));
  out += line;
  append_wrapped(out, about, kAboutIndent);
}

/// Returns the parameter to use in the example: the first one that has an example or, if it is not a flag, a default
/// other than "automatic".
const Parameter* telling_parameter(const Analysis& analysis) {
  const auto tells = [](const Parameter& parameter) {
    if (!parameter.example.empty()) return true;
    return !parameter.preset.empty() && parameter.preset != Parameter::kAutomatic &&
           parameter.kind != ParameterKind::flag;
  };
  const auto found = std::ranges::find_if(analysis.parameters, tells);
  return found == analysis.parameters.end() ? nullptr : &*found;
}

}  // namespace

void append_wrapped(std::string& out, std::string_view text, std::size_t indent) {
  const std::size_t line = out.rfind('\n') == std::string::npos ? 0 : out.rfind('\n') + 1;
  std::size_t at = display_width(std::string_view(out).substr(line));
  if (at < indent) out.append(indent - at, ' ');
  at = std::max(at, indent);
  bool first = true;
  for (const std::string_view word : parts_of(text, " ")) {
    if (word.empty()) continue;
    const std::size_t width = display_width(word);
    if (at > indent && at + !first + width > kHelpWidth) {
      out += '\n';
      out.append(indent, ' ');
      at = indent;
      first = true;
    }
    if (!first) out += ' ';
    out += word;
    at += !first + width;
    first = false;
  }
  out += '\n';
}

std::string list_of_analyses() {
  std::string out;
  for (const Analysis& each : analysis::analyses()) {
    out += fmt::format("{}{}: {}\n", out.empty() ? "" : "\n", each.name, each.title);
    append_wrapped(out, each.about, kTextIndent);
    for (const Parameter& parameter : each.parameters) append_parameter(out, parameter, false);
  }
  out += "\nwarpscope analyze NAME --help describes one analysis.\n";
  return out;
}

std::string help_of(const Analysis& analysis) {
  std::string out = fmt::format("{}: {}\n\n", analysis.name, analysis.title);
  append_wrapped(out, analysis.about, kTextIndent);
  const bool hta = analysis::has_parameter(analysis, analysis::kHtaParameter.name);
  if (hta) {
    out += "\nDifferences from HTA that remain with --hta\n";
    append_wrapped(out, analysis.still_ours.empty() ? "None; all values match HTA's." : analysis.still_ours,
                   kTextIndent);
    out += "\nWith --hta\n";
    append_wrapped(
        out,
        "Times (ts) in the CSV output are relative to HTA's time origin instead of the start of the profile; durations "
        "without a unit are in µs instead of ns.",
        kTextIndent);
  }
  if (!analysis.parameters.empty()) {
    out += "\nParameters (--set NAME=VALUE) and their defaults\n";
    for (const Parameter& parameter : analysis.parameters) append_parameter(out, parameter, true);
  }
  out += "\nExample\n";
  std::string example =
      fmt::format("  warpscope analyze {} {}", analysis.name, analysis.compares ? "before after" : "traces");
  if (const Parameter* parameter = telling_parameter(analysis))
    example += fmt::format(" --set {}={}", parameter->name,
                           parameter->example.empty() ? parameter->preset : parameter->example);
  out += example + " --csv\n";
  append_wrapped(out, "warpscope analyze --help describes ranks, time ranges and formats; --parts lists the tables.",
                 0);
  return out;
}

}  // namespace warpscope::cli
