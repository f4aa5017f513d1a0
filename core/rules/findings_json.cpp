// Writes an evaluation as JSON records.
#include <fmt/format.h>

#include <optional>
#include <string>

#include "core/base/ascii.hpp"
#include "core/base/json_writer.hpp"
#include "core/base/table_writers.hpp"
#include "core/rules/registry.hpp"

namespace warpscope::rules {

namespace {

/// Writes null for nullopt.
template <class T>
void write_optional(JsonWriter& json, std::string_view name, const std::optional<T>& item) {
  json.key(name);
  if (item)
    json.value(*item);
  else
    json.value(nullptr);
}

void write_culprit(JsonWriter& json, const Culprit& culprit) {
  json.begin_object(JsonWriter::Layout::one_line);
  json.member("kind", word_at(analysis::kCulpritWords, culprit.kind));
  json.key("ranks");
  json.begin_array(JsonWriter::Layout::one_line);
  for (const std::int64_t rank : culprit.ranks) json.value(rank);
  json.end_array();
  for (const auto& [kind, key] : {std::pair(CulpritKind::node, "node"), std::pair(CulpritKind::stage, "stage"),
                                  std::pair(CulpritKind::group, "group")})
    write_optional(json, key, culprit.kind == kind ? std::optional(culprit.name) : std::nullopt);
  write_optional(json, "step", culprit.step.empty() ? std::nullopt : std::optional(culprit.step));
  json.end_object();
}

void write_place(JsonWriter& json, const Place& place, const trace::Profile& profile) {
  json.begin_object(JsonWriter::Layout::one_line);
  json.member("place", place.text);
  write_optional(json, "rank", place.rank ? std::optional(profile.ranks[*place.rank]->number) : std::nullopt);
  write_optional(json, "device", place.device);
  json.member("start_ns", saturating_difference(place.time.begin, profile.span.begin));
  json.member("duration_ns", place.time.length());
  json.end_object();
}

void write_finding(JsonWriter& json, const Ranked& ranked, const trace::Profile& profile) {
  const Finding& finding = ranked.finding;
  json.begin_object();
  json.member("rule", ranked.rule->name);
  json.member("headline", finding.headline);
  json.key("culprit");
  write_culprit(json, finding.culprit);
  json.member("cause", finding.cause);
  json.member("hint", finding.hint);
  const bool replayed = !finding.cause.empty();
  json.member("replayed", replayed);
  json.member("saving_per_step_ns", ranked.saving);
  json.member("saving_share", ranked.saving_share);
  json.member("saving_low_ns", replayed ? ranked.saving_low : Ns{0});
  json.member("saving_high_ns", replayed ? ranked.saving_high : ranked.saving);
  write_optional(json, "cumulative_step_ns", replayed ? std::optional(finding.step_time) : std::nullopt);
  json.member("cost_per_step_ns", ranked.cost);
  json.key("evidence");
  json.begin_array();
  for (const std::string& line : finding.evidence_lines) json.value(line);
  json.end_array();
  json.member("action", finding.advice);
  json.member("code", finding.code);
  json.key("places");
  json.begin_array();
  for (const Place& place : finding.places) write_place(json, place, profile);
  json.end_array();
  json.end_object();
}

}  // namespace

void write_findings(JsonWriter& json, const Evaluation& evaluation, const trace::Profile& profile) {
  json.member("summary", summary(evaluation));
  json.key("window");
  json.begin_object(JsonWriter::Layout::one_line);
  json.member("text", evaluation.window);
  json.member("by_steps", evaluation.by_steps);
  json.member("step_ns", evaluation.step_time);
  json.member("fixed_step_ns", evaluation.fixed_step_time);
  json.end_object();
  json.key("account");
  json.begin_array();
  for (const AccountPart& part : evaluation.account) {
    json.begin_object(JsonWriter::Layout::one_line);
    json.member("label", analysis::words_of(part.label).name);
    json.member("time_ns", part.time);
    json.member("share", part.share);
    json.end_object();
  }
  json.end_array();
  json.key("findings");
  json.begin_array();
  for (const Ranked& ranked : evaluation.findings) write_finding(json, ranked, profile);
  json.end_array();
  json.key(kRulesTable);
  write_records(json, rules_table(evaluation));
  if (const auto aws = aws_table(evaluation, profile)) {
    json.key(as_identifier(aws->id));
    write_records(json, *aws);
  }
  for (const Evaluated& rule : evaluation.rules)
    for (const Detail& detail : rule.outcome.details) {
      json.key(as_identifier(fmt::format("{}-{}", lower(rule.rule->name), detail.table.id)));
      write_records(json, detail.table);
    }
}

void write_findings_json(std::string& out, const Evaluation& evaluation, const trace::Profile& profile) {
  JsonWriter json(out);
  json.begin_object();
  json.member("schema", 2);
  write_findings(json, evaluation, profile);
  json.end_object();
}

}  // namespace warpscope::rules
