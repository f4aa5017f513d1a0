#include "core/rules/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/ascii.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/aws_report.hpp"
#include "core/rules/facts.hpp"
#include "core/rules/hosted_evaluation.hpp"
#include "core/rules/settings.hpp"
#include "core/trace/partial_ranks.hpp"
#include "core/trace/recordings.hpp"
#include "core/trace/slice_label.hpp"

// One line per rule, in list order. Namespace registered::NAME defines the kRule of each.
#define WARPSCOPE_RULES(RULE)     \
  RULE(late_rank)                 \
  RULE(exposed_communication)     \
  RULE(slow_collective)           \
  RULE(data_loader)               \
  RULE(host_sync)                 \
  RULE(host_stall)                \
  RULE(launch_bound)              \
  RULE(allocator_churn)           \
  RULE(recompilation)             \
  RULE(idle_gpu)                  \
  RULE(host_backend)              \
  RULE(data_parallel)             \
  RULE(step_outlier)              \
  RULE(rank_imbalance)            \
  RULE(small_kernels)             \
  RULE(pageable_copies)           \
  RULE(tensor_cores_unused)       \
  RULE(unfused_attention)         \
  RULE(cpu_bottleneck)            \
  RULE(io_bottleneck)             \
  RULE(low_gpu_utilization)       \
  RULE(batch_size)                \
  RULE(gpu_memory_increase)       \
  RULE(load_balancing)            \
  RULE(max_initialization_time)   \
  RULE(overall_framework_metrics) \
  RULE(overall_system_usage)      \
  RULE(profiler_report)           \
  RULE(memory_near_capacity)      \
  RULE(trace_quality)

