#pragma once
// Warns about a job with several ranks but no known communication kernels. It most likely communicates through kernels
// with unknown names, whose time counts as computation. Likely candidates are kernels that run concurrently with the
// device's busiest stream.
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

/// Usage: add the rows of each rank in the scope, one call per rank, then get the warning.
class NoCommunicationCheck {
 public:
  /// Never warns with HTA's classes or for a time range, because a range may well contain no communication.
  NoCommunicationCheck(const trace::Profile& profile, const Scope& scope, const KernelClasses::Choice& choice);

  /// O(n).
  void add(std::span<const GpuRow> rows);
  /// Returns the warning as part of a table's note; "" if there is none.
  [[nodiscard]] std::string note() const;

 private:
  const trace::Profile& profile_;
  std::size_t ranks_ = 0;  // in the job; 0: never warns
  bool communicates_ = false;
  bool computes_ = false;
  std::map<NameId, Ns> beside_;  // time of kernels outside the busiest stream
};

}  // namespace warpscope::analysis
