#pragma once
// The slices behind a distribution of durations: what a histogram counts, and what a click on one of its bars selects.
// A sample counts whole or not at all: one that reaches over an edge of the scope's range is left out, for a part of it
// is no duration of anything.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/scope.hpp"
#include "core/base/progress.hpp"

namespace warpscope::analysis {

/// Annotations are recorded on the host; CUDA's profiler adds shadows of them on the device, from the first to the last
/// run that was launched within.
enum class Side : std::uint8_t { cpu, gpu };

[[nodiscard]] constexpr std::string_view to_string(Side side) { return side == Side::cpu ? "cpu" : "gpu"; }

struct Sample {
  trace::SliceRef slice;
  Ns begin = 0;
  Ns duration = 0;  ///< possible ones only: never negative
};

/// Where a step's time was taken from, best first.
enum class StepSource : std::uint8_t {
  gpu_annotation,  ///< from the first to the last of the step's shadows on the rank's devices
  runs,  ///< from the first to the last run that was launched within it: there is no shadow, or it covers less
         ///< than half of them (ROCm's may cover a single kernel)
  host,  ///< it launched nothing: the step itself
};

[[nodiscard]] std::string_view to_string(StepSource source);

struct StepSample {
  trace::SliceRef slice;     ///< the step on the host
  trace::SliceRef measured;  ///< what `source` names: the longest of its shadows, else the step on the host, for runs
                             ///< have no slice in common
  NameId name = 0;
  Ns begin = 0;  ///< by `source`
  Ns duration = 0;
  StepSource source = StepSource::host;
  bool short_annotation = false;  ///< it has shadows, but they cover less than half of its runs
};

/// The steps of the scope's ranks, rank by rank, by begin on the host. Whether a step lies within the range is decided
/// on the host. A run belongs to the step in which it was launched; a shadow to the last step of its name that began
/// no later. Of a rank whose file ends early, steps that may have lost something are left out. O(steps · log steps +
/// launches · log steps).
[[nodiscard]] std::vector<StepSample> step_samples(const trace::Profile& profile, const Scope& scope,
                                                   const CancelToken* cancel = nullptr);

/// The step (index into Rank::steps) in which the host was at a time: the last that has begun, unless it has ended.
/// O(log steps).
[[nodiscard]] std::optional<std::uint32_t> step_at(const trace::Rank& rank, Ns time);

/// How a typed name was understood. From the second on, better before worse.
enum class AnnotationMatch : std::uint8_t { none, family, name, part };

struct AnnotationSamples {
  AnnotationMatch match = AnnotationMatch::none;
  std::vector<Sample> samples;  ///< rank by rank, in the order of lanes, by begin
};

/// The annotations that `typed` means on one side: those of a family of that name ("step" and "step_#N" both mean
/// step_1, step_2, …; `#N` is literal), else those of exactly that name ("step_7"), else those whose name contains it,
/// in any case. O(slices of host threads or streams).
[[nodiscard]] AnnotationSamples annotation_samples(const trace::Profile& profile, const Scope& scope,
                                                   std::string_view typed, Side side,
                                                   const CancelToken* cancel = nullptr);

/// A family that occurs, with its samples.
struct AnnotationFamily {
  std::string family;
  Side side = Side::cpu;
  std::vector<Sample> samples;
};

/// All families of both sides, by name, CPU before GPU. O(slices).
[[nodiscard]] std::vector<AnnotationFamily> annotation_families(const trace::Profile& profile, const Scope& scope,
                                                                const CancelToken* cancel = nullptr);

}  // namespace warpscope::analysis
