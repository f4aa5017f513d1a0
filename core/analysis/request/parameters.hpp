#pragma once
// What an analysis can be told: `--set k=15` on the command line, a field on the dashboard. Both make their controls
// and checks from the same description, and an analysis sees values that are already checked.
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
  duration,  ///< ns, read as parse_time does ("500ms")
  text,
  choice,  ///< one of `choices`
  flag,    ///< true or false
};

struct Parameter {
  /// As a preset of a number: the analysis chooses, and says in the table's note what it chose.
  static constexpr std::string_view kAutomatic = "auto";

  std::string_view name;   ///< as it is written: "k"
  std::string_view about;  ///< what it does, in a few words
  ParameterKind kind = ParameterKind::text;
  std::string_view preset;  ///< what holds where nothing is given, as it would be written
  std::span<const std::string_view> choices{};
  double least = -std::numeric_limits<double>::infinity();  ///< of integers, reals and durations (ns)
  double most = std::numeric_limits<double>::infinity();
};

/// What a user wrote: name and value of one parameter.
using Setting = std::pair<std::string, std::string>;

/// One value for every parameter of an analysis, checked. Asking for a name or kind that the analysis does not have is
/// a bug of the caller.
class ParameterValues {
 public:
  /// The presets, with `settings` in their place; of several for one name the last holds. Errors: no such parameter, or
  /// no value for it; `where` is the parameter's name.
  [[nodiscard]] static Result<ParameterValues> parse(std::span<const Parameter> parameters,
                                                     std::span<const Setting> settings);

  /// True if the analysis is to choose.
  [[nodiscard]] bool automatic(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] double real(std::string_view name) const;
  [[nodiscard]] Ns duration(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;  ///< of a text or a choice
  [[nodiscard]] bool flag(std::string_view name) const;

  friend bool operator==(const ParameterValues&, const ParameterValues&) = default;

 private:
  using Value = std::variant<std::monostate, std::int64_t, double, bool, std::string>;
  [[nodiscard]] const Value& value(std::string_view name) const;

  std::vector<std::pair<std::string_view, Value>> values_;  // names are the parameters' own
};

}  // namespace warpscope::analysis
