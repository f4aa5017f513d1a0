#include "render/charts/colors.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/trace/string_table.hpp"

namespace warpscope::charts {

namespace {

// Hues of Okabe and Ito; darker on a white background, for contrast.
constexpr std::array<std::uint32_t, kSeriesColors> kDark{0x56b4e9, 0xe69f00, 0x3fb98f, 0xcc79a7,
                                                         0xf0e442, 0x5f8fd8, 0xe07b45, 0xb8c0cc};
constexpr std::array<std::uint32_t, kSeriesColors> kLight{0x0072b2, 0xb07200, 0x007a5a, 0xa8457f,
                                                          0x7c7400, 0x3c97cf, 0xc34e00, 0x4a5361};
constexpr std::uint32_t kTints = 2;  // tints per color, toward the text color
constexpr std::uint32_t kRestDark = 0x626c7b;
constexpr std::uint32_t kRestLight = 0x8d97a5;

// Ends and middle of the heat scale: from blue through green to yellow, with evenly spaced lightness.
struct Stop {
  double at, red, green, blue;
};
constexpr std::array<Stop, 4> kHeatDark{
    {{0, 0.13, 0.16, 0.24}, {0.4, 0.14, 0.40, 0.56}, {0.7, 0.25, 0.64, 0.55}, {1, 0.98, 0.89, 0.36}}};
constexpr std::array<Stop, 4> kHeatLight{
    {{0, 0.94, 0.95, 0.97}, {0.4, 0.55, 0.77, 0.80}, {0.7, 0.16, 0.49, 0.65}, {1, 0.17, 0.10, 0.36}}};

}  // namespace

Color series_color(std::uint32_t n, scene::Theme theme) {
  const Color color = scene::rgb((scene::is_dark(theme) ? kDark : kLight)[n % kSeriesColors]);
  const std::uint32_t round = n / kSeriesColors % (kTints + 1);
  return scene::blend(color, scene::with_alpha(scene::theme_colors(theme).text, round * 0.3));
}

Color run_color(trace::Role role, std::string_view name, scene::Theme theme) {
  return scene::slice_color(trace::family_of(role, trace::is_communication_name(name)), stable_hash(name), theme);
}

Color rest_color(scene::Theme theme) { return scene::rgb(scene::is_dark(theme) ? kRestDark : kRestLight); }

Color heat_color(double t, scene::Theme theme) {
  if (std::isnan(t)) return rest_color(theme);
  const auto& stops = scene::is_dark(theme) ? kHeatDark : kHeatLight;
  const double at = std::clamp(t, 0.0, 1.0);
  std::size_t next = 1;
  while (next + 1 < stops.size() && stops[next].at < at) ++next;
  const Stop& a = stops[next - 1];
  const Stop& b = stops[next];
  const double part = (at - a.at) / (b.at - a.at);
  const auto mix = [part](double from, double to) {
    return static_cast<std::uint32_t>(std::lround(255 * (from + (to - from) * part)));
  };
  return 0xFF000000u | mix(a.blue, b.blue) << 16 | mix(a.green, b.green) << 8 | mix(a.red, b.red);
}

}  // namespace warpscope::charts
