#include "render/scene/palette.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warpscope::scene {

namespace {

/// A family's position in OKLCH and the allowed variation between its names.
struct FamilyTone {
  double hue;        // degrees
  double hue_range;  // ± degrees
  double chroma;
  double dark_lightness;   // on the dark background
  double light_lightness;  // on the light background
};

// Indexed by Family. Families with adjacent hues (orange, red, ochre) differ in lightness, for color-blind users.
// Lightness avoids 0.565, where black and white text are equally legible, so all names of a family have one text color:
// black on the dark background; white on the light one, except on orange.
using Tones = std::array<FamilyTone, trace::kFamilies>;
constexpr Tones kStandardTones{{
    {275, 18, 0.135, 0.660, 0.510},  // computation: blue to violet
    {55, 9, 0.150, 0.760, 0.630},    // communication: orange
    {190, 9, 0.085, 0.740, 0.500},   // memory: teal
    {28, 8, 0.125, 0.630, 0.440},    // sync: red-brown
    {250, 10, 0.035, 0.630, 0.510},  // runtime: gray-blue
    {147, 11, 0.115, 0.700, 0.500},  // op: green
    {92, 6, 0.095, 0.660, 0.515},    // python: ochre
    {340, 9, 0.135, 0.670, 0.510},   // annotation: magenta
}};
// Any two families are at least 0.04 apart in OKLab, even under simulated dichromacy (Machado et al., 2009). Where hues
// coincide, lightness differs.
constexpr Tones kColourBlindTones{{
    {250, 5, 0.130, 0.620, 0.490},  // computation: blue
    {65, 5, 0.150, 0.770, 0.640},   // communication: orange
    {165, 6, 0.100, 0.700, 0.450},  // memory: bluish green
    {40, 5, 0.150, 0.655, 0.360},   // sync: vermilion, brown on light
    {250, 6, 0.015, 0.635, 0.385},  // runtime: gray
    {235, 6, 0.080, 0.800, 0.290},  // op: sky blue, navy on light
    {100, 5, 0.120, 0.880, 0.510},  // python: yellow
    {345, 6, 0.120, 0.750, 0.420},  // annotation: reddish purple
}};
constexpr double kLightnessRange = 0.045;

const FamilyTone& tone_of(Family family, Theme theme) {
  constexpr std::array<const Tones*, 2> kTones{&kStandardTones, &kColourBlindTones};  // by Hues
  return (*kTones[static_cast<std::size_t>(hues_of(theme))])[static_cast<std::size_t>(family)];
}

constexpr ThemeColors kDark{
    .ground = rgb(0x14171c),
    .panel = rgb(0x1b1f26),
    .raised = rgb(0x232832),
    .line = rgb(0x2c323d),
    .text = rgb(0xd9dee6),
    .muted = rgb(0x8b94a3),
    .accent = rgb(0x5aa7ff),
    .connection = rgb(0x29d3e8),
    .connection_casing = rgb(0x0b0d10),
    .path = rgb(0xff5c9e),
    .search_hit = rgb(0xffd84d),
    .range = rgb(0x5aa7ff) & 0x1FFFFFFFu,
    .damaged = rgb(0x7d4a4c),
    .warning = rgb(0xe8b04a),
    .error = rgb(0xf0716a),
};

constexpr ThemeColors kLight{
    .ground = rgb(0xffffff),
    .panel = rgb(0xf6f7f9),
    .raised = rgb(0xeceff3),
    .line = rgb(0xd5dae1),
    .text = rgb(0x1d232c),
    .muted = rgb(0x5d6876),
    .accent = rgb(0x1558c0),
    .connection = rgb(0x0a7d8c),
    .connection_casing = rgb(0xffffff),
    .path = rgb(0xc2125e),
    .search_hit = rgb(0xb07a00),
    .range = rgb(0x1558c0) & 0x1FFFFFFFu,
    .damaged = rgb(0xc08a8a),
    .warning = rgb(0x8a5a00),
    .error = rgb(0xb3261e),
};

double to_linear(std::uint32_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

std::uint32_t to_channel(double linear) {
  const double c = std::clamp(linear, 0.0, 1.0);
  const double encoded = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  return static_cast<std::uint32_t>(std::lround(encoded * 255));
}

Color oklch(double lightness, double chroma, double hue_degrees) {
  const double hue = hue_degrees * std::numbers::pi / 180;
  const double a = chroma * std::cos(hue);
  const double b = chroma * std::sin(hue);
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
  const std::uint32_t red = to_channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const std::uint32_t green = to_channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const std::uint32_t blue = to_channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
  return 0xFF000000u | blue << 16 | green << 8 | red;
}

double luminance(Color color) {
  return 0.2126 * to_linear(color & 0xFF) + 0.7152 * to_linear(color >> 8 & 0xFF) +
         0.0722 * to_linear(color >> 16 & 0xFF);
}

Color tone_color(const FamilyTone& tone, Theme theme, double hue_shift, double lightness_shift) {
  const double lightness = is_dark(theme) ? tone.dark_lightness : tone.light_lightness;
  return oklch(lightness + lightness_shift * kLightnessRange, tone.chroma, tone.hue + hue_shift * tone.hue_range);
}

}  // namespace

Color with_alpha(Color color, double alpha) {
  const auto value = static_cast<std::uint32_t>(std::lround(std::clamp(alpha, 0.0, 1.0) * 255));
  return (color & 0x00FFFFFFu) | value << 24;
}

Color blend(Color ground, Color over) {
  const std::uint32_t alpha = over >> 24;
  Color result = 0xFF000000u;
  for (int shift = 0; shift < 24; shift += 8) {
    const std::uint32_t below = ground >> shift & 0xFF;
    const std::uint32_t above = over >> shift & 0xFF;
    result |= (above * alpha + below * (255 - alpha) + 127) / 255 << shift;
  }
  return result;
}

double contrast(Color a, Color b) {
  const double first = luminance(a);
  const double second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

const ThemeColors& theme_colors(Theme theme) { return is_dark(theme) ? kDark : kLight; }

Color family_color(Family family, Theme theme) { return tone_color(tone_of(family, theme), theme, 0, 0); }

Color slice_color(Family family, std::uint32_t hash, Theme theme) {
  const std::uint32_t variant = hash % Palette::kVariants;
  const auto step = [](std::uint32_t n) { return (n - 3.5) / 3.5; };  // 0…7 → -1…1
  return tone_color(tone_of(family, theme), theme, step(variant % 8), step(variant / 8));
}

Color text_on(Color background) {
  constexpr Color kBlack = 0xFF000000u;
  constexpr Color kWhite = 0xFFFFFFFFu;
  return contrast(background, kBlack) >= contrast(background, kWhite) ? kBlack : kWhite;
}

Color counter_color(std::uint32_t n, Theme theme) {
  constexpr std::array<double, 6> kHues{225, 85, 320, 160, 30, 285};
  return oklch(is_dark(theme) ? 0.70 : 0.55, 0.11, kHues[n % kHues.size()]);
}

Palette::Palette(Theme theme) : theme_(theme) {
  for (std::size_t f = 0; f < trace::kFamilies; ++f) {
    families_[f] = family_color(static_cast<Family>(f), theme);
    for (std::uint32_t v = 0; v < kVariants; ++v) {
      slices_[f][v] = slice_color(static_cast<Family>(f), v, theme);
      texts_[f][v] = text_on(slices_[f][v]);
    }
  }
}

}  // namespace warpscope::scene
