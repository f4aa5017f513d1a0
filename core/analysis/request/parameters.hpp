#pragma once
// Analysis parameters: `--set k=15` on the command line, a field on the dashboard. Flags, controls and checks are
// derived from one description. Analyses receive validated values.
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/time.hpp"

namespace warpscope::analysis {

enum class ParameterKind : std::uint8_t {
  integer,
  real,
  duration,  ///< ns, parsed by parse_time ("500ms")
  text,
  choice,  ///< one of `choices`
  flag,    ///< true or false
};

struct Parameter {
  /// Default for numbers that the analysis chooses itself; the table's note shows the chosen value.
  static constexpr std::string_view kAutomatic = "auto";

  std::string_view name;   ///< as users write it: "k"
  std::string_view about;  ///< short description
  ParameterKind kind = ParameterKind::text;
  std::string_view preset;                                  ///< default, as a user would write it
  std::span<const std::string_view> choices{};              ///< for text: common values
  double least = -std::numeric_limits<double>::infinity();  ///< for integers, reals and durations (ns)
  double most = std::numeric_limits<double>::infinity();
  bool above_least = false;    ///< `least` itself is not allowed
  std::string_view example{};  ///< value for the example in the help, if the default is not useful there
};

/// Create parameters of each kind. The first value of a choice is the default unless `preset` is set.
[[nodiscard]] constexpr Parameter text_parameter(std::string_view name, std::string_view about,
                                                 std::string_view preset = "") {
  return {.name = name, .about = about, .kind = ParameterKind::text, .preset = preset};
}
[[nodiscard]] constexpr Parameter flag_parameter(std::string_view name, std::string_view about,
                                                 std::string_view preset = "false") {
  return {.name = name, .about = about, .kind = ParameterKind::flag, .preset = preset};
}
[[nodiscard]] constexpr Parameter choice_parameter(std::string_view name, std::string_view about,
                                                   std::span<const std::string_view> choices,
                                                   std::string_view preset = {}) {
  return {.name = name,
          .about = about,
          .kind = ParameterKind::choice,
          .preset = preset.empty() ? choices.front() : preset,
          .choices = choices};
}
[[nodiscard]] constexpr Parameter integer_parameter(std::string_view name, std::string_view about,
                                                    std::string_view preset, double least = 0, double most = 1e9) {
  return {.name = name, .about = about, .kind = ParameterKind::integer, .preset = preset, .least = least, .most = most};
}
[[nodiscard]] constexpr Parameter real_parameter(std::string_view name, std::string_view about, std::string_view preset,
                                                 double least = 0,
                                                 double most = std::numeric_limits<double>::infinity()) {
  return {.name = name, .about = about, .kind = ParameterKind::real, .preset = preset, .least = least, .most = most};
}
[[nodiscard]] constexpr Parameter duration_parameter(std::string_view name, std::string_view about,
                                                     std::string_view preset, double least = 0) {
  return {.name = name, .about = about, .kind = ParameterKind::duration, .preset = preset, .least = least};
}

/// Name and value of one parameter, as written by the user.
using Setting = std::pair<std::string, std::string>;

/// Validated parameter values of an analysis. Requesting a name or kind that the analysis does not have is a bug in the
/// caller.
class ParameterValues {
 public:
  /// Applies `settings` to the defaults; if a name is set several times, the last one wins. Errors: an unknown
  /// parameter or an invalid value; `where` is the parameter's name.
  [[nodiscard]] static Result<ParameterValues> parse(std::span<const Parameter> parameters,
                                                     std::span<const Setting> settings);

  /// True if the analysis chooses the value.
  [[nodiscard]] bool automatic(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] double real(std::string_view name) const;
  [[nodiscard]] Ns duration(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;  ///< for text and choice
  [[nodiscard]] bool flag(std::string_view name) const;
  /// Returns a cache key that differs if any value differs.
  [[nodiscard]] std::string key() const;

  friend bool operator==(const ParameterValues&, const ParameterValues&) = default;

 private:
  using Value = std::variant<std::monostate, std::int64_t, double, bool, std::string>;
  [[nodiscard]] const Value& value(std::string_view name) const;

  std::vector<std::pair<std::string_view, Value>> values_;  // names point into the parameters
};

}  // namespace warpscope::analysis
