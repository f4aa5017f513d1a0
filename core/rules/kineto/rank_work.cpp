#include "core/rules/kineto/rank_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/base/counted.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::rules {

namespace {

constexpr double kRegularly = 0.1;    // of the collectives of a rank
constexpr double kNearlyAll = 0.8;    // of the compute time
constexpr double kSameKernels = 0.5;  // of the compute time
constexpr double kAsOften = 0.02;     // difference in the number of kernels

/// Name of a step, and the number of earlier steps with the same name.
using ComparedStep = std::pair<NameId, std::size_t>;

/// Returns the step of each part of the evaluated time.
std::vector<ComparedStep> steps_of_parts(Facts& facts, const GpuWindow& gpu) {
  std::unordered_map<Ns, NameId> by_end;
  for (const trace::Step& step : facts.profile().ranks[gpu.rank]->steps) by_end.emplace(step.time.end, step.name);
  std::map<NameId, std::size_t> seen;
  std::vector<ComparedStep> steps;
  for (const Interval& part : gpu.parts) {
    const auto found = by_end.find(part.end);
    const NameId name = found == by_end.end() ? 0 : found->second;
    steps.emplace_back(name, seen[name]++);
  }
  return steps;
}

/// Returns the role of each rank, by index: the lowest rank that regular collectives connect it to.
std::vector<std::uint32_t> roles_of_ranks(Facts& facts) {
  std::vector<std::uint32_t> roles(facts.profile().ranks.size());
  const analysis::CollectiveMatches& matches = facts.collectives();
  if (matches.collectives.empty()) {
    if (matches.unmatched.point_to_point > 0) std::iota(roles.begin(), roles.end(), 0U);
    return roles;
  }
  std::iota(roles.begin(), roles.end(), 0U);
  std::map<std::vector<std::uint32_t>, std::size_t> groups;
  std::vector<std::size_t> collectives(roles.size());
  for (const analysis::MatchedCollective& collective : matches.collectives) {
    std::vector<std::uint32_t> members;
    for (const auto& member : collective.members) {
      members.push_back(member.rank);
      ++collectives[member.rank];
    }
    std::ranges::sort(members);
    ++groups[members];
  }
  const auto root_of = [&](std::uint32_t rank) {
    while (roles[rank] != rank) rank = roles[rank] = roles[roles[rank]];
    return rank;
  };
  for (const auto& [members, count] : groups) {
    std::size_t most = 0;
    for (const std::uint32_t member : members) most = std::max(most, collectives[member]);
    if (static_cast<double>(count) < kRegularly * static_cast<double>(most)) continue;
    for (const std::uint32_t member : members) {
      const std::uint32_t one = root_of(members.front());
      const std::uint32_t other = root_of(member);
      roles[std::max(one, other)] = std::min(one, other);
    }
  }
  for (std::uint32_t rank = 0; rank < roles.size(); ++rank) roles[rank] = root_of(rank);
  return roles;
}

Ns compute_time(Facts& facts, const GpuWindow& gpu, const std::vector<Interval>& parts) {
  const auto rows = facts.rows(gpu.rank);
  const auto compute = analysis::union_of(*rows, [&](const analysis::GpuRow& row) {
    return row.device == gpu.device && row.kind == analysis::KernelClass::computation;
  });
  return analysis::common_length(parts, compute);
}

struct KernelSum {
  double time = 0;  // ns per step
  double count = 0;
  [[nodiscard]] double mean() const { return count > 0 ? time / count : 0; }
};

/// Returns the compute kernels by name id, per step.
std::map<NameId, KernelSum> kernels_of_work(Facts& facts, const GpuWork& work) {
  const GpuWindow& gpu = facts.gpus()[work.gpu];
  const double each = 1 / static_cast<double>(work.steps);
  std::map<NameId, KernelSum> sums;
  const auto rows = facts.rows(gpu.rank);
  PartsWalk parts(work.parts);
  for (const analysis::GpuRow& row : *rows) {
    if (row.device != gpu.device || row.kind != analysis::KernelClass::computation) continue;
    if (!parts.contains(row.time.begin)) continue;
    KernelSum& sum = sums[row.name];
    sum.time += each * static_cast<double>(row.time.length());
    sum.count += each;
  }
  return sums;
}

}  // namespace

