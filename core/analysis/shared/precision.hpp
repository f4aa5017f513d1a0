#pragma once
// In which precision a kernel computes, told by its name: libraries write it into the names of their kernels, templates
// name their types. A profiler records nothing better. The class is that of the narrowest numbers that the name says it
// works on (a matrix product of BF16 that adds up in FP32 is BF16), and unknown where it says nothing.
//
// The rules are a table, tried from the top; the first whose pattern is in the name decides. They are data: the
// command line and the dashboard show which rule decided what.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warpscope::analysis {

enum class Precision : std::uint8_t { fp64, fp32, tf32, fp16, bf16, fp8, fp4, int8, int32, int64, unknown };
inline constexpr std::size_t kPrecisions = 11;

/// "FP64" … "INT64", "unknown".
[[nodiscard]] std::string_view to_string(Precision precision);

struct PrecisionRule {
  std::string_view pattern;  ///< in lower case; `*` is anything, `|` at an end a place between words
  Precision precision = Precision::unknown;
  std::string_view meaning;  ///< who writes it so, and why it means this
};

/// In the order in which they are tried.
[[nodiscard]] std::span<const PrecisionRule> precision_rules();

/// The rule that decides, or nullptr if none does. Upper and lower case are alike. O(rules · length).
[[nodiscard]] const PrecisionRule* precision_rule(std::string_view kernel);

[[nodiscard]] inline Precision kernel_precision(std::string_view kernel) {
  const PrecisionRule* rule = precision_rule(kernel);
  return rule != nullptr ? rule->precision : Precision::unknown;
}

}  // namespace warpscope::analysis
