#pragma once
// A rule looks for one way in which a training job loses GPU time. Its outcome is a verdict with actionable findings.
// Each finding has a one-sentence description, a cost, an upper bound on the savings, advice, and places in the
// Timeline.
//
// To add a rule, add a file to one of the folders under core/rules and a line to core/rules/registry.cpp.
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/causes/fault_text.hpp"
#include "core/analysis/request/chart_spec.hpp"
#include "core/analysis/request/parameters.hpp"
#include "core/base/table.hpp"
#include "core/base/time.hpp"
#include "core/base/word_at.hpp"
#include "core/rules/evidence.hpp"
#include "core/trace/profile.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::rules {

class Facts;

enum class Verdict : std::uint8_t { issues_found, no_issues, not_evaluable, insufficient_data };

/// Names in the JSON output, indexed by Verdict.
inline constexpr std::array<std::string_view, 4> kVerdictWords{"issues found", "no issues", "not evaluable",
                                                               "insufficient data"};
[[nodiscard]] constexpr std::string_view to_string(Verdict verdict) { return word_at(kVerdictWords, verdict); }

/// Timeline rows of a node's system metrics.
struct MetricRows {
  std::uint32_t node = 0;  ///< index into Profile::nodes
  trace::Metric metric = trace::Metric::gpu_utilisation;
  std::optional<std::uint32_t> instance{};  ///< number of the GPU or core; nullopt: all GPUs or cores of the node
};

/// A place in the Timeline that illustrates a finding.
struct Place {
  std::string text;                            ///< description; "" of a slice: its label
  std::optional<std::uint32_t> rank{};         ///< index; nullopt: the whole job
  std::optional<std::int64_t> device{};        ///< number of the device, for places on a GPU
  Interval time;                               ///< ns, absolute
  std::optional<trace::SliceOrdinal> slice{};  ///< the slice, if the place is a single slice
  std::optional<Ns> weight{};                  ///< rank among places, if not the duration; of a slice, its cost
  std::optional<MetricRows> metric{};          ///< for places in system metrics, which have no rank
};

using analysis::Culprit;
using analysis::CulpritKind;

struct Finding {
  std::string headline;  ///< culprit, cause and saving; other rules write a sentence
  std::string advice;
  Ns cost = 0;                  ///< GPU time lost, summed over the evaluated GPUs
  Ns saving = 0;                ///< on top of the findings before it, summed over the evaluated GPUs; at most `cost`
  bool hint = false;            ///< concerns the recording, not the job; sorted after all other findings
  std::vector<Place> places{};  ///< largest first, at most kMostPlaces
  Evidence evidence{};          ///< chart; none if it has no bars
  /// Name of the rule that explains this finding, if any. If fixing this finding would save almost nothing, it is
  /// dropped, and its headline and first evidence are added to that rule's first finding.
  std::string_view explained_by{};
  std::string code{};                         ///< code to paste into the training script; "" if there is none
  std::vector<std::string> evidence_lines{};  ///< at most kMostEvidenceLines
  Culprit culprit{};
  std::string_view cause{};  ///< of the saving, in snake_case; "" if the rule does not replay
  Ns saving_low = 0;         ///< of a replayed saving: less than `saving` if part of it is uncertain
  Ns saving_high = 0;        ///< same: more than `saving` if the replay may lack part of it
  Ns alone = 0;              ///< per step, if only this is fixed; 0 if not replayed
  Ns step_time = 0;          ///< of a replay with this and all causes that what_if lists before it fixed, at best
};
inline constexpr std::size_t kMostEvidenceLines = 4;
inline constexpr std::size_t kMostPlaces = 20;
/// Keeps only the kMostPlaces most expensive places.
void keep_longest(std::vector<Place>& places);

/// Counts for one rule, as in SageMaker Debugger's report. Matches AWS's computation, bugs included. Minutes
/// without new data are not counted.
struct AwsCounts {
  std::int64_t triggered = 0;   ///< "RuleTriggered": evaluations that found an issue
  std::int64_t violations = 0;  ///< "Violations"
  std::int64_t datapoints = 0;  ///< "Datapoints"
};

/// A table of values evaluated by a rule. The report, the Findings page and JSON include it even if the rule finds
/// nothing.
struct Detail {
  Table table;                  ///< with an id that is unique within the rule
  analysis::ChartSpec chart{};  ///< by default, derived from the columns
};

struct Outcome {
  Verdict verdict = Verdict::no_issues;
  std::string why{};  ///< the comparison behind the verdict; for the last two verdicts, the data that is missing
  std::vector<Finding> findings{};
  std::optional<AwsCounts> aws{};  ///< only for SageMaker Debugger's rules
  std::string_view replaces{};     ///< name of an earlier rule whose findings this outcome explains; they are dropped
  std::optional<AwsCounts> counts{};  ///< same as `aws`, computed with our arithmetic; set if the results differ
  std::string aws_remark{};           ///< additional results computed with AWS's arithmetic
  std::vector<Detail> details{};
  bool compares_share = false;  ///< `why` states a share that was compared with the rule's limit
};

struct Rule;

/// Outcome of one rule.
struct Evaluated {
  const Rule* rule = nullptr;
  Outcome outcome;
  std::string parameters{};  ///< "threshold: 50, patience: 1000"; "" without parameters
};

struct RuleInput {
  Facts& facts;
  const analysis::ParameterValues& values;
  std::span<const std::string_view> fired;  ///< names of earlier rules in the list that have findings
  std::span<const Evaluated> before;        ///< outcomes of all earlier rules
  bool aws = false;                         ///< same as EvaluateOptions::aws
};

struct Rule {
  std::string_view name;   ///< "LaunchBound"
  std::string_view title;  ///< sentence case: "Launch-bound GPU"
  std::string_view about;  ///< when it fires, in one or two sentences
  std::span<const analysis::Parameter> parameters;
  /// Evaluates the rule on a worker thread, without side effects. After cancellation, the result is meaningless. Null
  /// for user-defined rules.
  Outcome (*evaluate)(const RuleInput& input);
  std::string_view advice{};  ///< general advice, for findings without their own
  /// Differences from AWS's rule of the same name, with reasons; "" if there are none.
  std::string_view repairs{};
  /// General advice for jobs without training; "" if it is the same.
  std::string_view inference_advice{};
};

/// Returns the name of the rule that reports a kind of fault.
[[nodiscard]] std::string_view rule_of(analysis::FaultKind kind);

/// Common parameter: the minimum cost of a finding.
[[nodiscard]] constexpr analysis::Parameter share_parameter(std::string_view preset = "0.05") {
  return analysis::real_parameter("share", "minimum cost of a finding, as a fraction of the evaluated time", preset, 0,
                                  1);
}
inline constexpr std::string_view kShare = "share";

}  // namespace warpscope::rules
