#pragma once
// Classes of GPU activity, used to break down device time: computation, communication with other ranks, and memory
// operations. User rules come first. Otherwise a kernel is communication if its arguments describe a collective, if it
// is launched inside a collective's host call (collective_calls.hpp), or if its name is in the table in
// core/trace/names/communication_names.hpp. Memcpys and memsets are classified by category.
//
// HTA's classification, which uses only regular expressions on names, is available for comparison. It treats every hip*
// function as communication, treats DeepEP and custom all-reduce kernels as computation, and omits names that contain
// "Sync" or "dma".
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/parameters.hpp"
#include "core/analysis/request/shared_results.hpp"
#include "core/base/text_pattern.hpp"
#include "core/trace/lazy.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

// Host calls that start collectives: PyTorch's record_param_comms, its `nccl:…` annotations and the `c10d::…`
// operators. A kernel launched inside such a call counts as communication, regardless of its name.
//
// A rank's kernels are found on first use. One pass over the names on its launching threads finds the calls; launches
// nested in a call belong to it. Kernels that are already classified as communication by name are not stored. The pass
// is skipped for profiles without such calls. Annotations that outlive the call in which they start are asynchronous
// (recorded for Meta's accelerator). They are ignored, because launches during such an annotation need not belong to
// it.

/// True for the names listed above.
[[nodiscard]] bool is_collective_call(std::string_view name);

/// Thread-safe. Must not outlive the profile.
class CollectiveCalls {
 public:
  /// O(names).
  explicit CollectiveCalls(const trace::Profile& profile);

  /// True if the kernel is launched inside such a call. False for kernels whose lane already marks them as
  /// communication. O(log kernels); O(host slices) once per rank.
  [[nodiscard]] bool launch(std::uint32_t rank, trace::SliceOrdinal kernel) const {
    if (!any_) return false;
    const auto& kernels = by_rank_[rank].get([&] { return kernels_of(*profile_.ranks[rank]); });
    return !kernels.empty() && std::ranges::binary_search(kernels, kernel);
  }

 private:
  using Kernels = std::vector<trace::SliceOrdinal>;  // ascending

  [[nodiscard]] Kernels kernels_of(const trace::Rank& rank) const;
  [[nodiscard]] bool starts(NameId name) const { return starts_collective_[name] != 0; }

  const trace::Profile& profile_;
  std::vector<char> starts_collective_;  // by name
  bool any_ = false;
  std::vector<trace::Lazy<Kernels>> by_rank_;
};

enum class KernelClass : std::uint8_t {
  computation,
  communication,
  memory,
  other,  ///< none of these; used only by HTA's classification
};
inline constexpr std::size_t kKernelClasses = 4;

/// Return the name of a class: "computation" or, with hta_name(), "COMPUTATION".
[[nodiscard]] std::string_view to_string(KernelClass kind);
[[nodiscard]] std::string_view hta_name(KernelClass kind);

/// Classifies by HTA's regular expressions. The first match wins: communication, memory, computation, other.
[[nodiscard]] KernelClass hta_class(std::string_view name);

/// Parameters shared by the analyses that HTA also provides.
inline constexpr Parameter kHtaParameter =
    flag_parameter("hta", "count as Holistic Trace Analysis does, including its bugs, for comparison");
inline constexpr Parameter kRoundingParameter = flag_parameter(
    "hta_rounding", "with hta: round starts up and ends down to whole µs, as HTA does for traces with ns timestamps");

/// A user rule: kernels whose names match the pattern belong to class `kind`.
struct KernelRule {
  KernelClass kind = KernelClass::computation;
  TextPattern pattern;
};

/// Parses "communication=my_ring; memory=gather_*_rows": rules separated by semicolons; the first match wins. Each rule
/// is a class (computation, communication or memory), '=', and part of a name, in which * matches anything. A quoted
/// name ("my_ring_step") must match the whole name. Errors: a rule without a class or pattern.
[[nodiscard]] Result<std::vector<KernelRule>> parse_kernel_rules(std::string_view text);

inline constexpr Parameter kKernelClassParameter = text_parameter(
    "kernel_class", "rules that classify kernels by part of their name: communication=my_ring; memory=gather_*_rows");

/// Appends `rules` to the kernel rules in an analysis's settings.
void append_kernel_rules(std::vector<Setting>& settings, std::string_view rules);

/// Classifies a profile's kernels; each name is looked up once. O(names).
class KernelClasses {
 public:
  struct Choice {
    bool hta = false;
    bool rounding = false;   ///< only with hta
    std::string rules{};     ///< value of kKernelClassParameter; must be valid
    bool host_calls = true;  ///< classify kernels by the host calls that launch them

    /// Returns a cache key; equal choices have equal keys.
    [[nodiscard]] std::string key() const;
  };
  /// Returns the choice specified by an analysis's common parameters.
  [[nodiscard]] static Choice choice(const ParameterValues& values) {
    const bool hta = values.flag(kHtaParameter.name);
    return {hta, hta && values.flag(kRoundingParameter.name), values.text(kKernelClassParameter.name)};
  }

  /// Returns the choice for an analysis that does not use classes but can count as HTA does.
  [[nodiscard]] static Choice hta_choice(const ParameterValues& values) {
    const bool hta = values.flag(kHtaParameter.name);
    return {.hta = hta, .rounding = hta && values.flag(kRoundingParameter.name), .host_calls = false};
  }

  KernelClasses(const trace::Profile& profile, const Choice& choice);

  /// Returns the class of the slice with this lane, index and role.
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
    bool asked = false;     // classified by a user rule
    bool transfer = false;  // a memory transfer, if its role is job
  };

  const trace::Profile& profile_;
  bool hta_;
  std::vector<ByName> by_name_;
  std::optional<CollectiveCalls> calls_;  // set if host calls are considered
};

/// Returns classes shared through `shared` (may be null), so the search for kernels launched by collective calls runs
/// only once.
[[nodiscard]] std::shared_ptr<const KernelClasses> shared_classes(const trace::Profile& profile,
                                                                  const KernelClasses::Choice& choice,
                                                                  SharedResults* shared);

// Rules for individual kernels, with the whole name in quotes, such as `communication="my_ring_step"`. The UI writes
// these rules when the user classifies a slice. They precede handwritten rules, so they take precedence.

/// Returns the class from a rule for exactly this kernel; nullopt if there is none.
[[nodiscard]] std::optional<KernelClass> rule_of_name(std::string_view rules, std::string_view kernel);

/// Prepends a rule for exactly this kernel, replacing any earlier one.
[[nodiscard]] std::string with_rule_of_name(std::string_view rules, std::string_view kernel, KernelClass kind);

/// Removes the rules for exactly this kernel.
[[nodiscard]] std::string without_rule_of_name(std::string_view rules, std::string_view kernel);

}  // namespace warpscope::analysis
