#include "core/analysis/ranks/clock_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "core/analysis/ranks/clock_solver.hpp"
#include "core/analysis/ranks/medians.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::size_t kMostEntries = 60'000;  // beyond this, entries are combined by medians
constexpr std::uint64_t kLeastCollectives = 3;
constexpr double kMostViolations = 0.01;
constexpr double kMostResidual = 0.1;    // of the median collective
constexpr double kLeastResidual = 5000;  // ns; below this, clocks are accurate enough for any collective
constexpr double kOtherJob = 5e6;        // ns; ends within one job agree within 3 ms in the worst case
constexpr Ns kLeastDriftSpan = 300'000'000;
constexpr std::size_t kLeastDriftClusters = 16;
constexpr int kBlocks = 8;
constexpr double kLeastDriftEffect = 5000;  // ns

class Fitter {
 public:
  explicit Fitter(const JobCollectives& matches) : matches_(matches) { fit_.ranks.resize(matches.ranks.size()); }

  ClockFit fit() {
    if (!connect()) return std::move(fit_);
    build();
    offsets_ = solve_robustly(equations_, ClockSolution(equations_.ranks), 30);
    fit_drift();
    store();
    judge();
    return std::move(fit_);
  }

  /// Returns ranks whose runs do not end at the same time as on other ranks, each with the median difference.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, double>> strangers() {
    std::vector<std::pair<std::uint32_t, double>> found;
    for (std::uint32_t r = 0; r < own_residuals_.size(); ++r)
      if (!own_residuals_[r].empty())
        if (const double middle = median_of(own_residuals_[r]); middle > kOtherJob) found.emplace_back(r, middle);
    return found;
  }

 private:
  [[nodiscard]] bool counts(const JobCollective& collective) const {
    return leaves_together(matches_.signature(collective).kind);
  }
  [[nodiscard]] const CommunicationEvent& event(std::uint32_t e) const { return matches_.event(e); }

  /// Finds the components; returns false if there are no collectives.
  bool connect() {
    std::vector<std::uint32_t> parent(fit_.ranks.size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto root = [&](std::uint32_t r) {
      while (parent[r] != r) r = parent[r] = parent[parent[r]];
      return r;
    };
    for (const JobCollective& collective : matches_.collectives) {
      if (!counts(collective)) continue;
      const auto members = matches_.members_of(collective);
      for (const std::uint32_t e : members) {
        ++fit_.ranks[event(e).rank].collectives;
        parent[root(event(e).rank)] = root(event(members.front()).rank);
        span_ = cover(span_, {event(e).time.end, event(e).time.end});
      }
    }
    std::map<std::uint32_t, std::uint32_t> numbers;
    for (std::uint32_t r = 0; r < fit_.ranks.size(); ++r) {
      if (fit_.ranks[r].collectives == 0) continue;
      fit_.ranks[r].component = numbers.try_emplace(root(r), numbers.size()).first->second;
    }
    fit_.components = static_cast<std::uint32_t>(numbers.size());
    if (fit_.components == 0) {
      fit_.refused = "no collective synchronizes several ranks";
      return false;
    }
    fit_.span = saturating_difference(span_.end, span_.begin);
    fit_.middle = span_.begin + fit_.span / 2;
    return true;
  }

  void build() {
    std::size_t total = 0;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::vector<std::uint32_t>>, std::vector<std::uint32_t>> alike;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> kinds;
    for (const JobCollective& collective : matches_.collectives) total += counts(collective) ? collective.count : 0;
    const std::size_t chunk = (total + kMostEntries - 1) / kMostEntries;
    equations_.ranks = static_cast<std::uint32_t>(fit_.ranks.size());
    equations_.first.push_back(0);
    for (std::uint32_t c = 0; c < matches_.collectives.size(); ++c) {
      const JobCollective& collective = matches_.collectives[c];
      if (!counts(collective)) continue;
      const std::uint32_t kind =
          kinds.try_emplace({collective.group, collective.signature}, kinds.size()).first->second;
      if (chunk < 2) {
        add({&c, 1}, kind);
        continue;
      }
      std::vector<std::uint32_t> ranks;
      for (const std::uint32_t e : matches_.members_of(collective)) ranks.push_back(event(e).rank);
      std::vector<std::uint32_t>& waiting = alike[{collective.group, collective.signature, std::move(ranks)}];
      waiting.push_back(c);
      if (waiting.size() < chunk) continue;
      add(waiting, kind);
      waiting.clear();
    }
    for (const auto& [what, waiting] : alike)
      if (!waiting.empty()) add(waiting, kinds.at({std::get<0>(what), std::get<1>(what)}));
    equations_.kinds = static_cast<std::uint32_t>(kinds.size());
  }

  /// Adds collectives of the same ranks as one cluster. Differences between its ends are the medians of their
  /// differences.
  void add(std::span<const std::uint32_t> collectives, std::uint32_t kind) {
    const auto middle = matches_.members_of(matches_.collectives[collectives[collectives.size() / 2]]);
    const Ns zero = event(middle.front()).time.end;
    std::vector<double> differences(collectives.size());
    for (std::size_t m = 0; m < middle.size(); ++m) {
      for (std::size_t i = 0; i < collectives.size(); ++i) {
        const auto members = matches_.members_of(matches_.collectives[collectives[i]]);
        differences[i] =
            static_cast<double>(saturating_difference(event(members[m]).time.end, event(members.front()).time.end));
      }
      const double end = static_cast<double>(saturating_difference(zero, fit_.middle)) + median_of(differences);
      const auto count = static_cast<double>(collectives.size());
      equations_.entries.push_back({event(middle[m]).rank, end, count, count});
    }
    equations_.first.push_back(static_cast<std::uint32_t>(equations_.entries.size()));
    equations_.kind.push_back(kind);
    equations_.time.push_back(0);
  }

  void fit_drift() {
    drifts_.assign(equations_.ranks, 0);
    if (fit_.span < kLeastDriftSpan || equations_.clusters() < kLeastDriftClusters) return;
    const double half = static_cast<double>(fit_.span) / 2;
    for (std::size_t c = 0; c < equations_.clusters(); ++c) {
      double sum = 0;
      double weight = 0;
      for (std::uint32_t e = equations_.first[c]; e < equations_.first[c + 1]; ++e) {
        const ClockEquations::Entry& entry = equations_.entries[e];
        sum += entry.weight * (entry.end - offsets_[entry.rank]);
        weight += entry.weight;
      }
      equations_.time[c] = std::clamp((weight > 0 ? sum / weight : 0) / half, -1.0, 1.0);
    }
    ClockSolution start = offsets_;
    start.resize(2 * std::size_t{equations_.ranks});
    const ClockSolution whole = solve_robustly(equations_, std::move(start), 10);
    std::vector<double> estimate = drift_of(whole);
    std::vector<double> sums(equations_.ranks);
    std::vector<double> squares(equations_.ranks);
    const std::vector<ClockEquations::Entry> kept = equations_.entries;
    for (int block = 0; block < kBlocks; ++block) {
      for (std::size_t c = 0; c < equations_.clusters(); ++c) {
        const int own = std::min(kBlocks - 1, static_cast<int>((equations_.time[c] + 1) / 2 * kBlocks));
        if (own != block) continue;
        for (std::uint32_t e = equations_.first[c]; e < equations_.first[c + 1]; ++e) equations_.entries[e].weight = 0;
      }
      const std::vector<double> without = drift_of(solve(equations_, whole));
      for (std::uint32_t r = 0; r < equations_.ranks; ++r) {
        sums[r] += without[r];
        squares[r] += without[r] * without[r];
      }
      equations_.entries = kept;
    }
    for (std::uint32_t r = 0; r < equations_.ranks; ++r) {
      const double variance = std::max(0.0, squares[r] - sums[r] * sums[r] / kBlocks);
      const double error = std::sqrt(variance * (kBlocks - 1) / kBlocks);
      fit_.ranks[r].drift_error = error / half;
      if (std::abs(estimate[r]) > 3 * std::max(error, kLeastDriftEffect)) drifts_[r] = estimate[r];
    }
    if (std::ranges::all_of(drifts_, [](double drift) { return drift == 0; })) return;
    for (std::size_t c = 0; c < equations_.clusters(); ++c)
      for (std::uint32_t e = equations_.first[c]; e < equations_.first[c + 1]; ++e)
        equations_.entries[e].end -= drifts_[equations_.entries[e].rank] * equations_.time[c];
    offsets_ = solve_robustly(equations_, std::move(offsets_), 10);
  }

  /// Returns drifts relative to the median of each component, per half of the span.
  [[nodiscard]] std::vector<double> drift_of(const ClockSolution& solution) const {
    std::vector<double> drifts(solution.begin() + equations_.ranks, solution.end());
    center(drifts);
    return drifts;
  }

  void center(std::vector<double>& values) const {
    std::vector<std::vector<double>> of_component(fit_.components);
    for (std::uint32_t r = 0; r < fit_.ranks.size(); ++r)
      if (fit_.ranks[r].component != kNoIndex) of_component[fit_.ranks[r].component].push_back(values[r]);
    std::vector<double> medians;
    for (auto& component : of_component) medians.push_back(median_of(component));
    for (std::uint32_t r = 0; r < fit_.ranks.size(); ++r)
      if (fit_.ranks[r].component != kNoIndex) values[r] -= medians[fit_.ranks[r].component];
  }

  void store() {
    center(offsets_);
    const double half = std::max(1.0, static_cast<double>(fit_.span) / 2);
    for (std::uint32_t r = 0; r < fit_.ranks.size(); ++r) {
      fit_.ranks[r].offset = offsets_[r];
      fit_.ranks[r].drift = drifts_[r] / half;
    }
  }

  void judge() {
    own_residuals_.assign(fit_.ranks.size(), {});
    std::vector<double> residuals;
    std::vector<double> lengths;
    std::vector<Interval> times;
    std::uint64_t violations = 0;
    for (const JobCollective& collective : matches_.collectives) {
      if (!counts(collective)) continue;
      const auto members = matches_.members_of(collective);
      times.clear();
      for (const std::uint32_t e : members) {
        const CommunicationEvent& each = event(e);
        times.push_back({fit_.aligned(each.rank, each.time.begin), fit_.aligned(each.rank, each.time.end)});
      }
      std::vector<Ns> ends;
      std::vector<Ns> durations;
      for (const Interval& time : times) {
        ends.push_back(time.end);
        durations.push_back(time.length());
      }
      const Ns end = median_of(ends);
      lengths.push_back(static_cast<double>(median_of(durations)));
      for (std::size_t m = 0; m < members.size(); ++m) {
        residuals.push_back(std::abs(static_cast<double>(saturating_difference(times[m].end, end))));
        own_residuals_[event(members[m]).rank].push_back(residuals.back());
      }
      const auto [first, last] =
          std::pair(std::ranges::min(times, {}, &Interval::end), std::ranges::max(times, {}, &Interval::begin));
      violations += last.begin > first.end ? 1 : 0;
    }
    const auto p95 = residuals.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(residuals.size() - 1));
    std::ranges::nth_element(residuals, p95);
    fit_.residual_p95 = *p95;
    fit_.sigma = 1.4826 * median_of(residuals);
    fit_.violations = static_cast<double>(violations) / static_cast<double>(lengths.size());
    const double length = median_of(lengths);
    for (std::uint32_t r = 0; r < fit_.ranks.size(); ++r) {
      RankClock& rank = fit_.ranks[r];
      if (rank.collectives == 0) {
        rank.refused = "no collectives with other ranks";
        continue;
      }
      rank.error = 1.25 * fit_.sigma / std::sqrt(static_cast<double>(rank.collectives));
      if (rank.collectives < kLeastCollectives)
        rank.refused = fmt::format("too few collectives with other ranks ({})", rank.collectives);
    }
    if (fit_.violations > kMostViolations)
      fit_.refused =
          fmt::format("{} of collectives would end before their last rank arrives", format_share(fit_.violations));
    else if (fit_.residual_p95 > std::max(kLeastResidual, kMostResidual * length))
      fit_.refused = fmt::format(
          "5 % of collective end times are still off by {} or more after alignment, too much for collectives that "
          "take {}",
          format_duration(std::llround(fit_.residual_p95)), format_duration(std::llround(length)));
  }

  const JobCollectives& matches_;
  ClockFit fit_;
  Interval span_ = kEmptySpan;
  ClockEquations equations_;
  ClockSolution offsets_;
  std::vector<double> drifts_;                      // per half of the span
  std::vector<std::vector<double>> own_residuals_;  // by rank
};

}  // namespace

Ns ClockFit::aligned(std::uint32_t rank, Ns time) const {
  const RankClock& clock = ranks[rank];
  const double ahead = clock.offset + clock.drift * static_cast<double>(saturating_difference(time, middle));
  return saturating_difference(time, std::llround(ahead));
}

ClockFit fit_clocks(JobCollectives& matches) {
  constexpr int kRounds = 2;
  for (int round = 0;; ++round) {
    Fitter fitter(matches);
    ClockFit fit = fitter.fit();
    const auto strangers = fitter.strangers();
    if (round == kRounds || strangers.empty()) return fit;
    for (const auto& [rank, apart] : strangers)
      matches.ranks[rank].refused =
          fmt::format("its collectives do not end at the same time as on other ranks ({} apart)",
                      format_duration(std::llround(apart)));
    matches.drop_refused();
  }
}

}  // namespace warpscope::analysis
