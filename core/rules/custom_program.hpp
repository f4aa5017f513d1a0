#pragma once
// Runs a program of the user as a rule. It reads tables as JSON ("schema": 1, as analyze --json writes them) on its
// standard input and answers on its standard output:
//   {"verdict": "issues found", "why": "…", "findings": [{"sentence": "…", "advice": "…"}]}
#include "core/rules/custom_rule.hpp"

namespace warpscope::rules {

/// The program's verdict; "not evaluable" with the reason if it cannot be run, fails, takes longer than a minute or
/// answers something else. Cancelling ends the program.
[[nodiscard]] Outcome judge_by_program(Facts& facts, const CustomRule& rule);

}  // namespace warpscope::rules
