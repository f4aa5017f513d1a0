#include "core/rules/hosted_evaluation.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/request/table_stream.hpp"

namespace warpscope::rules {

namespace {

/// Owns the constants that an evaluation from another machine refers to.
struct Constants {
  std::deque<std::string> texts;
  std::deque<std::vector<analysis::ChartSeries>> series;

  std::string_view add(std::string_view text) { return texts.emplace_back(text); }
};

/// Writes an evaluation, or reads one into `Evaluation`, which has the custom rules already.
template <class Stream>
class EvaluationStream {
 public:
  explicit EvaluationStream(Stream& stream, Constants* constants = nullptr) : stream_(stream), constants_(constants) {}

  template <class AnyEvaluation>
  void transfer(AnyEvaluation& evaluation) {
    const std::vector<Rule>& custom = evaluation.custom->shown;
    stream_.each(evaluation.rules, [&](auto& each) {
      rule(each.rule, custom);
      stream_.fields(each.parameters);
      outcome(each.outcome);
    });
    stream_.each(evaluation.findings, [&](auto& each) {
      rule(each.rule, custom);
      finding(each.finding);
      stream_.fields(each.cost, each.saving, each.saving_low, each.saving_high, each.cost_share, each.saving_share);
    });
    stream_.each(evaluation.account, [&](auto& each) { stream_.fields(each.label, each.time, each.share); });
    stream_.fields(evaluation.window, evaluation.step_time, evaluation.fixed_step_time, evaluation.at_best,
                   evaluation.no_gpus, evaluation.aws_reports, evaluation.pipeline, evaluation.by_steps,
                   evaluation.aws);
  }

 private:
  void rule(const Rule* const& rule, const std::vector<Rule>& custom) requires(!Stream::kReads) {
    const auto own = std::ranges::find_if(custom, [&](const Rule& each) { return &each == rule; });
    stream_.number(static_cast<std::uint64_t>(own - custom.begin()));
    if (own == custom.end()) stream_.text(rule->name);
  }
  void rule(const Rule*& rule, const std::vector<Rule>& custom) requires(Stream::kReads) {
    const std::uint64_t number = stream_.number_to(custom.size());
    rule = number < custom.size() ? &custom[number] : find_rule(stream_.text());
    stream_.check(rule != nullptr);
  }

  void constant(const std::string_view& text) requires(!Stream::kReads) { stream_.text(text); }
  void constant(std::string_view& text) requires(Stream::kReads) { text = constants_->add(stream_.text()); }

  template <class Counts>
  void counts(Counts& counts) {
    if (stream_.has(counts)) stream_.fields(counts->triggered, counts->violations, counts->datapoints);
  }

  template <class AnyOutcome>
  void outcome(AnyOutcome& outcome) {
    stream_.fields(outcome.verdict, outcome.why, outcome.aws_remark, outcome.compares_share);
    stream_.each(outcome.findings, [&](auto& each) { finding(each); });
    counts(outcome.aws);
    constant(outcome.replaces);
    counts(outcome.counts);
    stream_.each(outcome.details, [&](auto& each) {
      if constexpr (Stream::kReads)
        each.table = analysis::read_table(stream_);
      else
        analysis::write_table(stream_, each.table);
      chart(each.chart);
    });
  }

  template <class Spec>
  void chart(Spec& chart) {
    constant(chart.table);
    constant(chart.title);
    constant(chart.whole);
    constant(chart.if_zero);
    stream_.fields(chart.kind, chart.x, chart.y);
    const auto one = [&](auto& each) {
      constant(each.label);
      constant(each.detail);
      stream_.fields(each.role, each.reference);
    };
    if constexpr (Stream::kReads) {
      std::vector<analysis::ChartSeries>& series = constants_->series.emplace_back();
      stream_.each(series, one);
      chart.series = series;
    } else {
      stream_.each(chart.series, one);
    }
  }

