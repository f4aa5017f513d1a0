#include "app/ui/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

#include "app/settings/settings_text.hpp"

namespace warpscope::ui {
namespace {

using settings::escape;
using settings::read;
using settings::trim;
using settings::unescape;

constexpr std::array<std::string_view, 3> kThemes = {"system", "dark", "light"};
constexpr std::array<std::string_view, 3> kDensities = {"compact", "normal", "roomy"};
constexpr std::array<std::string_view, 3> kGroupings = {"thin-spaces", "commas", "none"};
constexpr std::array<std::string_view, 5> kTimeUnits = {"auto", "ns", "us", "ms", "s"};
constexpr std::array<std::string_view, 3> kHues = {"standard", "colour-blind-safe", "warm-and-cold"};
constexpr std::array<std::string_view, 3> kStrengths = {"soft", "normal", "strong"};
constexpr std::string_view kKeyPrefix = "keys.";
constexpr std::string_view kHeader = "# Warpscope settings. Lines are \"key = value\".\n";

template <class Enum>
void read(std::string_view value, std::span<const std::string_view> words, Enum& out) {
  const auto found = std::ranges::find(words, value);
  if (found != words.end()) out = static_cast<Enum>(found - words.begin());
}

template <class Number>
void read(std::string_view value, Number low, Number high, Number& out) {
  Number number{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size()) return;
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(number)) return;
  }
  out = std::clamp(number, low, high);
}

void take(Settings& settings, std::string_view key, std::string_view value) {
  if (settings::take(settings, key, value)) return;
  if (key == "theme")
    read(value, kThemes, settings.theme);
  else if (key == "scale")
    value == "auto" ? void(settings.scale = 0) : read(value, kMinScale, kMaxScale, settings.scale);
  else if (key == "row_density")
    read(value, kDensities, settings.density);
  else if (key == "wheel_zooms")
    read(value, settings.wheel_zooms);
  else if (key == "curve_tracks")
    read(value, settings.curve_tracks);
  else if (key == "all_launch_arrows")
    read(value, settings.all_launch_arrows);
  else if (key == "rail_width")
    read(value, 40.0f, 400.0f, settings.rail_width);
  else if (key == "rail_folded")
    read(value, settings.rail_folded);
  else if (key == "label_width")
    read(value, 80.0f, 1200.0f, settings.label_width);
  else if (key == "bottom_height")
    read(value, 60.0f, 2000.0f, settings.bottom_height);
  else if (key == "bottom_folded")
    read(value, settings.bottom_folded);
  else if (key == "default_k")
    read(value, std::int64_t{0}, kMostK, settings.default_k);
  else if (key == "digits")
    read(value, kGroupings, settings.figures.grouping);
  else if (key == "times")
    read(value, kTimeUnits, settings.figures.time);
  else if (key == "font_size")
    read(value, kMinFontSize, kMaxFontSize, settings.font_size);
  else if (key == "font_words")
    settings.font_words = value;
  else if (key == "font_figures")
    settings.font_figures = value;
  else if (key == "colours")
    read(value, kHues, settings.hues);
  else if (key == "colour_strength")
    read(value, kStrengths, settings.strength);
  else if (key == "close_when_idle")
    read(value, settings.close_when_idle);
  else if (key == "idle_hours")
    read(value, kLeastIdleHours, kMostIdleHours, settings.idle_hours);
  else if (key.starts_with(kKeyPrefix) && key.size() > kKeyPrefix.size()) {
    if (parse_keys(value)) settings.keys[std::string(key.substr(kKeyPrefix.size()))] = value;
  } else if (key == "window_width")
    read(value, 400, 16000, settings.window_width);
  else if (key == "window_height")
    read(value, 300, 16000, settings.window_height);
  else if (key == "recent") {
    if (settings.recents.size() < kMaxRecents && !value.empty()) settings.recents.push_back(unescape(value));
  } else if (key == "dashboard") {
    // "LINE PATH": the line has no blanks.
    const std::size_t blank = value.find(' ');
    if (settings.dashboards.size() < kMaxDashboards && blank != std::string_view::npos)
      settings.dashboards.emplace_back(unescape(trim(value.substr(blank))), std::string(value.substr(0, blank)));
  } else if (key == "root") {
    if (!value.empty()) remember_root(settings, unescape(value));
  } else {
    settings.other[std::string(key)] = value;
  }
}

