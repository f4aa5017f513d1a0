#pragma once
// Colors of data and of the surrounding interface, in two themes. The hue of a slice shows its family. A hash of the
// name shifts hue and lightness slightly, so neighbors differ and a given name always has the same color. Colors are
// computed in OKLCH (Björn Ottosson, 2020), which is perceptually uniform, so families keep their lightness on either
// background.
#include <array>
#include <cstdint>

#include "core/trace/category.hpp"
#include "render/scene/draw_list.hpp"

namespace warpscope::scene {

using trace::Family;

/// Hues of the slice families.
enum class Hues : std::uint8_t {
  standard,
  colour_blind_safe,  ///< distinguishable with any color vision
};

/// A color scheme in one byte: background and hues (with_hues()). `dark` and `light` have the standard hues. Use
/// is_dark() to test the background, because several values are dark.
enum class Theme : std::uint8_t { dark, light };

[[nodiscard]] constexpr bool is_dark(Theme theme) { return (static_cast<unsigned>(theme) & 1) == 0; }
[[nodiscard]] constexpr Hues hues_of(Theme theme) { return static_cast<Hues>(static_cast<unsigned>(theme) >> 1); }
[[nodiscard]] constexpr Theme with_hues(Theme theme, Hues hues) {
  return static_cast<Theme>((static_cast<unsigned>(theme) & 1) | static_cast<unsigned>(hues) << 1);
}

/// Converts 0xRRGGBB to an opaque color.
[[nodiscard]] constexpr Color rgb(std::uint32_t value) {
  return 0xFF000000u | (value & 0xFFu) << 16 | (value & 0xFF00u) | (value >> 16 & 0xFFu);
}
/// Returns the color with a different alpha, 0…1.
[[nodiscard]] Color with_alpha(Color color, double alpha);
/// Blends `over` (with its alpha) onto an opaque `ground`.
[[nodiscard]] Color blend(Color ground, Color over);
/// Returns the WCAG 2 contrast of two opaque colors, 1…21.
[[nodiscard]] double contrast(Color a, Color b);

/// Hidden families: bit f is family f.
using FamilySet = std::uint8_t;
static_assert(trace::kFamilies <= 8);
[[nodiscard]] constexpr FamilySet family_bit(Family family) {
  return static_cast<FamilySet>(1u << static_cast<unsigned>(family));
}

/// Colors of the surrounding interface and of overlays on the data.
struct ThemeColors {
  Color ground;
  Color panel;
  Color raised;
  Color line;
  Color text;
  Color muted;
  Color accent;
  Color connection;         ///< arrows
  Color connection_casing;  ///< outline of arrows, 2 px wider, for contrast on any slice
  Color path;               ///< arrows of the critical path, with the same outline
  Color search_hit;         ///< marks of search matches
  Color range;              ///< selected time range, translucent
  Color damaged;            ///< invalid slices
  Color warning;
  Color error;
};
[[nodiscard]] const ThemeColors& theme_colors(Theme theme);

/// Alpha of non-matching slices while a filter is active.
inline constexpr double kDimmed = 0.55;

/// Base color of a family, for legends, buckets of many slices and charts.
[[nodiscard]] Color family_color(Family family, Theme theme);
/// Returns the color of a slice. `hash` is StringTable::hash of its name.
[[nodiscard]] Color slice_color(Family family, std::uint32_t hash, Theme theme);
/// Returns black or white, whichever has more contrast; at least 4.5 : 1 on any opaque color.
[[nodiscard]] Color text_on(Color background);
/// Color of the Nth counter's curve.
[[nodiscard]] Color counter_color(std::uint32_t n, Theme theme);

/// A lookup table of slice_color(), for drawing a hundred thousand rectangles per frame.
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
