#pragma once
// What a kernel does, by which time on devices is broken down: it computes, it communicates with other ranks, or it
// moves memory. Names decide; a user's patterns come first. Copies and sets are told by their category, not by name.
//
// HTA's own choice, by regular expressions over names alone, is kept beside it for those who must compare: it takes
// every hip* function for communication, DeepEP's and other all-reduces for computation, and leaves out whatever has
// "Sync" or "dma" in its name.
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/parameters.hpp"
#include "core/base/text_pattern.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

enum class KernelClass : std::uint8_t {
  computation,
  communication,
  memory,
  other,  ///< neither; HTA's alone
};
inline constexpr std::size_t kKernelClasses = 4;

/// "computation"; as HTA writes it: "COMPUTATION".
[[nodiscard]] std::string_view to_string(KernelClass kind);
[[nodiscard]] std::string_view hta_name(KernelClass kind);

/// By HTA's regular expressions (their first match: communication, memory, computation, other).
[[nodiscard]] KernelClass hta_class(std::string_view name);

/// Common parameters of the analyses of HTA: whether to count as it does, and what else communicates.
inline constexpr Parameter kHtaParameter{
    .name = "hta",
    .about = "count as Holistic Trace Analysis does, its faults included, for comparison",
    .kind = ParameterKind::flag,
    .preset = "false"};
inline constexpr Parameter kRoundingParameter{
    .name = "hta_rounding",
    .about = "with hta: round begins up and ends down to whole µs, as it does to traces in ns",
    .kind = ParameterKind::flag,
    .preset = "false"};
inline constexpr Parameter kCommunicationParameter{
    .name = "communication",
    .about = "names of further communication kernels, separated by commas; * stands for anything",
    .kind = ParameterKind::text,
    .preset = ""};

/// The classes of a profile's names, each looked up once. O(names).
class KernelClasses {
 public:
  struct Choice {
    bool hta = false;
    bool rounding = false;        ///< with hta
    std::string communication{};  ///< as kCommunicationParameter
  };
  /// Of an analysis that has the common parameters.
  [[nodiscard]] static Choice choice(const ParameterValues& values) {
    const bool hta = values.flag(kHtaParameter.name);
    return {hta, hta && values.flag(kRoundingParameter.name), values.text(kCommunicationParameter.name)};
  }

  KernelClasses(const trace::Profile& profile, const Choice& choice);

  [[nodiscard]] KernelClass of(NameId name, trace::Role role) const {
    if (!hta_ && (role == trace::Role::memory_copy || role == trace::Role::memory_set)) return KernelClass::memory;
    return by_name_[name];
  }

 private:
  bool hta_;
  std::vector<KernelClass> by_name_;
};

}  // namespace warpscope::analysis
