#pragma once
// Runs a user's program as a rule. The program reads tables as JSON ("schema": 1, as analyze --json writes them) on its
// standard input and answers on its standard output:
//   {"verdict": "issues found", "why": "…", "findings": [{"sentence": "…", "advice": "…"}]}
#include "core/rules/custom_rule.hpp"

namespace warpscope::rules {

/// The program's verdict; "not evaluable" with the reason if it cannot be run, fails, runs longer than a minute or
/// returns anything else. Cancelling ends the program.
[[nodiscard]] Outcome judge_by_program(Facts& facts, const CustomRule& rule);

}  // namespace warpscope::rules
