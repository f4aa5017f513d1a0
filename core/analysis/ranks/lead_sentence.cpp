#include "core/analysis/ranks/lead_sentence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "core/analysis/ranks/lead_causes.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kLeastOfLead = 0.05;  // share of the lead, for a class or name to be listed
constexpr std::size_t kMostLeadParts = 3;
constexpr std::size_t kMostNamesOfClass = 2;

std::string signed_duration(Ns time) { return (time > 0 ? "+" : "") + format_duration(time); }

std::string_view lead_word(CauseClass cause) {
  constexpr std::array<std::string_view, kCauseClasses> kWords{"kernels",        "memory operations",   "transfers",
                                                               "host",           "launch latency",      "gaps",
                                                               "host callbacks", "time before the step"};
  return kWords[static_cast<std::size_t>(cause)];
}

bool names_matter(CauseClass cause) {
  return cause == CauseClass::kernel || cause == CauseClass::memory || cause == CauseClass::transfer ||
         cause == CauseClass::host;
}

/// " (gemm_nn +1.49 ms, softmax +0.31 ms)", or "".
std::string largest_names(const trace::Profile& profile, const JobCollectives& matches, const LeadNames& names,
                          CauseClass cause, Ns least) {
  std::vector<std::tuple<Ns, std::string>> found;  // negated excess, name
  for (const auto& [key, excess] : names.excess)
    if (key.cause == cause && excess >= least) found.emplace_back(-excess, name_of(profile, matches, key));
  const auto few = static_cast<std::ptrdiff_t>(std::min(found.size(), kMostNamesOfClass));
  std::ranges::partial_sort(found, found.begin() + few);
  std::string text;
  for (std::ptrdiff_t i = 0; i < few; ++i) {
    const auto& [excess, name] = found[static_cast<std::size_t>(i)];
    text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", name, signed_duration(-excess));
  }
  return text.empty() ? "" : text + ")";
}

/// "kernels +3.56 ms (gemm_nn +1.49 ms), host -0.2 ms": classes with a part in the lead, the largest first.
std::string lead_parts(const trace::Profile& profile, const JobCollectives& matches, const Lead& lead,
                       const LeadNames& names) {
  const auto least = static_cast<Ns>(kLeastOfLead * static_cast<double>(lead.lead));
  std::vector<std::pair<Ns, std::size_t>> parts;  // negated excess: the largest cause of the delay comes first
  for (std::size_t c = 0; c < kCauseClasses; ++c)
    if (std::abs(lead.excess[c]) > least) parts.emplace_back(-lead.excess[c], c);
  std::ranges::sort(parts);
  if (parts.size() > kMostLeadParts) parts.resize(kMostLeadParts);
  std::string text;
  for (const auto& [excess, c] : parts) {
    const auto cause = static_cast<CauseClass>(c);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", lead_word(cause), signed_duration(-excess));
    if (excess >= 0 || !names_matter(cause)) continue;
    text += largest_names(profile, matches, names, cause,
                          std::max<Ns>(1, static_cast<Ns>(2 * kLeastOfLead * static_cast<double>(-excess))));
  }
  return text;
}

/// The sentence without its cause, and whether it needs one.
std::pair<std::string, bool> arrival_text(const trace::Profile& profile, const RankComparison& comparison,
                                          const JobCollective& of, const CollectiveTiming& timing) {
  if (!timing.waits)
    return {
        "Cannot determine which rank arrived last: the clocks cannot be aligned, and ranks do not leave this "
        "collective together.",
        false};
  const JobCollectives& matches = comparison.matches();
  const auto members = matches.members_of(of);
  const auto number = [&](std::uint32_t member) { return profile.ranks[matches.event(members[member]).rank]->number; };
  const std::uint32_t before = timing.order[timing.order.size() - 2];
  std::string text = fmt::format("Rank {} arrived {} after rank {}", number(timing.last()),
                                 format_duration(timing.marginal), number(before));
  if (!comparison.symmetric(of))
    return {text + "; ranks with different roles, such as pipeline stages, wait for each other by design.", false};
  const Ns lead = timing.last_start - timing.times[timing.reference()].begin;
  if (lead < kLeastLead)
    return {text + fmt::format("; differences below {} are not explained.", format_duration(kLeastLead)), false};
  if (before != timing.reference())
    text += fmt::format(" and {} after the median rank, rank {}", format_duration(lead), number(timing.reference()));
  return {std::move(text), true};
}

}  // namespace

std::vector<std::string> lead_sentences(const AnalysisInput& input, const RankComparison& comparison,
                                        ClockChoice choice) {
  const JobCollectives& matches = comparison.matches();
  std::vector<std::string> sentences(matches.collectives.size());
  std::vector<std::pair<Ns, std::uint32_t>> explained;  // negated wait time, collective
  for (std::uint32_t c = 0; c < sentences.size() && !cancelled(input.cancel); ++c) {
    const CollectiveTiming timing = comparison.timing(matches.collectives[c], choice);
    auto [text, needs_cause] = arrival_text(input.profile, comparison, matches.collectives[c], timing);
    sentences[c] = std::move(text);
    if (needs_cause) explained.emplace_back(-timing.waited, c);
  }
  if (explained.empty()) return sentences;
  std::ranges::sort(explained);
  const LeadFinder finder(input, comparison, choice);
  std::size_t budget = 1'000'000;
  for (const std::uint32_t r : matches.compared) budget += finder.forest().runs().of(r).runs().size();
  for (const auto& [wait, c] : explained) {
    if (cancelled(input.cancel)) break;
    const Lead lead = finder.lead_of(c);
    LeadNames names;
    if (budget > 0) names = finder.names_of(lead, budget);
    budget -= std::min(budget, names.parts);
    const std::string parts = lead_parts(input.profile, matches, lead, names);
    sentences[c] += parts.empty() ? "." : fmt::format(": {}.", parts);
  }
  return sentences;
}

}  // namespace warpscope::analysis
