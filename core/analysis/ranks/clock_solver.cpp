#include "core/analysis/ranks/clock_solver.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/analysis/ranks/medians.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kHuber = 1.5;
constexpr std::size_t kLeastOfKind = 8;  // minimum number of clusters for a separate σ
constexpr double kLeastSigma =
    200;  // ns; clocks are never read more precisely, and a lower bound keeps the system well conditioned

/// Returns the clock offset of a rank at a cluster's time, including drift if it is fitted.
double value_of(const ClockSolution& solution, const ClockEquations& equations, std::uint32_t rank, double time) {
  const double offset = solution[rank];
  return solution.size() > equations.ranks ? offset + time * solution[equations.ranks + rank] : offset;
}

/// result = AᵀW(I − mean)A · solution.
void apply(const ClockEquations& equations, const ClockSolution& solution, ClockSolution& result) {
  std::ranges::fill(result, 0.0);
  const bool drift = solution.size() > equations.ranks;
  for (std::size_t c = 0; c < equations.clusters(); ++c) {
    const std::span entries(equations.entries.data() + equations.first[c], equations.first[c + 1] - equations.first[c]);
    double sum = 0;
    double weight = 0;
    for (const ClockEquations::Entry& entry : entries) {
      sum += entry.weight * value_of(solution, equations, entry.rank, equations.time[c]);
      weight += entry.weight;
    }
    if (weight <= 0) continue;
    const double mean = sum / weight;
    for (const ClockEquations::Entry& entry : entries) {
      const double part = entry.weight * (value_of(solution, equations, entry.rank, equations.time[c]) - mean);
      result[entry.rank] += part;
      if (drift) result[equations.ranks + entry.rank] += part * equations.time[c];
    }
  }
}

/// Right-hand side and diagonal of the system.
void prepare(const ClockEquations& equations, ClockSolution& right, ClockSolution& diagonal) {
  const bool drift = right.size() > equations.ranks;
  for (std::size_t c = 0; c < equations.clusters(); ++c) {
    const std::span entries(equations.entries.data() + equations.first[c], equations.first[c + 1] - equations.first[c]);
    double sum = 0;
    double weight = 0;
    for (const ClockEquations::Entry& entry : entries) {
      sum += entry.weight * entry.end;
      weight += entry.weight;
    }
    if (weight <= 0) continue;
    const double mean = sum / weight;
    const double time = equations.time[c];
    for (const ClockEquations::Entry& entry : entries) {
      const double part = entry.weight * (entry.end - mean);
      const double own = entry.weight * (1 - entry.weight / weight);
      right[entry.rank] += part;
      diagonal[entry.rank] += own;
      if (!drift) continue;
      right[equations.ranks + entry.rank] += part * time;
      diagonal[equations.ranks + entry.rank] += own * time * time;
    }
  }
}

double dot(const ClockSolution& a, const ClockSolution& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<double> residuals(const ClockEquations& equations, const ClockSolution& solution) {
  std::vector<double> found(equations.entries.size());
  for (std::size_t c = 0; c < equations.clusters(); ++c) {
    double sum = 0;
    double weight = 0;
    for (std::uint32_t e = equations.first[c]; e < equations.first[c + 1]; ++e) {
      const ClockEquations::Entry& entry = equations.entries[e];
      found[e] = entry.end - value_of(solution, equations, entry.rank, equations.time[c]);
      sum += entry.weight * found[e];
      weight += entry.weight;
    }
    for (std::uint32_t e = equations.first[c]; e < equations.first[c + 1]; ++e)
      found[e] = weight > 0 ? found[e] - sum / weight : 0;
  }
  return found;
}

double sigma_of(std::vector<double>& magnitudes) {
  if (magnitudes.empty()) return kLeastSigma;
  return std::max(kLeastSigma, 1.4826 * upper_median(magnitudes));
}

void reweigh(ClockEquations& equations, const std::vector<double>& found) {
  std::vector<double> all;
  std::vector<std::vector<double>> of_kind(equations.kinds);
  std::vector<std::size_t> clusters(equations.kinds);
  all.reserve(found.size());
  for (std::size_t c = 0; c < equations.clusters(); ++c) {
    ++clusters[equations.kind[c]];
    for (std::uint32_t e = equations.first[c]; e < equations.first[c + 1]; ++e) {
      all.push_back(std::abs(found[e]));
      of_kind[equations.kind[c]].push_back(all.back());
    }
  }
  const double sigma = sigma_of(all);
  std::vector<double> sigmas(equations.kinds, sigma);
  for (std::uint32_t k = 0; k < equations.kinds; ++k)
    if (clusters[k] >= kLeastOfKind) sigmas[k] = std::max(sigma_of(of_kind[k]), sigma / 10);
  for (std::size_t c = 0; c < equations.clusters(); ++c) {
    const double own = sigmas[equations.kind[c]];
    for (std::uint32_t e = equations.first[c]; e < equations.first[c + 1]; ++e) {
      ClockEquations::Entry& entry = equations.entries[e];
      const double huber = std::min(1.0, kHuber * own / std::max(std::abs(found[e]), 1e-9));
      entry.weight = entry.base * (sigma / own) * (sigma / own) * huber;
    }
  }
}

}  // namespace

ClockSolution solve(const ClockEquations& equations, ClockSolution start) {
  constexpr int kRounds = 2000;
  const std::size_t size = start.size();
  ClockSolution right(size);
  ClockSolution diagonal(size);
  ClockSolution product(size);
  prepare(equations, right, diagonal);
  apply(equations, start, product);
  ClockSolution left(size);
  ClockSolution direction(size);
  ClockSolution scaled(size);
  const auto scale = [&] {
    for (std::size_t i = 0; i < size; ++i) scaled[i] = diagonal[i] > 0 ? left[i] / diagonal[i] : 0;
  };
  for (std::size_t i = 0; i < size; ++i) left[i] = right[i] - product[i];
  scale();
  direction = scaled;
  double norm = dot(left, scaled);
  // Squared scaled residuals are about as large as errors in ns², but errors are larger where connections are weak.
  for (int round = 0; round < kRounds && norm > 1e-8; ++round) {
    apply(equations, direction, product);
    const double curvature = dot(direction, product);
    if (!(curvature > 0)) break;
    const double step = norm / curvature;
    for (std::size_t i = 0; i < size; ++i) {
      start[i] += step * direction[i];
      left[i] -= step * product[i];
    }
    scale();
    const double next = dot(left, scaled);
    for (std::size_t i = 0; i < size; ++i) direction[i] = scaled[i] + next / norm * direction[i];
    norm = next;
  }
  return start;
}

ClockSolution solve_robustly(ClockEquations& equations, ClockSolution start, int most_rounds) {
  for (int round = 0; round < most_rounds; ++round) {
    ClockSolution next = solve(equations, start);
    double change = 0;
    for (std::size_t i = 0; i < next.size(); ++i) change = std::max(change, std::abs(next[i] - start[i]));
    start = std::move(next);
    reweigh(equations, residuals(equations, start));
    if (round > 0 && change < 1) break;
  }
  return start;
}

}  // namespace warpscope::analysis
