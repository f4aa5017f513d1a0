#include "app/ui/look/fonts.hpp"

#include <cmath>
#include <string_view>

#include "assets/assets.hpp"

namespace warpscope::ui {
namespace {

// Latin with extensions, Greek and Cyrillic (for paths and annotations), punctuation with thin spaces, super- and
// subscripts (no currency signs), arrows, and mathematical symbols used with numbers.
constexpr ImWchar kTextRanges[] = {0x0020, 0x017F, 0x0370, 0x03FF, 0x0400, 0x045F, 0x2009, 0x2009, 0x2010,
                                   0x2027, 0x202F, 0x202F, 0x2032, 0x2033, 0x2070, 0x207F, 0x2190, 0x2193,
                                   0x2212, 0x2212, 0x221E, 0x221E, 0x2248, 0x2248, 0x2260, 0x2265, 0};
constexpr ImWchar kThinSpaces[] = {0x2009, 0x2009, 0x202F, 0x202F, 0};
constexpr ImWchar kHeadingRanges[] = {0x0020, 0x017F, 0x0370, 0x03FF, 0x2009, 0x2009,
                                      0x2010, 0x2027, 0x202F, 0x202F, 0};

/// `bytes` must live until the atlas is built.
ImFont* add(std::string_view bytes, float pixels, const ImWchar* ranges, bool merge = false) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.MergeMode = merge;
  config.PixelSnapH = true;
  // The atlas only reads the bytes, but its interface is not const-correct.
  void* data = const_cast<char*>(bytes.data());
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(data, static_cast<int>(bytes.size()), pixels, &config, ranges);
}

ImFont* add_builtin(float pixels) {
  ImFontConfig config;
  config.SizePixels = pixels;
  return ImGui::GetIO().Fonts->AddFontDefault(&config);
}

}  // namespace

Fonts build_fonts(float scale) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.TexDesiredWidth = 0;
  const std::string_view words = assets::asset("fonts/ui");
  const std::string_view figures = assets::asset("fonts/mono");
  const float ui_size = std::round(15 * scale);
  const float mono_size = std::round(14 * scale);
  const float heading_size = std::round(20 * scale);
  const float caption_size = std::round(13 * scale);
  const float small_size = std::round(11 * scale);

  Fonts fonts;
  fonts.ui = words.empty() ? add_builtin(ui_size) : add(words, ui_size, kTextRanges);
  if (figures.empty()) {
    fonts.mono = fonts.ui;
  } else {
    fonts.mono = add(figures, mono_size, kTextRanges);
    if (!words.empty()) add(words, mono_size, kThinSpaces, true);  // monospace fonts often lack them
  }
  fonts.heading = words.empty() ? fonts.ui : add(words, heading_size, kHeadingRanges);
  fonts.caption = words.empty() ? add_builtin(caption_size) : add(words, caption_size, kTextRanges);
  fonts.small = words.empty() ? add_builtin(small_size) : add(words, small_size, kTextRanges);
  atlas.Build();
  return fonts;
}

}  // namespace warpscope::ui
