#include "render/plots/row_meaning.hpp"

#include <algorithm>
#include <array>

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

struct ClassFamily {
  analysis::KernelClass kind;
  Family family;
};
constexpr std::array kClasses{ClassFamily{analysis::KernelClass::computation, Family::computation},
                              ClassFamily{analysis::KernelClass::communication, Family::communication},
                              ClassFamily{analysis::KernelClass::memory, Family::memory}};

scene::Color row_number_color(std::size_t row, scene::Theme theme) {
  return charts::series_color(static_cast<std::uint32_t>(row), theme);
}

scene::Color activity_color(std::string_view name, std::size_t row, scene::Theme theme) {
  using analysis::GpuActivity;
  const auto activity = value_of<GpuActivity>(analysis::kGpuActivities, name);
  if (!activity) return row_number_color(row, theme);
  constexpr std::array kFamilies{Family::computation, Family::memory, Family::sync};
  return *activity == GpuActivity::idle ? charts::rest_color(theme)
                                        : scene::family_color(kFamilies[static_cast<std::size_t>(*activity)], theme);
}

scene::Color state_color(std::string_view name, scene::Theme theme) {
  using analysis::WorkState;
  const auto state = value_of<WorkState>(analysis::kWorkStates, name);
  return state == WorkState::idle || state == WorkState::not_busy ? charts::rest_color(theme)
                                                                  : scene::family_color(Family::computation, theme);
}

scene::Color wait_color(std::string_view name, std::size_t row, scene::Theme theme) {
  const auto cause = value_of<analysis::IdleCause>(analysis::kIdleCauses, name);
  if (cause) return part_color(analysis::kIdleRoles[static_cast<std::size_t>(*cause)], theme);
  return name == analysis::kHtaOtherCause ? charts::rest_color(theme) : row_number_color(row, theme);
}

scene::Color one_class_color(std::string_view name, std::size_t row, scene::Theme theme) {
  for (const ClassFamily& each : kClasses)
    if (hta_name(each.kind) == name) return scene::family_color(each.family, theme);
  return row_number_color(row, theme);
}

/// Returns the color of a kernel class; overlapping classes get a mix of their colors.
scene::Color class_color(std::string_view name, std::size_t row, scene::Theme theme) {
  const std::size_t at = name.find(analysis::kOverlapping);
  if (at == std::string_view::npos) return one_class_color(name, row, theme);
  const std::string_view second = name.substr(at + analysis::kOverlapping.size());
  return scene::blend(one_class_color(name.substr(0, at), row, theme),
                      scene::with_alpha(one_class_color(second, row, theme), 0.5));
}

/// Returns the color of a precision by its index in the list of all precisions, so it is the same in every profile.
/// Kernel classes without a precision have their Timeline color; other names are gray.
scene::Color precision_color(std::string_view name, scene::Theme theme) {
  for (const ClassFamily& each : kClasses)
    if (name == to_string(each.kind)) return scene::family_color(each.family, theme);
  const auto found = std::ranges::find(kPrecisions, name, [](Precision each) { return to_string(each); });
  if (found == kPrecisions.end()) return charts::rest_color(theme);
  return charts::series_color(static_cast<std::uint32_t>(found - kPrecisions.begin()), theme);
}

scene::Color memory_operation_color(std::string_view name, scene::Theme theme) {
  using analysis::MemoryOperation;
  for (auto operation = MemoryOperation::host_to_device; operation != MemoryOperation::other_copy;
       operation = static_cast<MemoryOperation>(static_cast<std::uint8_t>(operation) + 1))
    if (analysis::to_string(operation) == name)
      return charts::series_color(static_cast<std::uint32_t>(operation), theme);
  return charts::rest_color(theme);
}

scene::Color bound_color(std::string_view name, scene::Theme theme) {
  for (std::size_t b = 0; b < analysis::kBounds; ++b)
    if (const auto bound = static_cast<analysis::BoundBy>(b); analysis::hta_name(bound) == name)
      return scene::family_color(scene::family_of(bound), theme);
  for (std::size_t k = 0; k < analysis::kStretches; ++k)
    if (const auto what = static_cast<analysis::Stretch>(k); analysis::words_of(what) == name)
      return scene::family_color(scene::family_of(scene::bound_of(what)), theme);
  return charts::rest_color(theme);
}

}  // namespace

RowMeaning meaning_of(ColumnRole role) {
  struct Meant {
    ColumnRole role;
    RowMeaning meaning;
  };
  constexpr std::array kMeant{Meant{ColumnRole::state, RowMeaning::busy},
                              Meant{ColumnRole::activity, RowMeaning::activity},
                              Meant{ColumnRole::memory_operation, RowMeaning::memory_operation},
                              Meant{ColumnRole::precision, RowMeaning::precision},
                              Meant{ColumnRole::kernel_class, RowMeaning::kernel_class},
                              Meant{ColumnRole::bound, RowMeaning::bound},
                              Meant{ColumnRole::wait_cause, RowMeaning::wait},
                              Meant{ColumnRole::annotation, RowMeaning::annotation},
                              Meant{ColumnRole::annotation_group, RowMeaning::annotation},
                              Meant{ColumnRole::kernel, RowMeaning::kernel}};
  const auto* const found = std::ranges::find(kMeant, role, &Meant::role);
  return found != kMeant.end() ? found->meaning : RowMeaning::none;
}

bool is_rest(std::string_view name) { return name == analysis::kOthers; }

scene::Color row_color(RowMeaning meaning, std::string_view name, std::size_t row, scene::Theme theme) {
  if (is_rest(name)) return charts::rest_color(theme);
  switch (meaning) {
    case RowMeaning::kernel:
      return charts::run_color(trace::Role::kernel, name, theme);
    case RowMeaning::kernel_class:
      return class_color(name, row, theme);
    case RowMeaning::activity:
      return activity_color(name, row, theme);
    case RowMeaning::memory_operation:
      return memory_operation_color(name, theme);
    case RowMeaning::precision:
      return precision_color(name, theme);
    case RowMeaning::busy:
      return state_color(name, theme);
    case RowMeaning::wait:
      return wait_color(name, row, theme);
    case RowMeaning::bound:
      return bound_color(name, theme);
    case RowMeaning::annotation:
      return scene::slice_color(Family::annotation, stable_hash(name), theme);
    case RowMeaning::none:
      break;
  }
  return row_number_color(row, theme);
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
