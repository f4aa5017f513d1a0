#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <array>

namespace warpscope::fuzz {

std::span<const Target> targets() {
  static constexpr std::array kTargets{
      Target{"kineto", "kineto.dict", run_kineto},
      Target{"expanded", "kineto.dict", run_expanded},
      Target{"chrome", "kineto.dict", run_chrome},
      Target{"merged", "kineto.dict", run_merged},
      Target{"pevents", "kineto.dict", run_pevents},
      Target{"repair", "kineto.dict", run_repair},
      Target{"compressed", "", run_compressed},
      Target{"arguments", "kineto.dict", run_arguments},
      Target{"metadata", "kineto.dict", run_metadata},
      Target{"filter", "filter.dict", run_filter},
      Target{"time", "filter.dict", run_time},
      Target{"store", "", run_store},
      Target{"archive", "kineto.dict", run_archive},
      Target{"metrics", "metrics.dict", run_metrics},
      Target{"memory", "", run_memory},
      Target{"python_stats", "", run_python_stats},
      Target{"rules", "rules.dict", run_rules},
      Target{"settings", "settings.dict", run_settings},
      Target{"job", "job.dict", run_job},
  };
  return kTargets;
}

const Target* find_target(std::string_view name) {
  const auto all = targets();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Target& target) { return target.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace warpscope::fuzz
