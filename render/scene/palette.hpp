#pragma once
// All colours of the data and the frame, in two themes. A slice's colour says its family by hue; its name's hash shifts
// hue and lightness a little, so that neighbours differ and the same name looks the same in every run. Made in OKLCH
// (Björn Ottosson, 2020), where equal steps look equal, so families keep their lightness against either ground.
#include <array>
#include <cstdint>

#include "core/trace/category.hpp"
#include "render/scene/draw_list.hpp"

namespace warpscope::scene {

using trace::Family;

/// Which hues the families of slices have.
enum class Hues : std::uint8_t {
  standard,
  colour_blind_safe,  ///< families stay apart for all kinds of sight
  warm_and_cold,      ///< work on the device cold, all that keeps it from work warm
};
/// How full colours are.
enum class Strength : std::uint8_t { soft, normal, strong };

/// How all is coloured, in a byte: the ground, and beside it what with_hues() adds. dark and light have the standard
/// hues. Ask is_dark(), for there are more dark themes than `dark`.
enum class Theme : std::uint8_t { dark, light };

[[nodiscard]] constexpr bool is_dark(Theme theme) { return (static_cast<unsigned>(theme) & 1) == 0; }
[[nodiscard]] constexpr Hues hues_of(Theme theme) { return static_cast<Hues>(static_cast<unsigned>(theme) >> 1 & 3); }
[[nodiscard]] constexpr Strength strength_of(Theme theme) {
  // Normal is 0, so that plain themes have it.
  const unsigned code = static_cast<unsigned>(theme) >> 3 & 3;
  return code == 0 ? Strength::normal : code == 1 ? Strength::soft : Strength::strong;
}
[[nodiscard]] constexpr Theme with_hues(Theme theme, Hues hues, Strength strength) {
  const unsigned code = strength == Strength::normal ? 0 : strength == Strength::soft ? 1 : 2;
  return static_cast<Theme>((static_cast<unsigned>(theme) & 1) | static_cast<unsigned>(hues) << 1 | code << 3);
}

/// From 0xRRGGBB as written in a design, opaque.
[[nodiscard]] constexpr Color rgb(std::uint32_t value) {
  return 0xFF000000u | (value & 0xFFu) << 16 | (value & 0xFF00u) | (value >> 16 & 0xFFu);
}
/// The same colour with another alpha, 0…1.
[[nodiscard]] Color with_alpha(Color color, double alpha);
/// `over` (with its alpha) laid on an opaque `ground`.
[[nodiscard]] Color blend(Color ground, Color over);
/// WCAG 2 contrast of two opaque colours, 1…21.
[[nodiscard]] double contrast(Color a, Color b);

/// Families that are hidden: bit f is family f.
using FamilySet = std::uint8_t;
static_assert(trace::kFamilies <= 8);
[[nodiscard]] constexpr FamilySet family_bit(Family family) {
  return static_cast<FamilySet>(1u << static_cast<unsigned>(family));
}

/// The frame, and what is drawn over data.
struct ThemeColors {
  Color ground;
  Color panel;
  Color raised;
  Color line;
  Color text;
  Color muted;
  Color accent;
  Color connection;         ///< arrows
  Color connection_casing;  ///< below them, 2 px wider, so that they stand out on any slice
  Color path;               ///< arrows of the critical path, on the same casing
  Color search_hit;         ///< marks of found slices
  Color range;              ///< marked range of time, translucent
  Color damaged;            ///< impossible slices
  Color warning;
  Color error;
};
[[nodiscard]] const ThemeColors& theme_colors(Theme theme);

/// Alpha of what does not match while a filter is on.
inline constexpr double kDimmed = 0.55;

/// The family's own colour: legends, buckets of many slices, charts.
[[nodiscard]] Color family_color(Family family, Theme theme);
/// A slice's, from StringTable::hash of its name.
[[nodiscard]] Color slice_color(Family family, std::uint32_t hash, Theme theme);
/// Black or white, whichever reads better; at least 4.5 : 1 on any opaque colour.
[[nodiscard]] Color text_on(Color background);
/// The n-th counter's curve.
[[nodiscard]] Color counter_color(std::uint32_t n, Theme theme);

/// slice_color as a table, for drawing a hundred thousand rectangles a frame.
class Palette {
 public:
  static constexpr std::uint32_t kVariants = 64;

  explicit Palette(Theme theme);
  [[nodiscard]] Theme theme() const { return theme_; }
  [[nodiscard]] Color family(Family family) const { return families_[static_cast<std::size_t>(family)]; }
  [[nodiscard]] Color slice(Family family, std::uint32_t hash) const {
    return slices_[static_cast<std::size_t>(family)][hash % kVariants];
  }
  [[nodiscard]] Color text(Family family, std::uint32_t hash) const {
    return texts_[static_cast<std::size_t>(family)][hash % kVariants];
  }

 private:
  Theme theme_;
  std::array<Color, trace::kFamilies> families_{};
  std::array<std::array<Color, kVariants>, trace::kFamilies> slices_{};
  std::array<std::array<Color, kVariants>, trace::kFamilies> texts_{};
};

}  // namespace warpscope::scene
