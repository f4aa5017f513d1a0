#include "render/plots/row_color.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/shared/kernel_totals.hpp"
#include "core/analysis/shared/memory_operation.hpp"
#include "core/analysis/shared/precision.hpp"
#include "core/analysis/shared/row_words.hpp"
#include "core/analysis/shared/time_label.hpp"
#include "core/trace/string_table.hpp"
#include "render/charts/colors.hpp"
#include "render/scene/path_chain.hpp"

namespace warpscope::plots {
namespace {

using scene::Family;

using analysis::Precision;
/// Precisions in the order of their colors; unknown is gray.
constexpr std::array kPrecisions{Precision::fp32, Precision::tf32, Precision::fp16,  Precision::bf16, Precision::int64,
                                 Precision::fp8,  Precision::int8, Precision::int32, Precision::fp64, Precision::fp4};
/// By KernelClass.
constexpr std::array kClassFamilies{Family::computation, Family::communication, Family::memory};
/// By TimeLabel, from the first of idle time.
constexpr std::array kIdleTints{Family::python,  Family::python,  Family::op,        Family::memory,
                                Family::op,      Family::memory,  Family::sync,      Family::sync,
                                Family::runtime, Family::op,      Family::memory,    Family::communication,
                                Family::runtime, Family::runtime, Family::annotation};
static_assert(kIdleTints.size() == analysis::kTimeLabels - analysis::kFirstIdle);
/// By GpuActivity.
constexpr std::array kActivityRoles{ColumnRole::compute, ColumnRole::memory, ColumnRole::waiting, ColumnRole::idle};

scene::Color number_color(std::size_t number, scene::Theme theme) {
  return charts::series_color(static_cast<std::uint32_t>(number), theme);
}

/// Returns the color of classes that ran at the same time: a mix of their colors. Bit c represents class c.
scene::Color classes_color(std::uint32_t classes, scene::Theme theme) {
  std::optional<scene::Color> mixed;
  for (std::size_t c = 0; c < kClassFamilies.size(); ++c) {
    if ((classes >> c & 1u) == 0) continue;
    const scene::Color color = scene::family_color(kClassFamilies[c], theme);
    mixed = mixed ? scene::blend(*mixed, scene::with_alpha(color, 0.5)) : color;
  }
  return mixed.value_or(charts::rest_color(theme));
}

/// Returns the color of a precision, which is the same in every profile, or of a kernel class.
scene::Color precision_color(std::uint32_t value, scene::Theme theme) {
  if (value >= analysis::kPrecisions) return classes_color(1u << (value - analysis::kPrecisions), theme);
  const auto found = std::ranges::find(kPrecisions, static_cast<Precision>(value));
  return found == kPrecisions.end() ? charts::rest_color(theme)
                                    : number_color(static_cast<std::size_t>(found - kPrecisions.begin()), theme);
}

/// Idle time has a shade of gray for each cause, tinted by what the GPU waits for; the shades of successive causes
/// differ most.
scene::Color idle_color(std::uint32_t label, scene::Theme theme) {
  constexpr std::size_t kStep = 7;  // no factor of the number of causes
  constexpr double kTint = 0.4;
  const std::size_t cause = (label + kIdleTints.size() - analysis::kFirstIdle) % kIdleTints.size();
  const auto shade = static_cast<double>(cause * kStep % kIdleTints.size()) / (kIdleTints.size() - 1);
  const scene::ThemeColors& colors = scene::theme_colors(theme);
  const scene::Color gray = scene::blend(colors.panel, scene::with_alpha(colors.muted, 0.3 + 0.7 * shade));
  return scene::blend(gray, scene::with_alpha(scene::family_color(kIdleTints[cause], theme), kTint));
}

bool is_idle(analysis::WorkState state) {
  return state == analysis::WorkState::idle || state == analysis::WorkState::not_busy;
}

}  // namespace

bool has_colors(ColumnRole role) {
  using enum ColumnRole;
  constexpr std::array kColored{state,     activity,   memory_operation, precision,        kernel_class,
                                path_part, wait_cause, annotation,       annotation_group, kernel};
  return std::ranges::find(kColored, role) != kColored.end();
}

bool is_rest(std::string_view name) { return name == analysis::kOthers; }

scene::Color row_color(ColumnRole role, const Cell& cell, std::size_t row, scene::Theme theme) {
  if (is_rest(cell.text())) return charts::rest_color(theme);
  const std::uint32_t value = cell.reference().value_or(0);
  switch (role) {
    case ColumnRole::kernel:
      return charts::run_color(trace::Role::kernel, cell.text(), theme);
    case ColumnRole::kernel_class:
      return classes_color(value, theme);
    case ColumnRole::activity:
      return part_color(kActivityRoles[value], theme);
    case ColumnRole::memory_operation:
      return static_cast<analysis::MemoryOperation>(value) == analysis::MemoryOperation::other_copy
                 ? charts::rest_color(theme)
                 : number_color(value, theme);
    case ColumnRole::precision:
      return precision_color(value, theme);
    case ColumnRole::state:
      return part_color(is_idle(static_cast<analysis::WorkState>(value)) ? ColumnRole::idle : ColumnRole::active,
                        theme);
    case ColumnRole::wait_cause:
    case ColumnRole::path_part:
      return label_color(static_cast<analysis::TimeLabel>(value), theme);
    case ColumnRole::annotation:
    case ColumnRole::annotation_group:
      return scene::slice_color(Family::annotation, stable_hash(cell.text()), theme);
    default:
      return number_color(row, theme);
  }
}

scene::Color label_color(analysis::TimeLabel label, scene::Theme theme) {
  constexpr std::array<ColumnRole, analysis::kFirstIdle> kRoles{ColumnRole::compute, ColumnRole::transfer,
                                                                ColumnRole::waiting, ColumnRole::memory};
  const auto index = static_cast<std::uint32_t>(label);
  return part_color(analysis::is_idle(label) ? ColumnRole::idle_part : kRoles[index], theme, index);
}

scene::Color part_color(ColumnRole role, scene::Theme theme, std::uint32_t reference) {
  switch (role) {
    case ColumnRole::compute:
    case ColumnRole::hidden_communication:
    case ColumnRole::active:
      return scene::family_color(Family::computation, theme);
    case ColumnRole::non_compute:
    case ColumnRole::exposed_communication:
    case ColumnRole::transfer:
      return scene::family_color(Family::communication, theme);
    case ColumnRole::memory:
      return scene::family_color(Family::memory, theme);
    case ColumnRole::waiting:
      return scene::family_color(Family::sync, theme);
    case ColumnRole::idle_part:
      return idle_color(reference, theme);
    default:
      return charts::rest_color(theme);
  }
}

}  // namespace warpscope::plots
