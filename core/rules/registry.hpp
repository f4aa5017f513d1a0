#pragma once
// Lists all rules and evaluates them. The command line, the report and the Findings page use only this list.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/rules/account.hpp"
#include "core/rules/custom_rule.hpp"
#include "core/rules/rule.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::rules {

[[nodiscard]] std::span<const Rule> rules();
/// Finds a rule by name, ignoring case. Returns nullptr for an unknown name.
[[nodiscard]] const Rule* find_rule(std::string_view name);

struct Ranked {
  const Rule* rule = nullptr;
  Finding finding;
  Ns cost = 0;            ///< mean per step, or per GPU if there are no steps
  Ns saving = 0;          ///< same
  Ns saving_low = 0;      ///< same
  Ns saving_high = 0;     ///< same
  double cost_share = 0;  ///< of the evaluated time
  double saving_share = 0;
};

/// User-defined rules. `shown` contains the same rules in the same form as built-in ones; its string views refer to
/// `rules`.
struct CustomRules {
  std::vector<CustomRule> rules;
  std::vector<Rule> shown;
};

[[nodiscard]] std::shared_ptr<const CustomRules> custom_rules(std::span<const CustomRule> rules);

struct Evaluation {
  std::vector<Evaluated> rules;                 ///< in list order
  std::vector<Ranked> findings;                 ///< sorted by saving, largest first; hints last
  std::string window;                           ///< description of the evaluated time
  std::vector<AccountPart> account{};           ///< where the evaluated GPU time goes
  Ns step_time = 0;                             ///< replayed, per step; 0 without a replay
  Ns fixed_step_time = 0;                       ///< same, with all replayed findings fixed
  bool at_best = false;                         ///< `fixed_step_time` is the best case: a saving is a range
  std::string no_gpus{};                        ///< that there are only traces without GPU activity, and possibly why
  std::string aws_reports{};                    ///< summary of AWS's reports; "" without reports
  bool pipeline = false;                        ///< ranks are stages of a pipeline
  bool by_steps = false;                        ///< true if means are per step
  bool aws = false;                             ///< same as in EvaluateOptions
  std::shared_ptr<const CustomRules> custom{};  ///< owns the rules that `rules` and `findings` point to
  std::shared_ptr<const void> constants{};      ///< owns text of an evaluation from another machine
};

struct EvaluateOptions {
  std::span<const analysis::Setting> settings{};  ///< see core/rules/settings.hpp
  std::span<const CustomRule> custom{};           ///< the user's rules, evaluated after the others
  std::string kernel_rules{};                     ///< same format as the kernel_class parameter of analyses
  bool aws = false;  ///< judge SageMaker Debugger's rules by AWS's arithmetic, including its bugs
};

/// Evaluates all rules; runs on a worker thread. Uses only `profile`, `scope.ranks`, `cancel`, `events` and `shared` of
/// `input`. Errors: those of check_settings(), parse_kernel_rules() and trace::damage_of().
[[nodiscard]] Result<Evaluation> evaluate(const analysis::AnalysisInput& input, const EvaluateOptions& options = {});

/// Writes an evaluation as JSON records: window, account, findings, rules, and the details of each rule as RULE_TABLE.
void write_findings(JsonWriter& json, const Evaluation& evaluation, const trace::Profile& profile);
/// Same, as a whole document.
void write_findings_json(std::string& out, const Evaluation& evaluation, const trace::Profile& profile);

/// Describes the saving of a finding whose headline does not: "saves at most 3.1 ms per step (5.2 %)"; "" otherwise.
[[nodiscard]] std::string saving_text(const Evaluation& evaluation, const Ranked& finding);

/// Converts an evaluation to tables: findings, each with its first place; the places of all findings; chart values, if
/// any; AWS's report, if the job has one; details of each rule, with the rule's name in the table ids; and all rules
/// with verdicts, counts, parameters and advice.
[[nodiscard]] std::vector<Table> tables(const Evaluation& evaluation, const trace::Profile& profile);

/// Returns a place's description, including its rank, if any: "rank 5: GEMM".
[[nodiscard]] std::string place_words(const Place& place, const trace::Profile& profile);

/// Returns the smallest savings that the rules report with these settings.
[[nodiscard]] analysis::LeastShares least_shares(std::span<const analysis::Setting> settings);

/// Returns a table with one row per rule: verdict, times triggered, data points, parameters, advice.
[[nodiscard]] Table rules_table(const Evaluation& evaluation);
/// IDs of two tables returned by tables().
inline constexpr std::string_view kRulesTable = "rules";
inline constexpr std::string_view kPlacesTable = "places";
/// Compares AWS's report on the job with our results; nullopt if there is no report.
[[nodiscard]] std::optional<Table> aws_table(const Evaluation& evaluation, const trace::Profile& profile);
/// Describes what the rule looks for, and how it differs from AWS's.
[[nodiscard]] std::string description(const Rule& rule);

/// Returns "2. Data loader", with the number that summary() uses, or "Note: Completeness of the traces" for a hint.
[[nodiscard]] std::string numbered_title(const Evaluation& evaluation, std::size_t finding);

/// Returns the number of findings that are not hints.
[[nodiscard]] std::size_t issues_in(const Evaluation& evaluation);

/// Returns a summary: "3 findings and 1 note. 15 of 17 rules could be evaluated.", "No issue found. …", "The profile
/// has no GPU activity. …", "No rule applies: …" or "Too little data to find issues: …". The last three also include
/// the results in AWS's reports.
[[nodiscard]] std::string summary(const Evaluation& evaluation);

}  // namespace warpscope::rules
