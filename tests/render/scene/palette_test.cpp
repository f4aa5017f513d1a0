// Colors have sufficient contrast in both themes, for any name.
#include "render/scene/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>

#include "tests/catch.hpp"

namespace warpscope::scene {
namespace {

constexpr std::array kThemes{Theme::dark, Theme::light, with_hues(Theme::dark, Hues::colour_blind_safe),
                             with_hues(Theme::light, Hues::colour_blind_safe)};

TEST_CASE("a theme keeps its background and hues", "[scene][palette]") {
  CHECK(with_hues(Theme::light, Hues::standard) == Theme::light);
  const Theme theme = with_hues(Theme::dark, Hues::colour_blind_safe);
  CHECK(is_dark(theme));
  CHECK(hues_of(theme) == Hues::colour_blind_safe);
  CHECK_FALSE(is_dark(with_hues(Theme::light, Hues::colour_blind_safe)));
  CHECK(theme_colors(theme).ground == theme_colors(Theme::dark).ground);
}

TEST_CASE("text on every slice color has a contrast of at least 4.5", "[scene][palette]") {
  for (const Theme theme : kThemes) {
    const Palette palette(theme);
    for (std::size_t f = 0; f < trace::kFamilies; ++f)
      for (std::uint32_t hash = 0; hash < 2 * Palette::kVariants; ++hash) {
        const auto family = static_cast<Family>(f);
        const Color color = slice_color(family, hash, theme);
        CHECK(contrast(color, text_on(color)) >= 4.5);
        CHECK(palette.slice(family, hash) == color);
        CHECK(palette.text(family, hash) == text_on(color));
      }
  }
}

TEST_CASE("every slice has a contrast of at least 2.5 to the background, and its family's color at least 3",
          "[scene][palette]") {
  for (const Theme theme : kThemes)
    for (std::size_t f = 0; f < trace::kFamilies; ++f) {
      const auto family = static_cast<Family>(f);
      CHECK(contrast(family_color(family, theme), theme_colors(theme).ground) >= 3);
      for (std::uint32_t hash = 0; hash < Palette::kVariants; ++hash)
        CHECK(contrast(slice_color(family, hash, theme), theme_colors(theme).ground) >= 2.5);
    }
}

TEST_CASE("UI text has a contrast of at least 4.5 on its backgrounds", "[scene][palette]") {
  for (const Theme theme : kThemes) {
    const ThemeColors& colors = theme_colors(theme);
    for (const Color ground : {colors.ground, colors.panel, colors.raised})
      for (const Color text : {colors.text, colors.muted, colors.accent, colors.warning, colors.error})
        CHECK(contrast(ground, text) >= 4.5);
    CHECK(contrast(colors.connection, colors.connection_casing) >= 3);
    CHECK(contrast(colors.path, colors.connection_casing) >= 4.5);  // also used for text on arrows
    CHECK(contrast(colors.search_hit, colors.ground) >= 3);
  }
}

TEST_CASE("all names of a family have the same text color", "[scene][palette]") {
  for (const Theme theme : kThemes)
    for (std::size_t f = 0; f < trace::kFamilies; ++f) {
      const auto family = static_cast<Family>(f);
      for (std::uint32_t hash = 0; hash < Palette::kVariants; ++hash)
        CHECK(text_on(slice_color(family, hash, theme)) == text_on(family_color(family, theme)));
    }
}

// Simulates vision without one type of cone (Machado et al., 2009) and measures perceived color differences (OKLab).
using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;
constexpr std::array<Matrix, 4> kSights{{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
}};
constexpr Matrix kToCones{{{0.4122214708, 0.5363325363, 0.0514459929},
                           {0.2119034982, 0.6806995451, 0.1073969566},
                           {0.0883024619, 0.2817188376, 0.6299787005}}};
constexpr Matrix kToLab{{{0.2104542553, 0.7936177850, -0.0040720468},
                         {1.9779984951, -2.4285922050, 0.4505937099},
                         {0.0259040371, 0.7827717662, -0.8086757660}}};

Vector times(const Matrix& matrix, const Vector& vector) {
  Vector result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i] += matrix[i][j] * vector[j];
  return result;
}

Vector seen(Color color, const Matrix& sight) {
  Vector linear{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = (color >> 8 * i & 0xFF) / 255.0;
    linear[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  Vector looks = times(sight, linear);
  for (double& part : looks) part = std::max(0.0, part);
  Vector cones = times(kToCones, looks);
  for (double& cone : cones) cone = std::cbrt(cone);
  return times(kToLab, cones);
}

TEST_CASE("the color-blind safe hues are distinguishable for all types of vision", "[scene][palette]") {
  for (const Theme ground : {Theme::dark, Theme::light}) {
    const Theme theme = with_hues(ground, Hues::colour_blind_safe);
    for (const Matrix& sight : kSights)
      for (std::size_t a = 0; a < trace::kFamilies; ++a)
        for (std::size_t b = 0; b < a; ++b) {
          const Vector x = seen(family_color(static_cast<Family>(a), theme), sight);
          const Vector y = seen(family_color(static_cast<Family>(b), theme), sight);
          INFO(a << " and " << b);
          CHECK(std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]) > 0.039);
        }
  }
}

TEST_CASE("families have different colors, and so do names within a family", "[scene][palette]") {
  for (const Theme theme : kThemes) {
    std::set<Color> families;
    for (std::size_t f = 0; f < trace::kFamilies; ++f) families.insert(family_color(static_cast<Family>(f), theme));
    CHECK(families.size() == trace::kFamilies);
    std::set<Color> names;
    for (std::uint32_t hash = 0; hash < Palette::kVariants; ++hash)
      names.insert(slice_color(Family::computation, hash, theme));
    // In other themes, a few colors are too close for a screen to distinguish.
    const bool plain = theme == Theme::dark || theme == Theme::light;
    CHECK(names.size() >= (plain ? Palette::kVariants : Palette::kVariants * 9 / 10));
  }
}

TEST_CASE("the theme has the colors from the design", "[scene][palette]") {
  CHECK(rgb(0x14171c) == 0xFF1C1714u);
  CHECK(theme_colors(Theme::dark).connection == rgb(0x29d3e8));
  CHECK(contrast(rgb(0x000000), rgb(0xffffff)) == Approx(21));
  CHECK(with_alpha(rgb(0x123456), 0.5) >> 24 == 128);
  CHECK(blend(rgb(0x000000), with_alpha(rgb(0xffffff), 0.5)) == rgb(0x808080));
}

}  // namespace
}  // namespace warpscope::scene
