#include "render/plots/row_color.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/analysis/ranks/job_path.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/shared/idle_gaps.hpp"
#include "core/analysis/shared/kernel_totals.hpp"
#include "core/analysis/shared/memory_operation.hpp"
#include "core/analysis/shared/precision.hpp"
#include "core/analysis/shared/row_words.hpp"
#include "core/trace/string_table.hpp"
#include "render/charts/colors.hpp"
#include "render/scene/path_chain.hpp"

namespace warpscope::plots {
namespace {

using scene::Family;

using analysis::Precision;
/// Precisions in the order of their colors.
constexpr std::array kPrecisions{Precision::fp32, Precision::tf32, Precision::fp16,  Precision::bf16, Precision::int64,
                                 Precision::fp8,  Precision::int8, Precision::int32, Precision::fp64, Precision::fp4};

/// Returns the first of `count` enumerators that `words` names so.
template <class Enum>
std::optional<Enum> enumerator(std::string_view name, std::size_t count, std::string_view (*words)(Enum)) {
  for (std::size_t i = 0; i < count; ++i)
    if (words(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  return std::nullopt;
}

scene::Color number_color(std::size_t number, scene::Theme theme) {
  return charts::series_color(static_cast<std::uint32_t>(number), theme);
}

/// Returns the color of a kernel class by either of its names; nullopt for other names.
std::optional<scene::Color> class_color(std::string_view name, scene::Theme theme) {
  using analysis::KernelClass;
  constexpr std::array kFamilies{Family::computation, Family::communication, Family::memory};
  static_assert(static_cast<std::size_t>(KernelClass::memory) == 2);
  using Words = std::string_view (*)(KernelClass);
  for (const Words words : {Words(analysis::hta_name), Words(analysis::to_string)})
    if (const auto found = enumerator<KernelClass>(name, kFamilies.size(), words))
      return scene::family_color(kFamilies[static_cast<std::size_t>(*found)], theme);
  return std::nullopt;
}

/// Returns the color of classes that ran at the same time: a mix of their colors.
scene::Color classes_color(std::string_view name, std::size_t row, scene::Theme theme) {
  const std::size_t at = name.find(analysis::kOverlapping);
  const scene::Color first = class_color(name.substr(0, at), theme).value_or(number_color(row, theme));
  if (at == std::string_view::npos) return first;
  const auto second = class_color(name.substr(at + analysis::kOverlapping.size()), theme);
  return scene::blend(first, scene::with_alpha(second.value_or(number_color(row, theme)), 0.5));
}

scene::Color activity_color(std::string_view name, std::size_t row, scene::Theme theme) {
  constexpr std::array kRoles{ColumnRole::compute, ColumnRole::memory, ColumnRole::waiting, ColumnRole::idle};
  const auto activity = value_of<analysis::GpuActivity>(analysis::kGpuActivities, name);
  return activity ? part_color(kRoles[static_cast<std::size_t>(*activity)], theme) : number_color(row, theme);
}

scene::Color state_color(std::string_view name, scene::Theme theme) {
  using analysis::WorkState;
  const auto state = value_of<WorkState>(analysis::kWorkStates, name);
  const bool idle = state == WorkState::idle || state == WorkState::not_busy;
  return part_color(idle ? ColumnRole::idle : ColumnRole::active, theme);
}

scene::Color wait_color(std::string_view name, std::size_t row, scene::Theme theme) {
  const auto cause = value_of<analysis::IdleCause>(analysis::kIdleCauses, name);
  if (cause) return part_color(analysis::kIdleRoles[static_cast<std::size_t>(*cause)], theme);
  return name == analysis::kHtaOtherCause ? charts::rest_color(theme) : number_color(row, theme);
}

/// Returns the color of a precision, which is the same in every profile, or of a kernel class; gray for other names.
scene::Color precision_color(std::string_view name, scene::Theme theme) {
  const auto found = std::ranges::find(kPrecisions, name, [](Precision each) { return to_string(each); });
  if (found != kPrecisions.end()) return number_color(static_cast<std::size_t>(found - kPrecisions.begin()), theme);
  return class_color(name, theme).value_or(charts::rest_color(theme));
}

scene::Color memory_operation_color(std::string_view name, scene::Theme theme) {
  using analysis::MemoryOperation;
  const auto found =
      enumerator<MemoryOperation>(name, static_cast<std::size_t>(MemoryOperation::other_copy), analysis::to_string);
  return found ? number_color(static_cast<std::size_t>(*found), theme) : charts::rest_color(theme);
}

scene::Color bound_color(std::string_view name, scene::Theme theme) {
  using analysis::Stretch;
  auto bound = enumerator<analysis::BoundBy>(name, analysis::kBounds, analysis::hta_name);
  if (const auto what = enumerator<Stretch>(name, analysis::kStretches, analysis::words_of))
    bound = scene::bound_of(*what);
  return bound ? scene::family_color(scene::family_of(*bound), theme) : charts::rest_color(theme);
}

}  // namespace

bool has_colors(ColumnRole role) {
  using enum ColumnRole;
  constexpr std::array kColored{state, activity,   memory_operation, precision,        kernel_class,
                                bound, wait_cause, annotation,       annotation_group, kernel};
  return std::ranges::find(kColored, role) != kColored.end();
}

bool is_rest(std::string_view name) { return name == analysis::kOthers; }

scene::Color row_color(ColumnRole role, std::string_view name, std::size_t row, scene::Theme theme) {
  if (is_rest(name)) return charts::rest_color(theme);
  switch (role) {
    case ColumnRole::kernel:
      return charts::run_color(trace::Role::kernel, name, theme);
    case ColumnRole::kernel_class:
      return classes_color(name, row, theme);
    case ColumnRole::activity:
      return activity_color(name, row, theme);
    case ColumnRole::memory_operation:
      return memory_operation_color(name, theme);
    case ColumnRole::precision:
      return precision_color(name, theme);
    case ColumnRole::state:
      return state_color(name, theme);
    case ColumnRole::wait_cause:
      return wait_color(name, row, theme);
    case ColumnRole::bound:
      return bound_color(name, theme);
    case ColumnRole::annotation:
    case ColumnRole::annotation_group:
      return scene::slice_color(Family::annotation, stable_hash(name), theme);
    default:
      return number_color(row, theme);
  }
}

scene::Color part_color(ColumnRole role, scene::Theme theme) {
  switch (role) {
    case ColumnRole::compute:
    case ColumnRole::hidden_communication:
    case ColumnRole::active:
      return scene::family_color(Family::computation, theme);
    case ColumnRole::non_compute:
    case ColumnRole::exposed_communication:
    case ColumnRole::transfer:
      return scene::family_color(Family::communication, theme);
    case ColumnRole::communication:
      return scene::blend(charts::rest_color(theme),
                          scene::with_alpha(scene::family_color(Family::communication, theme), 0.5));
    case ColumnRole::memory:
      return scene::family_color(Family::memory, theme);
    case ColumnRole::memory_set:
      return scene::blend(charts::rest_color(theme),
                          scene::with_alpha(scene::family_color(Family::memory, theme), 0.5));
    case ColumnRole::data_loader:
    case ColumnRole::host_callback:
      return scene::theme_colors(theme).warning;
    case ColumnRole::host_work:
    case ColumnRole::host_wait:
      return scene::family_color(Family::op, theme);
    case ColumnRole::waiting:
    case ColumnRole::stream_wait:
      return scene::family_color(Family::sync, theme);
    case ColumnRole::kernel_wait:
    case ColumnRole::runtime:
      return scene::family_color(Family::runtime, theme);
    case ColumnRole::no_launch_record:
      return scene::family_color(Family::annotation, theme);
    default:
      return charts::rest_color(theme);
  }
}

}  // namespace warpscope::plots
