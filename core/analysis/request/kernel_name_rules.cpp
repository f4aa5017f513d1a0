#include "core/analysis/request/kernel_name_rules.hpp"

#include <algorithm>
#include <array>

#include "core/base/parse_number.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::array kRuleKinds{KernelClass::computation, KernelClass::communication, KernelClass::memory};

/// `"name"`, with * for characters that would end the rule or the line of the settings.
std::string quoted_name(std::string_view kernel) {
  std::string text = "\"";
  for (const char c : kernel) text += c == ';' || static_cast<unsigned char>(c) < 0x20 ? '*' : c;
  return text + '"';
}

std::string rule_text(std::string_view kernel, KernelClass kind) {
  return std::string(to_string(kind)) + "=" + quoted_name(kernel);
}

}  // namespace

std::optional<KernelClass> rule_of_name(std::string_view rules, std::string_view kernel) {
  std::optional<KernelClass> found;
  for (const std::string_view rule : parts_of(rules, ";"))
    for (const KernelClass kind : kRuleKinds)
      if (!found && trimmed(rule) == rule_text(kernel, kind)) found = kind;
  return found;
}

std::string without_rule_of_name(std::string_view rules, std::string_view kernel) {
  std::string left;
  for (const std::string_view part : parts_of(rules, ";")) {
    const std::string_view rule = trimmed(part);
    const bool of_kernel =
        std::ranges::any_of(kRuleKinds, [&](KernelClass kind) { return rule == rule_text(kernel, kind); });
    if (!rule.empty() && !of_kernel) left.append(left.empty() ? "" : "; ").append(rule);
  }
  return left;
}

std::string with_rule_of_name(std::string_view rules, std::string_view kernel, KernelClass kind) {
  const std::string left = without_rule_of_name(rules, kernel);
  return rule_text(kernel, kind) + (left.empty() ? "" : "; " + left);
}

}  // namespace warpscope::analysis
