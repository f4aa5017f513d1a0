#include "core/analysis/request/hosted_analysis.hpp"

#include <string>
#include <utility>

#include "core/analysis/request/table_stream.hpp"

namespace warpscope::analysis {

namespace {

trace::HostAnswer answer_analysis(HostedProfile& profile, store::StreamReader& content, const CancelToken& cancel) {
  auto asked = profile.read(content);
  std::string name;
  std::vector<Setting> settings;
  bool scope_note = false;
  content.fields(name, settings, scope_note);
  const Analysis* const analysis = find_analysis(name);
  if (!asked || !content.ok() || analysis == nullptr) return std::optional<std::vector<std::uint8_t>>();
  auto tables = scope_note ? run_with_scope_note(*analysis, *asked->profile, std::move(asked->scope), settings, &cancel,
                                                 asked->events.get(), *asked->shared)
                           : run_analysis(*analysis, *asked->profile, std::move(asked->scope), settings, &cancel,
                                          nullptr, asked->events.get(), asked->shared.get());
  if (!tables) return tables.error();
  store::StreamWriter answer;
  write_tables(answer, *tables);
  return std::optional(answer.bytes());
}

}  // namespace

const HostQuestionKind kAnalysisQuestion{"analysis", answer_analysis};

std::optional<Result<std::vector<Table>>> ask_for_tables(const Analysis& analysis, const trace::Profile& profile,
                                                         const Scope& scope, std::span<const Setting> settings,
                                                         const CancelToken* cancel, bool scope_note) {
  if (profile.host == nullptr) return std::nullopt;
  HostQuestion question(profile, scope);
  question.stream().fields(std::string(analysis.name), std::vector<Setting>(settings.begin(), settings.end()),
                           scope_note);
  return question.ask(kAnalysisQuestion, cancel, read_tables);
}

}  // namespace warpscope::analysis
