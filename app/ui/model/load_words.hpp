#pragma once
// Formats load progress for the Load page and the top bar.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/model/loading.hpp"

namespace warpscope::ui {

/// Formats a size: "1.20 GiB".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

/// Returns a load's state: "Loading · 1.20 GiB of 4.80 GiB", "Stopped · …", "Loaded", "Loaded, watching for new and
/// growing files · 2 files are still being written".
[[nodiscard]] std::string load_state_text(const LoadStatus& progress);

/// Returns "Memory: 3.10 GiB of 4.00 GiB in use · 3 ranks stay on disk until they are viewed"; empty without a limit.
/// `used`: bytes currently used by the ranks.
[[nodiscard]] std::string memory_text(const LoadStatus& progress, std::uint64_t used);

/// Returns "2 nodes · 16 GPUs · 41.2 s", plus how much was loaded if the load was stopped.
[[nodiscard]] std::string profile_facts(const trace::Profile& profile, const LoadStatus& progress);

/// A background activity or a warning shown in the top bar.
struct StatusNote {
  std::string text;                ///< "watching · 2 growing"
  std::string title, facts;        ///< for its tooltip
  std::string command;             ///< run on click
  std::optional<double> fraction;  ///< progress, if known
  bool warning = false;            ///< drawn with a sign
};
[[nodiscard]] std::vector<StatusNote> status_notes(const LoadStatus& progress);

}  // namespace warpscope::ui
