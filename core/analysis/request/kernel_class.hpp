#pragma once
// What a kernel does, by which time on devices is broken down: it computes, it communicates with other ranks, or it
// moves memory. A user's rules come first. Without one, a kernel communicates if its arguments describe a collective,
// if it is launched inside a collective's host call (collective_calls.hpp), or if its name is in the table of
// core/trace/communication_names.hpp. The category decides for memcpys and memsets.
//
// HTA's own choice, by regular expressions over names alone, is kept beside it for those who must compare: it takes
// every hip* function for communication, DeepEP's and other all-reduces for computation, and leaves out whatever has
// "Sync" or "dma" in its name.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/collective_calls.hpp"
#include "core/analysis/request/parameters.hpp"
#include "core/analysis/request/shared_results.hpp"
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
    .about = "count as Holistic Trace Analysis does, including its bugs, for comparison",
    .kind = ParameterKind::flag,
    .preset = "false"};
inline constexpr Parameter kRoundingParameter{
    .name = "hta_rounding",
    .about = "with hta: round starts up and ends down to whole µs, as HTA does for traces in ns",
    .kind = ParameterKind::flag,
    .preset = "false"};
inline constexpr Parameter kCommunicationParameter{
    .name = "communication",
    .about = "names of additional communication kernels, separated by commas; * matches anything",
    .kind = ParameterKind::text,
    .preset = ""};

/// What kernels are whose name matches the pattern, by a user's word.
struct KernelRule {
  KernelClass kind = KernelClass::computation;
  TextPattern pattern;
};

/// Reads "communication=my_ring; memory=gather_*_rows": rules separated by semicolons, of which the first that matches
/// holds. Each is a class (computation, communication or memory), '=', and a part of the names, in which * stands for
/// anything; between quotes ("my_ring_step") it is the whole name. Errors: a rule that has no class, or no pattern.
[[nodiscard]] Result<std::vector<KernelRule>> parse_kernel_rules(std::string_view text);

inline constexpr Parameter kKernelClassParameter{
    .name = "kernel_class",
    .about = "class of kernels by part of their names: communication=my_ring; memory=gather_*_rows",
    .kind = ParameterKind::text,
    .preset = ""};

/// Adds `rules` behind those that the settings of an analysis give.
void append_kernel_rules(std::vector<Setting>& settings, std::string_view rules);

/// The classes of a profile's kernels; names are looked up once. O(names).
class KernelClasses {
 public:
  struct Choice {
    bool hta = false;
    bool rounding = false;        ///< with hta
    std::string communication{};  ///< as kCommunicationParameter
    std::string rules{};          ///< as kKernelClassParameter, and without a mistake
    bool host_calls = true;       ///< heed what host calls say of the kernels launched inside

    /// The same for equal choices.
    [[nodiscard]] std::string key() const;
  };
  /// Of an analysis that has the common parameters.
  [[nodiscard]] static Choice choice(const ParameterValues& values) {
    const bool hta = values.flag(kHtaParameter.name);
    return {hta, hta && values.flag(kRoundingParameter.name), values.text(kCommunicationParameter.name),
            values.text(kKernelClassParameter.name)};
  }

  /// Of one that asks for no classes, but may count as HTA does.
  [[nodiscard]] static Choice hta_choice(const ParameterValues& values) {
    const bool hta = values.flag(kHtaParameter.name);
    return {.hta = hta, .rounding = hta && values.flag(kRoundingParameter.name), .host_calls = false};
  }

  KernelClasses(const trace::Profile& profile, const Choice& choice);

  /// Of a lane's slice, which has this role.
  [[nodiscard]] KernelClass of(std::uint32_t rank_index, std::uint32_t lane_index, std::uint32_t index,
                               trace::Role role) const {
    if (!hta_ && (role == trace::Role::memory_copy || role == trace::Role::memory_set)) return KernelClass::memory;
    const trace::Rank& rank = *profile_.ranks[rank_index];
    const trace::Lane& lane = rank.lanes[lane_index];
    const ByName& name = by_name_[lane.name(index)];
    if (hta_ || name.asked) return name.kind;
    if (role == trace::Role::job && name.transfer) return KernelClass::memory;
    if (name.kind == KernelClass::communication || lane.communicates(index)) return KernelClass::communication;
    const bool launched = calls_ && calls_->launch(rank_index, rank.ordinal({lane_index, index}));
    return launched ? KernelClass::communication : KernelClass::computation;
  }

 private:
  struct ByName {
    KernelClass kind = KernelClass::computation;
    bool asked = false;     // for, by the user
    bool transfer = false;  // of memory, if it is a job's
  };

  const trace::Profile& profile_;
  bool hta_;
  std::vector<ByName> by_name_;
  std::optional<CollectiveCalls> calls_;  // if they matter
};

/// The classes that others have too who share with `shared` (may be null), so that what a collective's calls launch is
/// found once.
[[nodiscard]] std::shared_ptr<const KernelClasses> shared_classes(const trace::Profile& profile,
                                                                  const KernelClasses::Choice& choice,
                                                                  SharedResults* shared);

}  // namespace warpscope::analysis
