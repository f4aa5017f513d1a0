#include "core/analysis/ranks/cause_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/analysis/ranks/medians.hpp"
#include "core/base/format.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::size_t kPeers = 15;
constexpr double kLeastRatio = 1.03;
constexpr double kUniform = 0.7;  // share of the time in kernels of one ratio
constexpr double kWithin = 0.07;
constexpr double kMostly = 0.5;  // a cause is named after its first name if that name has at least this share
constexpr double kMoreData = 1.05;
constexpr double kMuchLonger = 1.1;  // of a single kernel: its mean varies by some percent

struct Mean {
  Ns time = 0;
  std::uint64_t count = 0;
  [[nodiscard]] double value() const { return static_cast<double>(time) / static_cast<double>(count); }
};

std::unordered_map<NameId, Mean> means_of(const RunForest& forest, std::uint32_t rank, RunKind kind) {
  std::unordered_map<NameId, Mean> means;
  for (const RankRun& run : forest.runs_of(rank).runs()) {
    if (run.kind != kind) continue;
    Mean& mean = means[run.name];
    mean.time += run.time.length();
    ++mean.count;
  }
  return means;
}

/// Returns the other ranks with the same role, or all other ranks if there are none; at most kPeers.
std::vector<std::uint32_t> peers_of(const RankComparison& comparison, std::uint32_t rank) {
  std::vector<std::uint32_t> peers;
  std::vector<std::uint32_t> others;
  for (const std::uint32_t r : comparison.matches().compared) {
    if (r == rank || comparison.matches().ranks[r].matched == 0) continue;
    (comparison.role_of(r) == comparison.role_of(rank) ? peers : others).push_back(r);
  }
  std::vector<std::uint32_t>& chosen = peers.empty() ? others : peers;
  const std::size_t stride = (chosen.size() + kPeers - 1) / kPeers;
  std::vector<std::uint32_t> few;
  for (std::size_t i = 0; stride > 0 && i < chosen.size(); i += stride) few.push_back(chosen[i]);
  return few;
}

/// True if the rank receives more all-to-all data than its peers, for example due to uneven expert routing.
bool gets_more_data(const RankComparison& comparison, std::uint32_t rank) {
  const JobEvents& job = comparison.matches().job;
  const auto data_of = [&](std::uint32_t r) {
    double sum = 0;
    for (std::uint32_t e = job.first[r]; e < job.first[r + 1]; ++e) {
      const CommunicationEvent& event = job.events[e];
      if (event.signature == kNoIndex || event.out_elements < 0) continue;
      if (job.signatures[event.signature].kind == CollectiveKind::all_to_all)
        sum += static_cast<double>(event.out_elements);
    }
    return sum;
  };
  std::vector<double> others;
  for (const std::uint32_t peer : peers_of(comparison, rank)) others.push_back(data_of(peer));
  return !others.empty() && data_of(rank) > kMoreData * median_of(others) && median_of(others) > 0;
}

std::string times(double ratio) { return ratio >= kLeastRatio ? fmt::format(" ×{:.2f}", ratio) : ""; }

}  // namespace

KernelRatios ratios_of(const RankComparison& comparison, const RunForest& forest, std::uint32_t rank, RunKind kind) {
  const auto own = means_of(forest, rank, kind);
  std::unordered_map<NameId, std::vector<double>> theirs;
  for (const std::uint32_t peer : peers_of(comparison, rank))
    for (const auto& [name, mean] : means_of(forest, peer, kind)) theirs[name].push_back(mean.value());
  KernelRatios ratios;
  std::vector<std::pair<double, double>> weighted;  // ratio, time
  double total = 0;
  for (const auto& [name, mean] : own) {
    const auto others = theirs.find(name);
    if (others == theirs.end()) continue;
    const double usual = median_of(others->second);
    if (usual <= 0) continue;
    const double ratio = mean.value() / usual;
    ratios.of_name[name] = ratio;
    weighted.emplace_back(ratio, static_cast<double>(mean.time));
    total += static_cast<double>(mean.time);
  }
  if (total <= 0) return ratios;
  std::ranges::sort(weighted);
  double below = 0;
  for (const auto& [ratio, time] : weighted) {
    below += time;
    ratios.all = ratio;
    if (2 * below >= total) break;
  }
  double uniform = 0;
  for (const auto& [ratio, time] : weighted)
    if (std::abs(ratio - ratios.all) <= kWithin * ratios.all) uniform += time;
  ratios.uniform = uniform / total;
  return ratios;
}

bool takes_longer(const RankComparison& comparison, const RunForest& forest, const Blame& blame) {
  const RunKind kind = blame.cause == CauseClass::memory ? RunKind::memory : RunKind::kernel;
  const KernelRatios ratios = ratios_of(comparison, forest, blame.rank, kind);
  if (ratios.all >= kLeastRatio && ratios.uniform >= kUniform) return true;
  if (blame.names.empty()) return false;
  const auto first = ratios.of_name.find(blame.names.front().key.name);
  return first == ratios.of_name.end() || first->second >= kMuchLonger;
}

std::string words_of(const trace::Profile& profile, const RankComparison& comparison, const RunForest& forest,
                     const Blame& blame) {
  if (blame.names.empty() || blame.lost <= 0) return std::string(to_string(blame.cause));
  const NamedBlame& first = blame.names.front();
  const std::string name = name_of(profile, comparison.matches(), first.key);
  const bool mostly = first.lost >= kMostly * blame.lost;
  const auto in_step = [&]() -> std::string {
    if (first.where == kNoIndex) return "";
    const std::string_view step = comparison.step_of(comparison.matches().collectives[first.where]);
    return step.empty() ? "" : fmt::format(" in {}", step);
  };
  switch (blame.cause) {
    case CauseClass::kernel:
    case CauseClass::memory: {
      const bool kernels = blame.cause == CauseClass::kernel;
      const KernelRatios ratios =
          ratios_of(comparison, forest, blame.rank, kernels ? RunKind::kernel : RunKind::memory);
      if (blame.names.size() > 1 && ratios.all >= kLeastRatio && ratios.uniform >= kUniform)
        return fmt::format("all {}{}", kernels ? "kernels" : "memory operations", times(ratios.all));
      const auto ratio = ratios.of_name.find(first.key.name);
      std::string text = name.empty() ? std::string(kernels ? "kernels" : "memory operations") : name;
      if (ratio != ratios.of_name.end()) text += times(ratio->second);
      if (!mostly) text = fmt::format("{}, mostly {}", kernels ? "kernels" : "memory operations", text);
      if (kernels && gets_more_data(comparison, blame.rank))
        text += " (imbalance: it receives more all-to-all data than other ranks and may not be slow itself)";
      return text;
    }
    case CauseClass::host:
      if (first.key.cause == CauseClass::launch) return "GPU activity starts long after its launch" + in_step();
      if (mostly)
        return fmt::format("{} takes {}{} longer{}", first.key.name == 0 ? "the host (no recorded call)" : name,
                           in_step().empty() ? "up to " : "", format_duration(first.most), in_step());
      return fmt::format("the host launches work late, mostly {} ({} longer{})",
                         first.key.name == 0 ? "outside recorded calls" : "in " + name, format_duration(first.most),
                         in_step());
    case CauseClass::transfer:
      return fmt::format("{} transfers take longer", name.empty() ? "collective" : name);
    case CauseClass::gap:
      return "gaps between GPU activities";
    case CauseClass::launch:
      return "GPU activity starts long after its launch";
    case CauseClass::before:
      return "starts the step late (cause not recorded)";
  }
  return "";
}

}  // namespace warpscope::analysis
