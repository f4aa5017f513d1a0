#pragma once
// Least-squares solver for clock_fit.hpp. The input consists of clusters, each containing end times from several ranks.
// Each cluster adds an unknown time T_c, which is eliminated. This leaves a graph Laplacian over the ranks, solved by
// conjugate gradients with a Jacobi preconditioner; the caller fixes the null space (a constant per connected
// component).
#include <cstdint>
#include <vector>

namespace warpscope::analysis {

struct ClockEquations {
  struct Entry {
    std::uint32_t rank = 0;
    double end = 0;     ///< ns since an arbitrary zero
    double weight = 1;  ///< adjusted by solve_robustly()
    double base = 1;    ///< weight without outlier handling: number of collectives behind the entry
  };
  std::vector<Entry> entries;
  std::vector<std::uint32_t> first;  ///< by cluster: its first entry; one more at the end
  std::vector<std::uint32_t> kind;   ///< by cluster: all clusters of a kind have the same scatter
  std::vector<double> time;          ///< by cluster: in [-1, 1]; used for drift
  std::uint32_t ranks = 0;
  std::uint32_t kinds = 0;

  [[nodiscard]] std::size_t clusters() const { return first.empty() ? 0 : first.size() - 1; }
};

/// One offset per rank, followed by one drift per rank (ns per unit of cluster time) if requested.
using ClockSolution = std::vector<double>;

/// Solves with the current weights, starting from `start`. The size of `start` determines whether drifts are fitted.
[[nodiscard]] ClockSolution solve(const ClockEquations& equations, ClockSolution start);

/// Alternates between solving and adjusting the weights (Huber, 1.5 σ per kind) until offsets change by less than 1 ns.
[[nodiscard]] ClockSolution solve_robustly(ClockEquations& equations, ClockSolution start, int most_rounds);

}  // namespace warpscope::analysis
