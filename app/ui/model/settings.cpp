#include "app/ui/model/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>

#include "app/settings/settings_text.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::ui {
namespace {

using settings::escape;
using settings::unescape;

constexpr std::array<std::string_view, 2> kThemes = {"dark", "light"};
constexpr std::array<std::string_view, 3> kDensities = {"compact", "normal", "roomy"};
constexpr std::array<std::string_view, 2> kHues = {"standard", "colour-blind-safe"};
constexpr std::string_view kOverlayPrefix = "overlay.";

using Words = std::span<const std::string_view>;

/// Marks a number that is 0 when the file contains "auto".
struct AutoOr {
  float low, high;
};

// read() returns the error in a value for messages; "" if it is valid. An invalid value keeps the default or is
// clamped. print() returns text that read() accepts; "" if the line is omitted.
template <class Enum>
std::string_view read(std::string_view value, Enum& out, Words words) {
  const auto found = std::ranges::find(words, value);
  if (found == words.end()) return "is not a valid value";
  out = static_cast<Enum>(found - words.begin());
  return "";
}
template <class Enum>
std::string print(Enum value, Words words) {
  return std::string(words[static_cast<std::size_t>(value)]);
}

template <class Number>
std::string_view read(std::string_view value, Number& out, std::type_identity_t<Number> low,
                      std::type_identity_t<Number> high) {
  const auto number = parse_number<Number>(value);
  if (!number || !std::isfinite(static_cast<double>(*number))) return "is not a number";
  out = std::clamp(*number, low, high);
  return out == *number ? "" : "is out of range";
}
template <class Number>
std::string print(Number value, std::type_identity_t<Number>, std::type_identity_t<Number>) {
  return fmt::format("{}", value);
}

std::string_view read(std::string_view value, float& out, AutoOr limits) {
  if (value != "auto") return read(value, out, limits.low, limits.high);
  out = 0;
  return "";
}
std::string print(float value, AutoOr) { return value > 0 ? fmt::format("{}", value) : "auto"; }

std::string_view read(std::string_view value, bool& out) {
  return settings::read(value, out) ? "" : "must be yes or no";
}
std::string print(bool value) { return value ? "yes" : "no"; }

/// Calls `each` with the key, value and limits of every setting that occupies one line. `Own` is Settings or const
/// Settings.
template <class Own, class Each>
void each_line(Own& settings, const Each& each) {
  each("theme", settings.theme, kThemes);
  each("scale", settings.scale, AutoOr{kMinScale, kMaxScale});
  each("row_density", settings.density, kDensities);
  each("wheel_zooms", settings.wheel_zooms);
  each("curve_tracks", settings.curve_tracks);
  each("rail_folded", settings.rail_folded);
  each("label_width", settings.label_width, 80.0f, 1200.0f);
  each("bottom_height", settings.bottom_height, 60.0f, 2000.0f);
  each("bottom_folded", settings.bottom_folded);
  each("query_height", settings.query_height, 60.0f, 2000.0f);
  each("colours", settings.hues, kHues);
  each("window_width", settings.window_width, 400, 16000);
  each("window_height", settings.window_height, 300, 16000);
}

std::string_view take(Settings& settings, std::string_view key, std::string_view value) {
  if (key == "theme" && value == "system") return "";  // written by earlier versions
  std::optional<std::string_view> problem;
  each_line(settings, [&](std::string_view name, auto& out, const auto&... limits) {
    if (name == key) problem = read(value, out, limits...);
  });
  if (problem) return *problem;
  if (key.starts_with(kOverlayPrefix) && key.size() > kOverlayPrefix.size())
    return read(value, settings.overlays[std::string(key.substr(kOverlayPrefix.size()))]);
  if (key == "recent") {
    if (settings.recents.size() < kMaxRecents && !value.empty()) settings.recents.push_back(unescape(value));
  } else if (key == "root") {
    if (!value.empty()) remember_root(settings, unescape(value));
  } else {
    settings.other[std::string(key)] = value;
  }
  return "";
}

}  // namespace

void remember_recent(Settings& settings, const std::string& path) {
  std::erase(settings.recents, path);
  settings.recents.insert(settings.recents.begin(), path);
  if (settings.recents.size() > kMaxRecents) settings.recents.resize(kMaxRecents);
}

void remember_root(Settings& settings, const std::string& path) {
  if (settings.roots.size() < kMaxRoots && std::ranges::find(settings.roots, path) == settings.roots.end())
    settings.roots.push_back(path);
}

Result<Settings> parse_settings(std::string_view text, std::vector<Error>* wrong) {
  Settings settings;
  const auto failure = settings::each_setting(text, [&](std::string_view key, std::string_view value, int line) {
    Failure doubt;
    if (!settings::take(settings, key, value, &doubt))
      if (const std::string_view what = take(settings, key, value); !what.empty())
        doubt = Error{std::string(key) + " = " + std::string(value), std::string(what), ""};
    if (!doubt || wrong == nullptr) return;
    doubt->where = "line " + std::to_string(line) + ": " + doubt->where;
    wrong->push_back(std::move(*doubt));
  });
  if (failure) return *failure;
  return settings;
}

std::string print_settings(const Settings& settings) {
  std::string out = "# Warpscope settings: one \"key = value\" per line.\n";
  const auto line = [&out](std::string_view key, std::string_view value) {
    out += fmt::format("{} = {}\n", key, value);
  };
  each_line(settings, [&](std::string_view key, const auto& value, const auto&... limits) {
    if (const std::string text = print(value, limits...); !text.empty()) line(key, text);
  });
  out += settings::print(settings);
  for (const auto& [id, shown] : settings.overlays) line(fmt::format("{}{}", kOverlayPrefix, id), print(shown));
  for (const std::string& path : settings.recents) line("recent", escape(path));
  for (const std::string& path : settings.roots) line("root", escape(path));
  for (const auto& [key, value] : settings.other) line(key, value);
  return out;
}

}  // namespace warpscope::ui
