#include "core/analysis/ranks/lead_sentence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kLeastOfLead = 0.05;  // share of the lead, for a class or name to be listed
constexpr std::size_t kMostLeadParts = 3;
constexpr std::size_t kMostNamesOfClass = 2;

std::string signed_duration(Ns time) { return (time > 0 ? "+" : "") + format_duration(time); }

std::string_view lead_word(CauseClass cause) {
  constexpr std::array<std::string_view, kCauseClasses> kWords{
      "kernels", "memory operations", "transfers", "host", "launch latency", "gaps", "time before the step"};
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

/// Returns " (all kernels ×1.30)" if that makes the rank stand out, else "".
std::string ratio_of(const BlameSum& sum, std::uint32_t rank, CauseClass cause) {
  if (cause != CauseClass::kernel && cause != CauseClass::memory) return "";
  const auto blame = std::ranges::find_if(
      sum.causes, [&](const Blame& each) { return each.rank == rank && each.cause == cause && each.stands_out; });
  return blame == sum.causes.end() ? "" : fmt::format(" ({})", blame->words);
}

/// "kernels +3.56 ms (gemm_nn +1.49 ms), host -0.2 ms": classes with a part in the lead, the largest first.
std::string lead_parts(const trace::Profile& profile, const JobCollectives& matches, const BlameSum& sum,
                       std::uint32_t index) {
  const Lead& lead = sum.leads[index];
  const LeadNames& names = sum.names[index];
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
    const std::string ratio = ratio_of(sum, lead.late, cause);
    text += !ratio.empty()
                ? ratio
                : largest_names(profile, matches, names, cause,
                                std::max<Ns>(1, static_cast<Ns>(2 * kLeastOfLead * static_cast<double>(-excess))));
  }
  return text;
}

}  // namespace

std::string lead_sentence(const trace::Profile& profile, const LateExplanation& explanation, std::uint32_t collective,
                          ClockChoice choice) {
  const RankComparison& comparison = *explanation.comparison;
  const JobCollectives& matches = comparison.matches();
  const JobCollective& of = matches.collectives[collective];
  const CollectiveTiming timing = comparison.timing(of, choice);
  if (!timing.waits)
    return "Cannot determine which rank arrived last: the clocks cannot be aligned, and ranks do not leave this "
           "collective together.";
  const auto members = matches.members_of(of);
  const auto number = [&](std::uint32_t member) { return profile.ranks[matches.event(members[member]).rank]->number; };
  const std::uint32_t before = timing.order[timing.order.size() - 2];
  std::string text = fmt::format("Rank {} arrived {} after rank {}", number(timing.last()),
                                 format_duration(timing.marginal), number(before));
  const std::uint32_t index = explanation.lead_of[collective];
  if (index == kNoIndex) {
    const bool roles = !comparison.symmetric(of);
    return text + (roles ? "; ranks with different roles, such as pipeline stages, wait for each other by design."
                         : fmt::format("; differences below {} are not explained.", format_duration(kLeastLead)));
  }
  const Lead& lead = explanation.sum.leads[index];
  if (before != timing.reference())
    text +=
        fmt::format(" and {} after the median rank, rank {}", format_duration(lead.lead), number(timing.reference()));
  const std::string parts = lead_parts(profile, matches, explanation.sum, index);
  return parts.empty() ? text + "." : fmt::format("{}: {}.", text, parts);
}

}  // namespace warpscope::analysis
