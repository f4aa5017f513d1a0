// Colours read well in both themes, whatever the name.
#include "render/scene/palette.hpp"

#include <array>
#include <cstdint>
#include <set>

#include "tests/catch.hpp"

namespace warpscope::scene {
namespace {

constexpr std::array<Theme, 2> kThemes{Theme::dark, Theme::light};

TEST_CASE("text on every slice colour has a contrast of 4.5", "[scene][palette]") {
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

TEST_CASE("every slice stands out from the ground, 2.5 at least, its family's colour 3", "[scene][palette]") {
  for (const Theme theme : kThemes)
    for (std::size_t f = 0; f < trace::kFamilies; ++f) {
      const auto family = static_cast<Family>(f);
      CHECK(contrast(family_color(family, theme), theme_colors(theme).ground) >= 3);
      for (std::uint32_t hash = 0; hash < Palette::kVariants; ++hash)
        CHECK(contrast(slice_color(family, hash, theme), theme_colors(theme).ground) >= 2.5);
    }
}

TEST_CASE("the frame's texts have a contrast of 4.5 on its grounds", "[scene][palette]") {
  for (const Theme theme : kThemes) {
    const ThemeColors& colors = theme_colors(theme);
    for (const Color ground : {colors.ground, colors.panel, colors.raised})
      for (const Color text : {colors.text, colors.muted, colors.accent, colors.warning, colors.error})
        CHECK(contrast(ground, text) >= 4.5);
    CHECK(contrast(colors.connection, colors.connection_casing) >= 3);
    CHECK(contrast(colors.search_hit, colors.ground) >= 3);
  }
}

TEST_CASE("all names of a family have texts of one colour", "[scene][palette]") {
  for (const Theme theme : kThemes)
    for (std::size_t f = 0; f < trace::kFamilies; ++f) {
      const auto family = static_cast<Family>(f);
      for (std::uint32_t hash = 0; hash < Palette::kVariants; ++hash)
        CHECK(text_on(slice_color(family, hash, theme)) == text_on(family_color(family, theme)));
    }
}

TEST_CASE("families differ, names of one family too", "[scene][palette]") {
  for (const Theme theme : kThemes) {
    std::set<Color> families;
    for (std::size_t f = 0; f < trace::kFamilies; ++f) families.insert(family_color(static_cast<Family>(f), theme));
    CHECK(families.size() == trace::kFamilies);
    std::set<Color> names;
    for (std::uint32_t hash = 0; hash < Palette::kVariants; ++hash)
      names.insert(slice_color(Family::computation, hash, theme));
    CHECK(names.size() == Palette::kVariants);
  }
}

TEST_CASE("the design's colours come out as written", "[scene][palette]") {
  CHECK(rgb(0x14171c) == 0xFF1C1714u);
  CHECK(theme_colors(Theme::dark).connection == rgb(0x29d3e8));
  CHECK(contrast(rgb(0x000000), rgb(0xffffff)) == Approx(21));
  CHECK(with_alpha(rgb(0x123456), 0.5) >> 24 == 128);
  CHECK(blend(rgb(0x000000), with_alpha(rgb(0xffffff), 0.5)) == rgb(0x808080));
}

}  // namespace
}  // namespace warpscope::scene
