#pragma once
// Numeric precision of a kernel, inferred from its name. Libraries include the precision in kernel names, and template
// names contain their types. Profilers record nothing more reliable. The class is the narrowest operand type in the
// name (a BF16 matrix product that accumulates in FP32 is BF16), or unknown.
//
// The first rule whose pattern occurs in the name applies; kernel_precision shows it for each kernel.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warpscope::analysis {

enum class Precision : std::uint8_t { fp64, fp32, tf32, fp16, bf16, fp8, fp4, int8, int32, int64, unknown };
inline constexpr std::size_t kPrecisions = 11;

/// Returns "FP64", …, "INT64" or "unknown".
[[nodiscard]] std::string_view to_string(Precision precision);

struct PrecisionRule {
  std::string_view pattern;  ///< lower case; `*` matches anything, `|` at an end a word boundary
  Precision precision = Precision::unknown;
};

/// Returns the rules in matching order.
[[nodiscard]] std::span<const PrecisionRule> precision_rules();

/// Returns the first matching rule, or nullptr. Ignores case. O(rules · length).
[[nodiscard]] const PrecisionRule* precision_rule(std::string_view kernel);

[[nodiscard]] inline Precision kernel_precision(std::string_view kernel) {
  const PrecisionRule* rule = precision_rule(kernel);
  return rule != nullptr ? rule->precision : Precision::unknown;
}

}  // namespace warpscope::analysis
