#pragma once
// The warning of a job of several ranks in which no kernel is known to communicate. Such a job most likely does
// communicate, with kernels whose names nobody told us; its time is then counted as computation. The kernels to suspect
// are those that run beside the device's busiest stream.
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

/// Is shown the rows of all ranks of the scope, one rank after the other, and then has the warning.
class NoCommunicationCheck {
 public:
  /// Warns of nothing where a range of time is looked at, which may well have no communication, nor with HTA's classes.
  NoCommunicationCheck(const trace::Profile& profile, const Scope& scope, const KernelClasses::Choice& choice);

  /// O(n).
  void add(std::span<const GpuRow> rows);
  /// The warning, as part of a table's note; "" if there is nothing to warn of.
  [[nodiscard]] std::string note() const;

 private:
  const trace::Profile& profile_;
  std::size_t ranks_ = 0;  // in the job; 0: nothing to warn of
  bool communicates_ = false;
  bool computes_ = false;
  std::map<NameId, Ns> beside_;  // time of kernels beside the busiest stream
};

}  // namespace warpscope::analysis
