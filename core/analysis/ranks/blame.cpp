#include "core/analysis/ranks/blame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/analysis/ranks/cause_sentences.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/format.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kLeastOfWaits = 0.05;  // minimum share of all waits, for a cause to stand out
constexpr double kLeastOfTime = 0.02;   // share of the GPU time of all ranks
constexpr double kOverOthers = 3;       // times the mean of the other ranks
constexpr double kLeastOfRank = 0.2;    // share of the rank's cost; smaller causes may be effects of its other causes
constexpr double kOneStep = 0.8;        // share of a cause that must come from one step to make it a single event
constexpr double kLeastEvent = 0.05;    // share of the GPU time that such an event must cost

/// Launch latency counts as host time, because both mean that the host was late.
CauseClass charged_class(CauseClass cause) { return cause == CauseClass::launch ? CauseClass::host : cause; }

struct Waiting {
  std::uint32_t lead = 0;  // index
  Ns waited = 0;
};

bool happened_on_gpu(const Blame& blame) {
  return blame.cause == CauseClass::kernel || blame.cause == CauseClass::memory;
}

class BlameSummer {
 public:
  BlameSummer(const AnalysisInput& input, const RankComparison& comparison, const LeadFinder& finder,
              ClockChoice choice)
      : input_(input), comparison_(comparison), matches_(comparison.matches()), finder_(finder), choice_(choice) {}

  BlameSum sum() {
    collect();
    std::ranges::stable_sort(waits_, std::greater(), &Waiting::waited);
    sum_.names.resize(sum_.leads.size());
    std::size_t budget = 1'000'000;
    for (const std::uint32_t r : matches_.compared) budget += finder_.forest().runs_of(r).runs().size();
    for (const Waiting& waiting : waits_) {
      if (cancelled(input_.cancel)) break;
      const Lead& lead = sum_.leads[waiting.lead];
      LeadNames& names = sum_.names[waiting.lead];
      if (budget > 0) {
        names = finder_.names_of(lead, budget);
        budget -= std::min(budget, names.parts);
      } else {
        ++sum_.unnamed;
      }
      charge(lead, names, static_cast<double>(waiting.waited));
    }
    finish();
    return std::move(sum_);
  }

 private:
  void collect() {
    for (std::uint32_t c = 0; c < matches_.collectives.size(); ++c) {
      const JobCollective& collective = matches_.collectives[c];
      if (c % 1024 == 0 && cancelled(input_.cancel)) return;
      if (!comparison_.in_scope(collective, input_.scope)) continue;
      if (!comparison_.symmetric(collective)) {
        ++sum_.asymmetric;
        continue;
      }
      const CollectiveTiming timing = comparison_.timing(collective, choice_);
      if (!timing.waits) continue;
      if (timing.last_start - timing.times[timing.reference()].begin < kLeastLead) {
        sum_.small = saturating_add(sum_.small, timing.waited);
        continue;
      }
      waits_.push_back({static_cast<std::uint32_t>(sum_.leads.size()), timing.waited});
      sum_.leads.push_back(finder_.lead_of(c));
      sum_.waited = saturating_add(sum_.waited, timing.waited);
    }
  }

  void charge(const Lead& lead, const LeadNames& names, double waited) {
    std::array<Ns, kCauseClasses> classes{};
    for (std::size_t c = 0; c < kCauseClasses; ++c)
      classes[static_cast<std::size_t>(charged_class(static_cast<CauseClass>(c)))] += lead.excess[c];
    double positive = 0;
    for (const Ns excess : classes) positive += static_cast<double>(std::max<Ns>(0, excess));
    if (positive <= 0) return;
    for (std::size_t c = 0; c < kCauseClasses; ++c)
      if (classes[c] > 0)
        charge_names(lead, names, static_cast<CauseClass>(c), waited * static_cast<double>(classes[c]) / positive);
  }

  void charge_names(const Lead& lead, const LeadNames& names, CauseClass cause, double lost) {
    double positive = 0;
    for (const auto& [key, excess] : names.excess)
      if (charged_class(key.cause) == cause && excess > 0) positive += static_cast<double>(excess);
    if (positive <= 0) {
      add({cause, 0, kNoIndex, lead.late}, lost, 0, lead.collective);
      return;
    }
    for (const auto& [key, excess] : names.excess) {
      if (charged_class(key.cause) != cause || excess <= 0) continue;
      const double part = lost * static_cast<double>(excess) / positive;
      // The path of the late rank may cross several ranks.
      double total = 0;
      const auto on_ranks = [&](auto visit) {
        for (auto own = names.late.lower_bound({key.cause, key.name, key.signature, 0});
             own != names.late.end() && own->first.cause == key.cause && own->first.name == key.name &&
             own->first.signature == key.signature;
             ++own)
          visit(own->first, static_cast<double>(own->second));
      };
      on_ranks([&](const CauseKey&, double time) { total += time; });
      if (total <= 0) {
        add({key.cause, key.name, key.signature, lead.late}, part, excess, lead.collective);
        continue;
      }
      on_ranks([&](const CauseKey& own, double time) { add(own, part * time / total, excess, lead.collective); });
    }
  }

  void add(const CauseKey& key, double lost, Ns excess, std::uint32_t collective) {
    NamedBlame& named = named_[key];
    named.key = key;
    named.lost += lost;
    by_step_[{key.rank, charged_class(key.cause)}][comparison_.step_of(matches_.collectives[collective])] += lost;
    if (named.where != kNoIndex && excess <= named.most) return;
    named.most = excess;
    named.where = collective;
  }