template <class Number>
std::string number_text(Number number) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  return {buffer.data(), end};
}

}  // namespace

float row_height(RowDensity density) {
  switch (density) {
    case RowDensity::compact:
      return 12;
    case RowDensity::normal:
      return 20;
    case RowDensity::roomy:
      return 28;
  }
  return 20;
}

std::string_view to_string(ThemeChoice choice) { return kThemes[static_cast<std::size_t>(choice)]; }
std::string_view to_string(RowDensity density) { return kDensities[static_cast<std::size_t>(density)]; }

void remember_recent(Settings& settings, const std::string& path) {
  std::erase(settings.recents, path);
  settings.recents.insert(settings.recents.begin(), path);
  if (settings.recents.size() > kMaxRecents) settings.recents.resize(kMaxRecents);
}

void remember_root(Settings& settings, const std::string& path) {
  if (settings.roots.size() < kMaxRoots && std::ranges::find(settings.roots, path) == settings.roots.end())
    settings.roots.push_back(path);
}

Result<Settings> parse_settings(std::string_view text) {
  Settings settings;
  const auto failure = settings::each_setting(
      text, [&](std::string_view key, std::string_view value, int) { take(settings, key, value); });
  if (failure) return *failure;
  return settings;
}

std::string print_settings(const Settings& settings) {
  std::ostringstream out;
  const auto yes_no = [](bool value) { return value ? "yes" : "no"; };
  out << kHeader;
  out << "theme = " << to_string(settings.theme) << '\n';
  out << "scale = " << (settings.scale > 0 ? number_text(settings.scale) : "auto") << '\n';
  out << "row_density = " << to_string(settings.density) << '\n';
  out << "wheel_zooms = " << yes_no(settings.wheel_zooms) << '\n';
  out << "curve_tracks = " << yes_no(settings.curve_tracks) << '\n';
  out << "all_launch_arrows = " << yes_no(settings.all_launch_arrows) << '\n';
  out << "rail_width = " << number_text(settings.rail_width) << '\n';
  out << "rail_folded = " << yes_no(settings.rail_folded) << '\n';
  out << "label_width = " << number_text(settings.label_width) << '\n';
  out << "bottom_height = " << number_text(settings.bottom_height) << '\n';
  out << "bottom_folded = " << yes_no(settings.bottom_folded) << '\n';
  out << settings::print(settings);
  out << "default_k = " << settings.default_k << '\n';
  out << "digits = " << kGroupings[static_cast<std::size_t>(settings.figures.grouping)] << '\n';
  out << "times = " << kTimeUnits[static_cast<std::size_t>(settings.figures.time)] << '\n';
  out << "font_size = " << number_text(settings.font_size) << '\n';
  if (!settings.font_words.empty()) out << "font_words = " << settings.font_words << '\n';
  if (!settings.font_figures.empty()) out << "font_figures = " << settings.font_figures << '\n';
  out << "colours = " << kHues[static_cast<std::size_t>(settings.hues)] << '\n';
  out << "colour_strength = " << kStrengths[static_cast<std::size_t>(settings.strength)] << '\n';
  out << "close_when_idle = " << yes_no(settings.close_when_idle) << '\n';
  out << "idle_hours = " << number_text(settings.idle_hours) << '\n';
  for (const auto& [id, keys] : settings.keys) out << kKeyPrefix << id << " = " << keys << '\n';
  out << "window_width = " << settings.window_width << '\n';
  out << "window_height = " << settings.window_height << '\n';
  for (const std::string& path : settings.recents) out << "recent = " << escape(path) << '\n';
  for (const auto& [path, layout] : settings.dashboards) out << "dashboard = " << layout << ' ' << escape(path) << '\n';
  for (const std::string& path : settings.roots) out << "root = " << escape(path) << '\n';
  for (const auto& [key, value] : settings.other) out << key << " = " << value << '\n';
  return out.str();
}

}  // namespace warpscope::ui