namespace warpscope::rules {

namespace registered {
#define WARPSCOPE_DECLARE_RULE(name) \
  namespace name {                   \
  extern const Rule kRule;           \
  }
WARPSCOPE_RULES(WARPSCOPE_DECLARE_RULE)
#undef WARPSCOPE_DECLARE_RULE
}  // namespace registered

namespace {

constexpr double kNegligible = 0.005;     // of the evaluated time
constexpr double kMostlyComputing = 0.8;  // same

std::string lower_first(std::string text) {
  if (!text.empty()) text.front() = lower(text.front());
  return text;
}

/// "5 times: 5 violations in 1 080 data points."
std::string counts_text(const AwsCounts& counts) {
  return fmt::format("{} {}: {} {} in {} data points.", format_count(counts.triggered),
                     counts.triggered == 1 ? "time" : "times", format_count(counts.violations),
                     counts.violations == 1 ? "violation" : "violations", format_count(counts.datapoints));
}

/// "AWS's reports: 1 of 9 rules found issues (CPUBottleneck)."
std::string words_of(const std::vector<AwsReport>& reports) {
  if (reports.empty()) return {};
  std::vector<std::string> triggered;
  for (const AwsReport& report : reports)
    if (report.counts.triggered > 0) triggered.push_back(report.rule);
  return fmt::format("AWS's reports: {} of {} found issues{}.", triggered.size(),
                     counted(reports.size(), "rule", "rules"),
                     triggered.empty() ? "" : fmt::format(" ({})", fmt::join(triggered, ", ")));
}

/// Appends the results in AWS's report to the reasons of our rules.
void add_aws_verdicts(Evaluation& evaluation, const trace::Profile& profile) {
  const std::vector<AwsReport> reports = aws_reports(profile);
  evaluation.aws_reports = words_of(reports);
  for (const AwsReport& report : reports)
    for (Evaluated& each : evaluation.rules)
      if (lower(each.rule->name) == lower(report.rule))
        each.outcome.why += report.counts.triggered > 0 ? " AWS's report: triggered " + counts_text(report.counts)
                                                        : std::string(" AWS's report: not triggered.");
}

/// Replaces our verdict for a SageMaker Debugger rule with AWS's, which is either "issues found" or "no issues".
void judge_as_aws(Outcome& outcome) {
  if (!outcome.aws) return;
  const AwsCounts& aws = *outcome.aws;
  outcome.verdict = aws.triggered > 0 ? Verdict::issues_found : Verdict::no_issues;
  outcome.why = "Triggered " + counts_text(aws);
  if (!outcome.aws_remark.empty()) outcome.why += " " + outcome.aws_remark;
  outcome.counts = aws;
  if (aws.triggered == 0)
    outcome.findings.clear();
  else if (outcome.findings.empty())
    outcome.findings.push_back({outcome.why, "", 0, 0, false, {}});
}

/// "threshold: 50, patience: 1000".
std::string parameters_of(const Rule& rule, const Settings& own) {
  std::string text;
  for (const analysis::Parameter& parameter : rule.parameters) {
    std::string_view value = parameter.preset;
    for (const auto& [name, given] : own)
      if (name == parameter.name) value = given;
    if (!value.empty()) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", parameter.name, value);
  }
  return text;
}

/// Returns the settings in AWS's report, so its counts can be compared, followed by the user's settings.
Settings with_aws_parameters(const trace::Profile& profile, std::span<const analysis::Setting> settings) {
  Settings all;
  for (const AwsReport& report : aws_reports(profile))
    for (const auto& [name, value] : report.settings)
      if (const analysis::Setting one{fmt::format("{}_{}", report.rule, name), value}; !check_settings(std::array{one}))
        all.push_back(one);
  all.insert(all.end(), settings.begin(), settings.end());
  return all;
}

Evaluated* find_evaluated(Evaluation& evaluation, std::string_view rule) {
  const auto found =
      std::ranges::find_if(evaluation.rules, [&](const Evaluated& each) { return each.rule->name == rule; });
  return found == evaluation.rules.end() ? nullptr : &*found;
}

/// Drops the findings that `by` replaces. If two rules find the same loss, the later rule decides which finding
/// explains it better.
void drop_replaced(Evaluation& evaluation, const Evaluated& by) {
  Evaluated* const replaced = find_evaluated(evaluation, by.outcome.replaces);
  if (replaced == nullptr || replaced->outcome.findings.empty()) return;
  replaced->outcome.findings.clear();
  replaced->outcome.why += fmt::format(" See “{}”.", by.rule->title);
}

/// Drops findings with negligible savings. If another finding explains the time, the dropped finding's sentence is
/// added to it.
void drop_negligible(Evaluation& evaluation, Facts& facts) {
  const auto negligible = [&](const Finding& finding) {
    return finding.cost > 0 && !finding.hint &&
           facts.share(std::max(finding.saving, finding.saving_high)) < kNegligible;
  };
  for (Evaluated& each : evaluation.rules) {
    Outcome& outcome = each.outcome;
    for (const Finding& finding : outcome.findings) {
      if (!negligible(finding)) continue;
      Evaluated* const explains = find_evaluated(evaluation, finding.explained_by);
      if (explains != nullptr && !explains->outcome.findings.empty() &&
          !negligible(explains->outcome.findings.front())) {
        std::vector<std::string>& lines = explains->outcome.findings.front().evidence_lines;
        if (lines.size() < kMostEvidenceLines)
          lines.push_back(finding.evidence_lines.empty() ? finding.headline
                                                         : finding.headline + " " + finding.evidence_lines.front());
        outcome.why += fmt::format(" See “{}”.", explains->rule->title);
      } else {
        outcome.why +=
            fmt::format(" Fixing it would save less than {} of the evaluated time.", format_share(kNegligible));
        if (outcome.findings.size() == 1) outcome.verdict = Verdict::no_issues;
      }
    }
    std::erase_if(outcome.findings, negligible);
  }
}

/// Returns a note if there are only traces without GPU activity, including which of them are truncated; otherwise "".
std::string traces_without_gpus(Facts& facts) {
  const trace::Profile& profile = facts.profile();
  if (!facts.gpus().empty() || profile.ranks.empty() || !profile.metrics.empty()) return "";
  const std::string partial = trace::partial_note(profile, facts.input().scope.ranks, std::numeric_limits<Ns>::max());
  return std::string(kNoGpuActivity) + (partial.empty() ? "" : " " + partial);
}

}  // namespace

std::span<const Rule> rules() {
#define WARPSCOPE_LIST_RULE(name) registered::name::kRule,
  static const std::array kAll{WARPSCOPE_RULES(WARPSCOPE_LIST_RULE)};
#undef WARPSCOPE_LIST_RULE
  return kAll;
}

const Rule* find_rule(std::string_view name) {
  const auto found = std::ranges::find_if(rules(), [&](const Rule& rule) { return lower(rule.name) == lower(name); });
  return found == rules().end() ? nullptr : &*found;
}

std::shared_ptr<const CustomRules> custom_rules(std::span<const CustomRule> rules) {
  auto custom = std::make_shared<CustomRules>();
  custom->rules.assign(rules.begin(), rules.end());
  for (const CustomRule& rule : custom->rules)
    custom->shown.push_back({rule.name, rule.name, rule.about, {}, nullptr, rule.advice});
  return custom;
}

analysis::LeastShares least_shares(std::span<const analysis::Setting> settings) {
  analysis::LeastShares least{};
  for (std::size_t kind = 0; kind < least.size(); ++kind) {
    const Rule& rule = *find_rule(rule_of(static_cast<analysis::FaultKind>(kind)));
    const auto values = analysis::ParameterValues::parse(rule.parameters, settings_of(rule, settings));
    least[kind] = values ? values->real(kShare) : analysis::kLeastShares[kind];
  }
  return least;
}

Result<Evaluation> evaluate(const analysis::AnalysisInput& input, const EvaluateOptions& options) {
  if (auto failure = check_settings(options.settings)) return *failure;
  if (const auto parsed = analysis::parse_kernel_rules(options.kernel_rules); !parsed) return parsed.error();
  if (auto answer = ask_for_findings(input, options)) return std::move(*answer);
  Evaluation evaluation;
  evaluation.aws = options.aws;
  const Settings settings = options.aws ? with_aws_parameters(input.profile, options.settings)
                                        : Settings(options.settings.begin(), options.settings.end());
  Facts facts(input, options.kernel_rules, least_shares(settings));
  std::vector<std::string_view> fired;
  for (const Rule& rule : rules()) {
    if (facts.cancelled()) break;
    const Settings own = settings_of(rule, settings);
    const auto values = analysis::ParameterValues::parse(rule.parameters, own);
    Outcome made = rule.evaluate({facts, *values, fired, evaluation.rules, options.aws});
    evaluation.rules.push_back({&rule, std::move(made), parameters_of(rule, own)});
    Outcome& outcome = evaluation.rules.back().outcome;
    for (Finding& finding : outcome.findings) {
      std::vector<Evidence::Bar>& bars = finding.evidence.bars;
      if (std::ranges::none_of(bars, [](const Evidence::Bar& bar) { return bar.value != 0; })) bars.clear();
      for (Place& place : finding.places)
        if (place.text.empty() && place.rank && place.slice)
          place.text = trace::slice_label(input.profile, {*place.rank, *place.slice});
      if (finding.advice.empty())
        finding.advice =
            is_inference(facts.workload()) && !rule.inference_advice.empty() ? rule.inference_advice : rule.advice;
    }
    if (options.aws) judge_as_aws(outcome);
    if (!outcome.replaces.empty()) drop_replaced(evaluation, evaluation.rules.back());
    if (!outcome.findings.empty()) fired.push_back(rule.name);
    const bool has_share =
        std::ranges::find(rule.parameters, kShare, &analysis::Parameter::name) != rule.parameters.end();
    if (has_share && outcome.compares_share && outcome.verdict == Verdict::no_issues)
      outcome.why += fmt::format(" Limit: {}.", format_share(values->real(kShare)));
  }
  drop_negligible(evaluation, facts);
  evaluation.no_gpus = traces_without_gpus(facts);
  evaluation.custom = custom_rules(options.custom);
  for (std::size_t i = 0; i < options.custom.size() && !facts.cancelled(); ++i)
    evaluation.rules.push_back({&evaluation.custom->shown[i], judge_custom(facts, options.custom[i])});
  add_aws_verdicts(evaluation, input.profile);
  for (const Evaluated& each : evaluation.rules)
    for (const Finding& finding : each.outcome.findings)
      evaluation.findings.push_back({each.rule, finding, facts.mean(finding.cost), facts.mean(finding.saving),
                                     facts.mean(finding.saving_low), facts.mean(finding.saving_high),
                                     facts.share(finding.cost), facts.share(finding.saving)});
  std::ranges::stable_sort(evaluation.findings, std::greater(), [](const Ranked& each) {
    return std::pair(!each.finding.hint, std::max(each.finding.saving, each.finding.saving_high));
  });
  evaluation.window = analysis::joined_notes({facts.window_note(), trace::assumed_ranks_note(input.profile.ranks)});
  evaluation.by_steps = facts.steps() > 0;
  if (!facts.gpus().empty() && !facts.cancelled()) {
    evaluation.account = account_of(facts);
    evaluation.step_time = facts.faults().step_time;
    evaluation.fixed_step_time = evaluation.step_time;
    const analysis::JobCollectives& matches = facts.comparison().matches();
    evaluation.pipeline = std::ranges::any_of(matches.collectives, [&](const analysis::JobCollective& each) {
      const analysis::CollectiveKind kind = matches.job.signatures[each.signature].kind;
      const bool pairs = kind == analysis::CollectiveKind::send_receive && each.count == 2;
      return matches.job.groups_recorded && (pairs || is_point_to_point(kind));
    });
    for (const Ranked& each : evaluation.findings)
      if (!each.finding.cause.empty()) {
        evaluation.fixed_step_time -= each.saving_high;
        evaluation.at_best |= each.saving_low < each.saving_high;
      }
    // A saving on top of causes that are too small to be listed may be less than the saving alone.
    for (const Ranked& each : evaluation.findings)
      evaluation.fixed_step_time = std::min(evaluation.fixed_step_time, evaluation.step_time - each.finding.alone);
  }
  if (auto damage = trace::damage_of(input.profile, input.scope.ranks)) return *damage;
  return evaluation;
}

std::string description(const Rule& rule) {
  std::string text(rule.about);
  if (!rule.repairs.empty()) text += fmt::format(" Differs from AWS's rule: {}", rule.repairs);
  return text;
}

std::string saving_text(const Evaluation& evaluation, const Ranked& finding) {
  if (finding.saving <= 0 || !finding.finding.cause.empty()) return {};
  return fmt::format("saves at most {}{} ({})", format_duration(finding.saving), evaluation.by_steps ? " per step" : "",
                     format_share(finding.saving_share));
}

std::string numbered_title(const Evaluation& evaluation, std::size_t finding) {
  const Ranked& ranked = evaluation.findings[finding];
  return ranked.finding.hint ? fmt::format("Note: {}", ranked.rule->title)
                             : fmt::format("{}. {}", finding + 1, ranked.rule->title);
}

std::size_t issues_in(const Evaluation& evaluation) {
  return static_cast<std::size_t>(
      std::ranges::count_if(evaluation.findings, [](const Ranked& each) { return !each.finding.hint; }));
}

std::string summary(const Evaluation& evaluation) {
  const std::string aws = evaluation.aws_reports.empty() ? "" : " " + evaluation.aws_reports;
  const auto evaluated = std::ranges::count_if(evaluation.rules, [](const Evaluated& each) {
    return each.outcome.verdict == Verdict::issues_found || each.outcome.verdict == Verdict::no_issues;
  });
  const std::size_t issues = issues_in(evaluation);
  const std::string checked = fmt::format("{} of {} rules could be evaluated.", evaluated, evaluation.rules.size());
  const std::size_t notes = evaluation.findings.size() - issues;
  const std::string count =
      counted(issues, "finding", "findings") + (notes == 0 ? "" : " and " + counted(notes, "note", "notes")) + ".";
  if (!evaluation.no_gpus.empty())
    return fmt::format("{} {}{}{}", evaluation.no_gpus, issues == 0 ? "" : count + " ", checked, aws);
  auto too_little = std::ranges::find_if(
      evaluation.rules, [](const Evaluated& each) { return each.outcome.verdict == Verdict::insufficient_data; });
  const bool replayed_none = too_little != evaluation.rules.end() && too_little->rule->name == "LateRank";
  // Without enough GPU activity, few rules can be evaluated.
  if (too_little == evaluation.rules.end()) too_little = evaluation.rules.begin();
  if ((evaluated <= 1 || replayed_none) && issues == 0 && too_little != evaluation.rules.end())
    return (too_little->outcome.verdict == Verdict::insufficient_data ? "Too little data to find issues: "
                                                                      : "No rule applies: ") +
           lower_first(too_little->outcome.why) + aws;
  if (issues > 0) {
    std::vector<std::int64_t> replayed;  // numbers
    for (std::size_t i = 0; i < issues; ++i)
      if (!evaluation.findings[i].finding.cause.empty()) replayed.push_back(static_cast<std::int64_t>(i) + 1);
    const std::string which = replayed.size() < issues ? fmt::format("finding{} {}", replayed.size() == 1 ? "" : "s",
                                                                     analysis::numbers_text(replayed))
                              : issues == 1            ? "it"
                                                       : "them";
    const std::string all =
        evaluation.fixed_step_time < evaluation.step_time
            ? fmt::format(" Without {}, {} takes {}{} instead of {}.", which,
                          evaluation.by_steps ? "a step" : "the recording", evaluation.at_best ? "at best " : "",
                          format_duration(evaluation.fixed_step_time), format_duration(evaluation.step_time))
            : "";
    return count + all + " " + checked;
  }
  // Without a finding, the account must not leave much time unexplained.
  double computing = 0;
  const AccountPart* most = nullptr;
  for (const AccountPart& part : evaluation.account) {
    if (part.label == analysis::TimeLabel::computation)
      computing = part.share;
    else if (most == nullptr || part.time > most->time)
      most = &part;
  }
  if (most != nullptr && computing < kMostlyComputing) {
    const bool bubble = evaluation.pipeline && most->label == analysis::TimeLabel::waiting;
    return fmt::format("GPUs compute for only {} of the time; the largest other part is {} ({}). {}. {}",
                       format_share(computing), most->words(), format_share(most->share),
                       bubble ? "The stages of this pipeline are balanced, but wait while it fills and drains: more "
                                "microbatches per step or an interleaved schedule shorten that"
                              : "No rule explains it",
                       checked);
  }
  return "No issue found. " + checked;
}

}  // namespace warpscope::rules
