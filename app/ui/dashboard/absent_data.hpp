#pragma once
// Determines which panels a profile has no data for. They are replaced by a line of text that lists them.
#include <bitset>
#include <string>
#include <vector>

#include "app/ui/dashboard/panel_spec.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

/// The data that a profile lacks, by PanelNeed.
using AbsentData = std::bitset<kPanelNeeds>;

/// Returns the data that the profile lacks; none while it is loading.
[[nodiscard]] AbsentData absent_data(const trace::Profile& profile);

[[nodiscard]] bool is_absent(const PanelSpec& spec, const AbsentData& absent);
/// Returns a sentence for each kind of data that panels need but the profile lacks, listing the affected panels and
/// explaining how to record the data.
[[nodiscard]] std::vector<std::string> absent_lines(const AbsentData& absent);

}  // namespace warpscope::ui
