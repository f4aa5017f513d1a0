#pragma once
// Where the evaluated GPU time goes: every ns of every GPU has exactly one label, so the parts add up to the evaluated
// time. Computation comes first; communication counts where no computation runs, split into transfers and waits for
// other ranks; then memory operations; then idle time by cause (idle_account.hpp) and the profiler's own work.
#include <string_view>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::rules {

class Facts;

struct AccountPart {
  std::string_view label;  ///< snake_case: "computation", "waiting_for_ranks", "idle_data_loader"
  std::string_view words;  ///< for users: "waiting for other ranks"
  Ns time = 0;             ///< summed over the GPUs
  double share = 0;        ///< of the evaluated time
};

/// Returns the parts, in a fixed order, without empty ones.
[[nodiscard]] std::vector<AccountPart> account_of(Facts& facts);

}  // namespace warpscope::rules
