// `warpscope skill`: prints what an assistant needs to know to use the program, as a SKILL.md. Tables, functions and
// recipes come from SQL's own lists. docs/SKILL.md is this text; `./dev docs` writes it.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "app/cli/command.hpp"
#include "app/cli/messages.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/sql/database.hpp"
#include "core/sql/recipes.hpp"

namespace warpscope::cli {

namespace {

constexpr const char* kIntroduction = R"(---
name: warpscope
description: Explains from profiler traces why a GPU training job is slow, what to fix first and what that saves. Use it
  for PyTorch profiler (Kineto) JSON, other Chrome traces, SageMaker Debugger output and .wscope files, and for questions
  about step time, idle GPUs, slow ranks, communication, kernels and launches.
---

# Warpscope

PATH is a trace file or a folder with one trace per rank. For several questions about a large job, convert it first;
later commands then start in milliseconds: `warpscope convert PATH --out job.wscope`.

| Question | Command |
|---|---|
| Why is the job slow, and what should be fixed first? | `warpscope rules PATH --json` |
| What is in the trace? | `warpscope info PATH --json` |
| A table about one subject | `warpscope analyze NAME PATH --json`; `analyze --list` and `analyze NAME --help` describe them |
| Anything else | `warpscope sql PATH "SELECT …" --json` |
| What changed between two runs? | `warpscope diff BEFORE AFTER --json` |
| A picture for the user | `warpscope snapshot PATH --from 12ms --to 15ms --out picture.png` |
| A report for the user | `warpscope report PATH --html report.html` |
| A small trace for a bug report | `warpscope convert PATH --rank 3 --from 12ms --to 15ms --anonymize --out part.json.gz` |

JSON is `{"schema": 2, TABLE: [{COLUMN: VALUE}]}`. Column names contain the unit (`_ns`, `_bytes`, `_pct`), except
`start`, `end` and `dur` of SQL's tables, which are in ns; times count from the start of the profile. Messages go to the
error output; the exit status is 0 unless something could not be read.

## Explain a job

`rules --json` alone is enough:

- `window` is the evaluated time, and `step_ns` the duration of a step.
- `findings` are sorted by saving. `headline` is a sentence to quote. `culprit`, `cause` and `evidence` support it;
  `action` and `code` say how to fix it.
- `saving_per_step_ns` is the difference between two replays of the recording if `replayed` is true, and otherwise an
  upper limit: say "at most". If `saving_low_ns` and `saving_high_ns` differ, quote the range.
- Do not add up savings. `cumulative_step_ns` is the step that remains after this fix and those before it.
- `places` are occurrences, the longest first. Cite them as rank, `start_ns` and `duration_ns`; `snapshot --from … --to …`
  shows them, with times in ns or with a unit.
- `account` divides the GPUs' time by cause; it adds up to the evaluated time.
- A finding with `hint` is about the recording, not the job. No finding means that no rule found a loss, not that the
  job is optimal: `rules` lists what was checked, and `why` a rule could not decide.

If the trace is incomplete, the messages and `diagnostics` in `info --json` report it. Mention it next to any figure that
depends on it.

## SQL

SQLite's dialect, read-only. Times and durations are integers in ns. A slice has one number, `id`, in all tables;
columns that refer to a slice contain it. Conditions on rank, track, start, name, category and id are looked up, not
scanned; `start < B AND "end" > A` finds the slices that overlap a window. `end` and `group` are keywords: quote them.
)";

constexpr const char* kAnalyses = R"(
Each analysis is a table, too, with parameters as conditions: `SELECT * FROM late_ranks WHERE clocks = 'recorded' AND
scope_ranks = '0-3'`. Analyses: )";

std::string skill() {
  const auto empty = trace::assemble_profile("", std::make_shared<trace::Dictionary>(), {}, {}, true);
  const auto database = sql::Database::open(empty, {});
  std::string out = kIntroduction;
  if (!database) return out;
  out += '\n';
  for (const auto& table : (*database)->tables()) {
    out += fmt::format("- `{}(", table->name);
    for (const char* between = ""; const sql::Field& field : table->fields)
      out += std::exchange(between, ", ") + std::string(field.name);
    out += fmt::format(")`: {}\n", table->about);
  }
  for (const sql::FunctionText& each : sql::kFunctions) out += fmt::format("- `{}`: {}.\n", each.usage, each.about);
  out += kAnalyses;
  for (const char* between = ""; const auto& analysis : (*database)->analyses())
    out += std::exchange(between, ", ") + std::string(analysis->name);
  out += ".\n\n## Recipes\n";
  for (const sql::Recipe& each : sql::recipes())
    out += fmt::format("\n{}. {}\n\n```sql\n{}```\n", each.title, each.about, each.query);
  return out;
}

std::function<ExitStatus()> declare_skill(Arguments /*arguments*/) {
  return [] { return print_result(skill()); };
}

}  // namespace

const Command registered::skill::kCommand{"skill", "Print how to use this program, for assistants, as SKILL.md",
                                          declare_skill};

}  // namespace warpscope::cli
