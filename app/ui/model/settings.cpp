#include "app/ui/model/settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <utility>

#include "app/settings/settings_text.hpp"
#include "app/ui/model/settings_lines.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::ui {
namespace {

using settings::escape;
using settings::unescape;

constexpr std::array<std::string_view, 3> kThemes = {"system", "dark", "light"};
constexpr std::array<std::string_view, 3> kDensities = {"compact", "normal", "roomy"};
constexpr std::array<std::string_view, 3> kGroupings = {"thin-spaces", "commas", "none"};
constexpr std::array<std::string_view, 5> kTimeUnits = {"auto", "ns", "us", "ms", "s"};
constexpr std::array<std::string_view, 3> kHues = {"standard", "colour-blind-safe", "warm-and-cold"};
constexpr std::array<std::string_view, 3> kStrengths = {"soft", "normal", "strong"};
constexpr std::string_view kKeyPrefix = "keys.";
constexpr std::string_view kOverlayPrefix = "overlay.";
constexpr std::string_view kHeader = "# Warpscope settings. Lines are \"key = value\".\n";

// These return errors for messages; "" if the value is valid. An invalid value keeps the default or is clamped.
constexpr std::string_view kNoWord = "is not a valid value";
constexpr std::string_view kNoNumber = "is not a number";
constexpr std::string_view kOutOfRange = "is out of range";

template <class Enum>
std::string_view read(std::string_view value, std::span<const std::string_view> words, Enum& out) {
  const auto found = std::ranges::find(words, value);
  if (found == words.end()) return kNoWord;
  out = static_cast<Enum>(found - words.begin());
  return "";
}

template <class Number>
std::string_view read(std::string_view value, Number low, Number high, Number& out) {
  const auto number = parse_number<Number>(value);
  if (!number || !std::isfinite(static_cast<double>(*number))) return kNoNumber;
  out = std::clamp(*number, low, high);
  return out == *number ? "" : kOutOfRange;
}

std::string_view read_yes(std::string_view value, bool& out) {
  return settings::read(value, out) ? "" : "must be yes or no";
}

std::string_view read_keys(std::string_view value, std::string_view command, Settings& settings) {
  if (!parse_keys(value)) return "is not a key";
  settings.keys[std::string(command)] = value;
  return "";
}

// "LINE PATH": the line contains no blanks.
std::string_view read_dashboard(std::string_view value, Settings& settings) {
  const std::size_t blank = value.find(' ');
  if (blank == std::string_view::npos) return "is not a dashboard layout";
  if (settings.dashboards.size() < kMaxDashboards)
    settings.dashboards.emplace_back(unescape(trimmed(value.substr(blank), settings::kBlanks)),
                                     std::string(value.substr(0, blank)));
  return "";
}

std::string_view take(Settings& settings, std::string_view key, std::string_view value) {
  if (key == "theme") return read(value, kThemes, settings.theme);
  if (key == "scale")
    return value == "auto" ? (settings.scale = 0, "") : read(value, kMinScale, kMaxScale, settings.scale);
  if (key == "row_density") return read(value, kDensities, settings.density);
  if (key == "wheel_zooms") return read_yes(value, settings.wheel_zooms);
  if (key == "curve_tracks") return read_yes(value, settings.curve_tracks);
  if (key == "all_launch_arrows") return read_yes(value, settings.overlays["launch-arrows"]);  // of earlier versions
  if (key.starts_with(kOverlayPrefix) && key.size() > kOverlayPrefix.size())
    return read_yes(value, settings.overlays[std::string(key.substr(kOverlayPrefix.size()))]);
  if (key == "rail_width") return read(value, 40.0f, 400.0f, settings.rail_width);
  if (key == "rail_folded") return read_yes(value, settings.rail_folded);
  if (key == "label_width") return read(value, 80.0f, 1200.0f, settings.label_width);
  if (key == "bottom_height") return read(value, 60.0f, 2000.0f, settings.bottom_height);
  if (key == "bottom_folded") return read_yes(value, settings.bottom_folded);
  if (key == "default_k") return read(value, std::int64_t{0}, kMostK, settings.default_k);
  if (key == "digits") return read(value, kGroupings, settings.figures.grouping);
  if (key == "times") return read(value, kTimeUnits, settings.figures.time);
  if (key == "font_size") return read(value, kMinFontSize, kMaxFontSize, settings.font_size);
  if (key == "colours") return read(value, kHues, settings.hues);
  if (key == "colour_strength") return read(value, kStrengths, settings.strength);
  if (key == "close_when_idle") return read_yes(value, settings.close_when_idle);
  if (key == "idle_hours") return read(value, kLeastIdleHours, kMostIdleHours, settings.idle_hours);
  if (key.starts_with(kKeyPrefix) && key.size() > kKeyPrefix.size())
    return read_keys(value, key.substr(kKeyPrefix.size()), settings);
  if (key == "window_width") return read(value, 400, 16000, settings.window_width);
  if (key == "window_height") return read(value, 300, 16000, settings.window_height);
  if (key == "dashboard") return read_dashboard(value, settings);
  if (key == "recent") {
    if (settings.recents.size() < kMaxRecents && !value.empty()) settings.recents.push_back(unescape(value));
  } else if (key == "root") {
    if (!value.empty()) remember_root(settings, unescape(value));
  } else if (key == "font_words") {
    settings.font_words = value;
  } else if (key == "font_figures") {
    settings.font_figures = value;
  } else {
    settings.other[std::string(key)] = value;
  }
  return "";
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
  std::vector<Error> unsaid;
  return parse_settings(text, unsaid);
}

Result<Settings> parse_settings(std::string_view text, std::vector<Error>& wrong) {
  Settings settings;
  const auto failure = settings::each_setting(text, [&](std::string_view key, std::string_view value, int line) {
    Failure doubt;
    if (!settings::take(settings, key, value, &doubt))
      if (const std::string_view what = take(settings, key, value); !what.empty())
        doubt = Error{std::string(key) + " = " + std::string(value), std::string(what), ""};
    if (!doubt) return;
    doubt->where = "line " + std::to_string(line) + ": " + doubt->where;
    wrong.push_back(std::move(*doubt));
  });
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
  for (const auto& [id, shown] : settings.overlays) out << kOverlayPrefix << id << " = " << yes_no(shown) << '\n';
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