RankWork rank_work(Facts& facts) {
  RankWork work;
  const trace::CoveredTime covered(facts.profile());
  const std::vector<std::uint32_t> roles = roles_of_ranks(facts);
  std::map<ComparedStep, std::size_t> having;  // number of GPUs
  std::vector<std::vector<ComparedStep>> steps;
  for (std::size_t g = 0; g < facts.gpus().size(); ++g) {
    const GpuWindow& gpu = facts.gpus()[g];
    if (covered.find(gpu.rank) != nullptr) {
      if (work.partial.empty() || work.partial.back() != gpu.rank) work.partial.push_back(gpu.rank);
      continue;
    }
    work.gpus.push_back({g, roles[gpu.rank], {}, 1, 0});
    steps.push_back(facts.by_steps() ? steps_of_parts(facts, gpu) : std::vector<ComparedStep>());
    for (const ComparedStep& step : steps.back()) ++having[step];
  }
  for (std::size_t i = 0; i < work.gpus.size() && !facts.cancelled(); ++i) {
    GpuWork& own = work.gpus[i];
    const GpuWindow& gpu = facts.gpus()[own.gpu];
    for (std::size_t s = 0; s < steps[i].size(); ++s)
      if (having[steps[i][s]] == work.gpus.size()) own.parts.push_back(gpu.parts[s]);
    own.steps = own.parts.size();
    if (own.parts.empty()) {  // no steps, or none in common
      own.parts = gpu.parts;
      own.steps = std::max<std::size_t>(1, gpu.steps);
    }
    own.compute = compute_time(facts, gpu, own.parts) / static_cast<Ns>(own.steps);
  }
  return work;
}

WorkComparison compare_work(Facts& facts, const GpuWork& more, const GpuWork& usual) {
  const std::map<NameId, KernelSum> own = kernels_of_work(facts, more);
  const std::map<NameId, KernelSum> others = kernels_of_work(facts, usual);
  double all = 0;
  double all_others = 0;
  double shared = 0;
  double shared_others = 0;
  for (const auto& [name, sum] : others) all_others += sum.time;
  for (const auto& [name, sum] : own) all += sum.time;
  WorkComparison comparison;
  double most = 0;
  double slower = 0;  // time of kernels that take longer
  // A kernel counts as slower if its slowdown is at least half of the total slowdown.
  const double ratio = all_others > 0 ? 1 + (all / all_others - 1) / 2 : 1;
  for (const auto& [name, sum] : own) {
    const auto found = others.find(name);
    const KernelSum other = found == others.end() ? KernelSum() : found->second;
    if (sum.time - other.time > most) {
      most = sum.time - other.time;
      comparison.most = name;
    }
    if (other.count <= 0) {
      comparison.only_here += static_cast<Ns>(sum.time);
      continue;
    }
    shared += sum.time;
    shared_others += other.time;
    const bool as_often = std::abs(sum.count - other.count) <= kAsOften * other.count;
    if (as_often && sum.mean() >= ratio * other.mean()) slower += sum.time;
  }
  if (shared < kSameKernels * all || shared_others < kSameKernels * all_others)
    comparison.kind = WorkDifference::other_work;
  else if (slower >= kNearlyAll * all)
    comparison.kind = WorkDifference::slower_gpu;
  return comparison;
}

std::string partial_words(Facts& facts, const std::vector<std::uint32_t>& partial) {
  if (partial.empty()) return "";
  if (partial.size() == 1)
    return fmt::format(" Rank {} is excluded because its trace ends early.",
                       facts.profile().ranks[partial.front()]->number);
  return fmt::format(" {} are excluded because their traces end early.", counted(partial.size(), "rank", "ranks"));
}

}  // namespace warpscope::rules
