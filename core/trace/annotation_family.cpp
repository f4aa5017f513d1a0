#include "core/trace/annotation_family.hpp"

#include <algorithm>
#include <cctype>

#include "core/base/ascii.hpp"

namespace warpscope::trace {

std::string_view annotation_family(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1]))) --end;
  if (end == name.size() || end == 0) return name;
  if (end > 1 && std::string_view("_#-:./ ").find(name[end - 1]) != std::string_view::npos) --end;
  return name.substr(0, end);
}

std::string step_family(const std::map<std::string, std::uint64_t>& families) {
  for (const char* preferred : {"ProfilerStep", "step", "Step:ModeKeys.TRAIN"})
    if (families.contains(preferred)) return preferred;
  std::string best;
  std::uint64_t most = 0;
  for (const auto& [family, count] : families) {
    const std::string folded = lower(family);
    // "Optimizer.step#Adam.step" is PyTorch's range around the optimizer, not a training step.
    if (folded.find("step") == std::string::npos || folded.starts_with("optimizer")) continue;
    if (count > most) {
      most = count;
      best = family;
    }
  }
  return best;
}

}  // namespace warpscope::trace
