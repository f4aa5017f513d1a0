#pragma once
// Where the evaluated time of all GPUs goes.
#include <string_view>
#include <vector>

#include "core/analysis/shared/time_label.hpp"

namespace warpscope::rules {

class Facts;

struct AccountPart {
  analysis::TimeLabel label = analysis::TimeLabel::unknown;
  Ns time = 0;       ///< summed over the GPUs
  double share = 0;  ///< of the evaluated time

  [[nodiscard]] std::string_view words() const { return analysis::words_of(label).words; }
};

/// Returns the parts, in the order of their labels, without empty ones.
[[nodiscard]] std::vector<AccountPart> account_of(Facts& facts);

/// Returns the name of the rule that explains time with this label; "" if there is none.
[[nodiscard]] std::string_view rule_of(analysis::TimeLabel label);

}  // namespace warpscope::rules
