#include "core/analysis/kernel_class.hpp"

#include <algorithm>
#include <array>

#include "core/trace/category.hpp"

namespace warpscope::analysis {
namespace {

constexpr std::array<std::string_view, kKernelClasses> kNames{"computation", "communication", "memory", "other"};
constexpr std::array<std::string_view, kKernelClasses> kHtaNames{"COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"};

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return name.starts_with(word); });
}

bool has_any(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

/// `first`, anything, `then`, at the begin of the name.
bool begins_and_has(std::string_view name, std::string_view first, std::string_view then) {
  return name.starts_with(first) && name.find(then, first.size()) != std::string_view::npos;
}

}  // namespace

std::string_view to_string(KernelClass kind) { return kNames[static_cast<std::size_t>(kind)]; }
std::string_view hta_name(KernelClass kind) { return kHtaNames[static_cast<std::size_t>(kind)]; }

KernelClass hta_class(std::string_view name) {
  if (starts_with_any(name, {"nccl", "hip", "hccl"}) || has_any(name, {"ncclKernel"}))
    return KernelClass::communication;
  if (starts_with_any(name, {"Memcpy", "Memset", "dma"})) return KernelClass::memory;
  const bool left_out = has_any(name, {"Memcpy", "Memset", "dma", "Sync"}) ||
                        starts_with_any(name, {"Stream Wait Event", "runFunction", "job_exe", "packet", "pe_exe",
                                               "cpum_exe_subgraph", "collective_subgraph_execution"}) ||
                        begins_and_has(name, "cuda", "LaunchKernel");
  return left_out ? KernelClass::other : KernelClass::computation;
}

KernelClasses::KernelClasses(const trace::Profile& profile, const Choice& choice) : hta_(choice.hta) {
  const std::vector<TextPattern> patterns = parse_patterns(choice.communication);
  by_name_.resize(profile.names().size());
  for (NameId id = 0; id < by_name_.size(); ++id) {
    const std::string_view name = profile.names().view(id);
    const bool asked = std::ranges::any_of(patterns, [&](const TextPattern& each) { return each.matches(name); });
    if (asked)
      by_name_[id] = KernelClass::communication;
    else if (hta_)
      by_name_[id] = hta_class(name);
    else
      by_name_[id] = trace::is_communication_name(name) ? KernelClass::communication : KernelClass::computation;
  }
}

}  // namespace warpscope::analysis
