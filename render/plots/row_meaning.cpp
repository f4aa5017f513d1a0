#include "render/plots/row_meaning.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/analysis/shared/kernel_totals.hpp"
#include "core/analysis/shared/memory_operation.hpp"
#include "core/base/string_table.hpp"
#include "render/charts/colors.hpp"
#include "render/scene/path_chain.hpp"

namespace warpscope::plots {
namespace {

using scene::Family;

constexpr std::array<std::string_view, 10> kPrecisions{"FP32", "TF32", "FP16",  "BF16", "INT64",
                                                       "FP8",  "INT8", "INT32", "FP64", "FP4"};
/// Names of time, operations and precisions that mean nothing specific.
constexpr std::array<std::string_view, 4> kUnspecific{"idle", "not busy", "unknown", "other"};

struct NamedFamily {
  std::string_view name;
  Family family;
};
constexpr std::array<NamedFamily, 3> kActivities{
    {{"kernel", Family::computation}, {"memory", Family::memory}, {"sync", Family::sync}}};
constexpr std::array<NamedFamily, 3> kClasses{
    {{"COMPUTATION", Family::computation}, {"COMMUNICATION", Family::communication}, {"MEMORY", Family::memory}}};
constexpr std::array<NamedFamily, 4> kWaits{{{"host_wait", Family::op},
                                             {"stream_wait", Family::sync},
                                             {"kernel_wait", Family::runtime},
                                             {"no_launch_record", Family::annotation}}};

scene::Color color_in(std::span<const NamedFamily> known, std::string_view name, std::size_t row, scene::Theme theme) {
  const auto found = std::ranges::find(known, name, &NamedFamily::name);
  return found != known.end() ? scene::family_color(found->family, theme)
                              : charts::series_color(static_cast<std::uint32_t>(row), theme);
}

/// Returns the color of a kernel class; overlapping classes get a mix of their colors.
scene::Color class_color(std::string_view name, std::size_t row, scene::Theme theme) {
  constexpr std::string_view kBoth = " overlapping ";
  const std::size_t at = name.find(kBoth);
  if (at == std::string_view::npos) return color_in(kClasses, name, row, theme);
  return scene::blend(color_in(kClasses, name.substr(0, at), row, theme),
                      scene::with_alpha(color_in(kClasses, name.substr(at + kBoth.size()), row, theme), 0.5));
}

/// Returns the color of a precision by its index in the list of all precisions, so it is the same in every profile.
/// Kernel classes without a precision have their Timeline color, other names are gray.
scene::Color precision_color(std::string_view name, scene::Theme theme) {
  for (const auto family : {Family::communication, Family::memory})
    if (name == to_string(family)) return scene::family_color(family, theme);
  const auto found = std::ranges::find(kPrecisions, name);
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
  return charts::rest_color(theme);
}

}  // namespace

RowMeaning meaning_of(ColumnRole role) {
  switch (role) {
    case ColumnRole::state:
      return RowMeaning::busy;
    case ColumnRole::activity:
      return RowMeaning::activity;
    case ColumnRole::memory_operation:
      return RowMeaning::memory_operation;
    case ColumnRole::precision:
      return RowMeaning::precision;
    case ColumnRole::kernel_class:
      return RowMeaning::kernel_class;
    case ColumnRole::bound:
      return RowMeaning::bound;
    case ColumnRole::wait_cause:
      return RowMeaning::wait;
    case ColumnRole::annotation:
    case ColumnRole::annotation_group:
      return RowMeaning::annotation;
    case ColumnRole::kernel:
      return RowMeaning::kernel;
    default:
      return RowMeaning::none;
  }
}

bool is_rest(std::string_view name) { return name == analysis::kOthers; }

scene::Color row_color(RowMeaning meaning, std::string_view name, std::size_t row, scene::Theme theme) {
  if (is_rest(name)) return charts::rest_color(theme);
  const bool given = meaning == RowMeaning::none || meaning == RowMeaning::kernel || meaning == RowMeaning::annotation;
  if (!given && std::ranges::find(kUnspecific, name) != kUnspecific.end()) return charts::rest_color(theme);
  switch (meaning) {
    case RowMeaning::kernel:
      return charts::run_color(trace::Role::kernel, name, theme);
    case RowMeaning::kernel_class:
      return class_color(name, row, theme);
    case RowMeaning::activity:
      return color_in(kActivities, name, row, theme);
    case RowMeaning::memory_operation:
      return memory_operation_color(name, theme);
    case RowMeaning::precision:
      return precision_color(name, theme);
    case RowMeaning::busy:
      return scene::family_color(Family::computation, theme);
    case RowMeaning::wait:
      return color_in(kWaits, name, row, theme);
    case RowMeaning::bound:
      return bound_color(name, theme);
    case RowMeaning::annotation:
      return scene::slice_color(Family::annotation, stable_hash(name), theme);
    case RowMeaning::none:
      break;
  }
  return charts::series_color(static_cast<std::uint32_t>(row), theme);
}

scene::Color part_color(ColumnRole role, scene::Theme theme) {
  switch (role) {
    case ColumnRole::compute:
    case ColumnRole::hidden_communication:
    case ColumnRole::active:
      return scene::family_color(Family::computation, theme);
    case ColumnRole::non_compute:
    case ColumnRole::exposed_communication:
      return scene::family_color(Family::communication, theme);
    case ColumnRole::memory:
      return scene::family_color(Family::memory, theme);
    case ColumnRole::host_wait:
      return scene::family_color(Family::op, theme);
    case ColumnRole::stream_wait:
      return scene::family_color(Family::sync, theme);
    case ColumnRole::kernel_wait:
      return scene::family_color(Family::runtime, theme);
    case ColumnRole::no_launch_record:
      return scene::family_color(Family::annotation, theme);
    default:
      return charts::rest_color(theme);
  }
}

}  // namespace warpscope::plots