  void finish() {
    std::map<std::pair<std::uint32_t, CauseClass>, Blame> causes;
    std::map<CauseClass, double> of_class;
    // Sort by name, because name ids differ between loads.
    std::vector<const NamedBlame*> ordered;
    for (const auto& [key, named] : named_) ordered.push_back(&named);
    std::ranges::stable_sort(ordered, {}, [&](const NamedBlame* named) {
      return std::tuple(named->key.rank, named->key.cause, input_.profile.names().view(named->key.name),
                        named->key.signature);
    });
    for (const NamedBlame* const named : ordered) {
      const CauseKey& key = named->key;
      const CauseClass cause = charged_class(key.cause);
      Blame& blame = causes[{key.rank, cause}];
      blame.rank = key.rank;
      blame.cause = cause;
      blame.lost += named->lost;
      of_class[cause] += named->lost;
      blame.names.push_back(*named);
    }
    std::size_t ranks = 0;
    std::map<std::uint32_t, Ns> time_of_role;  // GPU time
    for (const std::uint32_t r : matches_.compared) {
      if (matches_.ranks[r].matched == 0) continue;
      ++ranks;
      Interval span = input_.profile.ranks[r]->span;
      if (input_.scope.range)
        span = {std::max(span.begin, input_.scope.range->begin), std::min(span.end, input_.scope.range->end)};
      Ns& time = time_of_role[comparison_.role_of(r)];
      time = saturating_add(time, std::max<Ns>(0, span.length()));
    }
    for (const auto& [what, lost_in] : by_step_)
      for (const auto& [step, lost] : lost_in) sum_.by_step[{step, what.first}] += lost;
    std::map<std::uint32_t, double> of_rank;
    std::set<std::string_view> steps;
    for (const auto& [what, blame] : causes) of_rank[blame.rank] += blame.lost;
    for (const Lead& lead : sum_.leads) steps.insert(comparison_.step_of(matches_.collectives[lead.collective]));
    for (auto& [what, blame] : causes) {
      std::ranges::stable_sort(blame.names, std::greater(), &NamedBlame::lost);
      const double others = ranks > 1 ? (of_class[blame.cause] - blame.lost) / static_cast<double>(ranks - 1) : 0;
      double in_one_step = 0;
      for (const auto& [step, lost] : by_step_[what]) in_one_step = std::max(in_one_step, lost);
      const bool event = steps.size() > 2 && in_one_step > kOneStep * blame.lost;
      const Ns time = time_of_role[comparison_.role_of(blame.rank)];
      blame.stands_out = blame.cause != CauseClass::gap &&
                         blame.lost >= kLeastOfWaits * static_cast<double>(sum_.waited) &&
                         blame.lost >= (event ? kLeastEvent : kLeastOfTime) * static_cast<double>(time) &&
                         blame.lost >= kLeastOfRank * of_rank[blame.rank] && blame.lost > kOverOthers * others &&
                         (event || !happened_on_gpu(blame) || takes_longer(comparison_, finder_.forest(), blame));
      sum_.causes.push_back(std::move(blame));
    }
    std::ranges::stable_sort(sum_.causes, std::greater(), &Blame::lost);
    for (Blame& blame : sum_.causes) {
      blame.words = words_of(input_.profile, comparison_, finder_.forest(), blame);
      blame.sentence = fmt::format("rank {}: {}", input_.profile.ranks[blame.rank]->number, blame.words);
    }
  }

  const AnalysisInput& input_;
  const RankComparison& comparison_;
  const JobCollectives& matches_;
  const LeadFinder& finder_;
  ClockChoice choice_;
  BlameSum sum_;
  std::vector<Waiting> waits_;
  std::map<CauseKey, NamedBlame> named_;
  std::map<std::pair<std::uint32_t, CauseClass>, std::map<std::string_view, double>> by_step_;  // time lost
};

}  // namespace

BlameSum sum_blame(const AnalysisInput& input, const RankComparison& comparison, const LeadFinder& finder,
                   ClockChoice choice) {
  return BlameSummer(input, comparison, finder, choice).sum();
}

std::string name_of(const trace::Profile& profile, const JobCollectives& matches, const CauseKey& key) {
  switch (key.cause) {
    case CauseClass::kernel:
    case CauseClass::memory:
      return key.name == 0 ? "" : trace::kernel_label(profile.names().view(key.name));
    case CauseClass::transfer:
      if (key.signature != kNoIndex) return std::string(to_string(matches.job.signatures[key.signature].kind));
      return key.name == 0 ? "" : trace::kernel_label(profile.names().view(key.name));
    case CauseClass::host:
      return key.name == 0 ? "no recorded call" : std::string(profile.names().view(key.name));
    case CauseClass::launch:
      return "launch latency";
    case CauseClass::gap:
      return "gaps between GPU activities";
    case CauseClass::before:
      return "before the step";
  }
  return "";
}

std::string conclusion(const BlameSum& sum) {
  constexpr std::size_t kMost = 3;
  if (sum.leads.empty())
    return sum.small > 0
               ? "No rank is late: the last rank enters each collective less than 20 µs after the median rank."
               : "";
  std::string text;
  std::size_t count = 0;
  for (const Blame& blame : sum.causes) {
    if (!blame.stands_out || ++count > kMost) continue;
    std::string sentence = blame.sentence;
    sentence.front() = 'R';
    text += fmt::format("{}{}; other ranks spend {} in total waiting for it ({} of all wait time).",
                        text.empty() ? "" : " ", sentence, format_duration(std::llround(blame.lost)),
                        format_share(blame.lost / static_cast<double>(std::max<Ns>(1, sum.waited))));
  }
  if (count > kMost) text += fmt::format(" More causes that stand out: {}.", count - kMost);
  if (text.empty())
    return fmt::format("No rank stands out: the {} of wait time comes from many small causes on many ranks.",
                       format_duration(sum.waited));
  return text;
}

}  // namespace warpscope::analysis
