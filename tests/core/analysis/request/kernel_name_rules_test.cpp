#include "core/analysis/request/kernel_class.hpp"
#include "tests/catch.hpp"

using namespace warpscope::analysis;

namespace {

/// Returns the class that the first matching rule gives a kernel.
std::optional<KernelClass> said_of(std::string_view rules, std::string_view kernel) {
  const auto read = parse_kernel_rules(rules);
  REQUIRE(read);
  for (const KernelRule& rule : *read)
    if (rule.pattern.matches(kernel)) return rule.kind;
  return std::nullopt;
}

}  // namespace

TEST_CASE("a rule for one kernel comes first and does not match longer names") {
  const std::string by_hand = "memory=gather_*;computation=ring";
  const std::string rules = with_rule_of_name(by_hand, "ring", KernelClass::communication);
  CHECK(rules == R"(communication="ring"; memory=gather_*; computation=ring)");
  CHECK(said_of(rules, "ring") == KernelClass::communication);
  CHECK(said_of(rules, "ring_step") == KernelClass::computation);
  CHECK(rule_of_name(rules, "ring") == KernelClass::communication);
  CHECK_FALSE(rule_of_name(rules, "ring_step"));
  CHECK_FALSE(rule_of_name(by_hand, "ring"));
  // A new rule for the same kernel replaces the old one.
  const std::string changed = with_rule_of_name(rules, "ring", KernelClass::memory);
  CHECK(changed == R"(memory="ring"; memory=gather_*; computation=ring)");
  CHECK(without_rule_of_name(changed, "ring") == "memory=gather_*; computation=ring");
  CHECK(without_rule_of_name("", "ring").empty());
  CHECK(without_rule_of_name(R"(communication="ring")", "ring").empty());
}

TEST_CASE("rules for one kernel work for any name") {
  for (const std::string_view name : {"void f<4, g<int>>(float*, unsigned long)", "a;b", "two\nlines", "\"quoted\"",
                                      "x=y", " blanks ", "*", "a;;=\"b"}) {
    INFO(name);
    const std::string rules = with_rule_of_name("memory=other", name, KernelClass::communication);
    CHECK(rules.find('\n') == std::string::npos);
    CHECK(said_of(rules, name) == KernelClass::communication);
    CHECK(rule_of_name(rules, name) == KernelClass::communication);
    CHECK(without_rule_of_name(rules, name) == "memory=other");
  }
}
