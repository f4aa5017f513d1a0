#pragma once
// The slices behind a duration distribution: a histogram counts them, and clicking a bar selects its slices. Slices
// that lie only partly within the scope's range are omitted, because part of a slice has no meaningful duration.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/scope.hpp"
#include "core/base/progress.hpp"

namespace warpscope::analysis {

/// Annotations are recorded on the host. For each one, the profiler adds a shadow on the device that spans the GPU
/// activity launched inside the annotation.
enum class Side : std::uint8_t { cpu, gpu };

[[nodiscard]] constexpr std::string_view to_string(Side side) { return side == Side::cpu ? "cpu" : "gpu"; }

struct Sample {
  trace::SliceRef slice;
  Ns begin = 0;
  Ns duration = 0;  ///< never negative, because impossible slices are omitted
};

/// What a step's time is measured on.
enum class StepSource : std::uint8_t {
  gpu,   ///< from the end of the activity launched before the step to the end of its own (evaluated_time.hpp)
  host,  ///< the step itself, which launched nothing
};

[[nodiscard]] std::string_view to_string(StepSource source);

struct StepSample {
  trace::SliceRef slice;  ///< the step on the host
  NameId name = 0;
  Ns begin = 0;  ///< according to `source`
  Ns duration = 0;
  StepSource source = StepSource::host;
};

/// Returns the steps of the scope's ranks, rank by rank, ordered by start on the host. A step is in the range if its
/// host time is. Times on the GPU include its idle time before the step's first activity, so they add up to the
/// evaluated time. If a file ends early, steps that may be incomplete are omitted. O(L log S) for S steps and L
/// launches.
[[nodiscard]] std::vector<StepSample> step_samples(const trace::Profile& profile, const Scope& scope,
                                                   const CancelToken* cancel = nullptr);

/// Returns the step (index into Rank::steps) that the host was executing at `time`: the last one that started, unless
/// it has ended. O(log steps).
[[nodiscard]] std::optional<std::uint32_t> step_at(const trace::Rank& rank, Ns time);

/// Result of matching a typed name, from best to worst after `none`.
enum class AnnotationMatch : std::uint8_t { none, family, name, part };

struct AnnotationSamples {
  AnnotationMatch match = AnnotationMatch::none;
  std::vector<Sample> samples;  ///< rank by rank, in the order of lanes, by start
};

/// Finds the annotations on one side that match `typed`: those of a family with that name ("step" and "step_#N" both
/// mean step_1, step_2, …; `#N` is literal), otherwise those with exactly that name ("step_7"), otherwise those whose
/// name contains `typed`, ignoring case. O(slices of host threads or streams).
[[nodiscard]] AnnotationSamples annotation_samples(const trace::Profile& profile, const Scope& scope,
                                                   std::string_view typed, Side side,
                                                   const CancelToken* cancel = nullptr);

/// A family of annotations, with its samples.
struct AnnotationFamily {
  std::string family;
  Side side = Side::cpu;
  std::vector<Sample> samples;
};

/// Returns all families of both sides, by name, CPU before GPU. O(slices).
[[nodiscard]] std::vector<AnnotationFamily> annotation_families(const trace::Profile& profile, const Scope& scope,
                                                                const CancelToken* cancel = nullptr);

}  // namespace warpscope::analysis