  template <class AnyFinding>
  void finding(AnyFinding& finding) {
    stream_.fields(finding.headline, finding.advice, finding.cost, finding.saving, finding.hint, finding.code,
                   finding.evidence_lines, finding.saving_low, finding.saving_high, finding.alone, finding.step_time);
    stream_.each(finding.places, [&](auto& each) { place(each); });
    auto& evidence = finding.evidence;
    stream_.fields(evidence.title, evidence.kind, evidence.form);
    stream_.each(evidence.bars, [&](auto& bar) { stream_.fields(bar.label, bar.value); });
    constant(finding.explained_by);
    auto& culprit = finding.culprit;
    stream_.fields(culprit.kind, culprit.ranks, culprit.name, culprit.host, culprit.step);
    constant(finding.cause);
  }

  template <class AnyPlace>
  void place(AnyPlace& place) {
    stream_.fields(place.text, place.time.begin, place.time.end);
    if (stream_.has(place.rank)) stream_.fields(*place.rank);
    if (stream_.has(place.device)) stream_.fields(*place.device);
    if (stream_.has(place.slice)) stream_.fields(*place.slice);
    if (stream_.has(place.weight)) stream_.fields(*place.weight);
    if (!stream_.has(place.metric)) return;
    stream_.fields(place.metric->node, place.metric->metric);
    if (stream_.has(place.metric->instance)) stream_.fields(*place.metric->instance);
  }

  Stream& stream_;
  Constants* constants_;
};

/// Writes or reads what the host must know besides the profile.
template <class Stream, class Values, class Custom, class Text, class Flag>
void transfer_options(Stream& stream, Values& settings, Custom& custom, Text& kernel_rules, Flag& aws) {
  stream.fields(settings, kernel_rules, aws);
  stream.each(custom, [&](auto& rule) {
    stream.fields(rule.name, rule.about, rule.advice, rule.metric, rule.statistic, rule.comparison, rule.threshold,
                  rule.window, rule.patience);
  });
}

trace::HostAnswer answer_findings(analysis::HostedProfile& profile, store::StreamReader& content,
                                  const CancelToken& cancel) {
  auto asked = profile.read(content);
  std::vector<analysis::Setting> settings;
  std::vector<CustomRule> custom;
  EvaluateOptions options;
  transfer_options(content, settings, custom, options.kernel_rules, options.aws);
  if (!asked || !content.ok()) return std::optional<std::vector<std::uint8_t>>();
  options.settings = settings;
  options.custom = custom;
  const auto evaluation = evaluate({.profile = *asked->profile,
                                    .scope = std::move(asked->scope),
                                    .values = {},
                                    .cancel = &cancel,
                                    .events = asked->events.get(),
                                    .shared = asked->shared.get()},
                                   options);
  if (!evaluation) return evaluation.error();
  store::StreamWriter answer;
  EvaluationStream(answer).transfer(*evaluation);
  return std::optional(answer.bytes());
}

}  // namespace

const analysis::HostQuestionKind kRulesQuestion{"rules", answer_findings};

std::optional<Result<Evaluation>> ask_for_findings(const analysis::AnalysisInput& input,
                                                   const EvaluateOptions& options) {
  if (input.profile.host == nullptr) return std::nullopt;
  analysis::HostQuestion question(input.profile, input.scope);
  const std::vector<analysis::Setting> settings(options.settings.begin(), options.settings.end());
  transfer_options(question.stream(), settings, options.custom, options.kernel_rules, options.aws);
  return question.ask(kRulesQuestion, input.cancel, [&](store::StreamReader& stream) {
    Evaluation evaluation;
    evaluation.custom = custom_rules(options.custom);
    const auto constants = std::make_shared<Constants>();
    EvaluationStream(stream, constants.get()).transfer(evaluation);
    evaluation.constants = constants;
    return evaluation;
  });
}

}  // namespace warpscope::rules
