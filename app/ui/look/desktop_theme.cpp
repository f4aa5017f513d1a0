#include "app/ui/look/desktop_theme.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "core/base/ascii.hpp"
#include "core/base/files/regular_file.hpp"

namespace warpscope::ui {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  const auto text = read_small_file(path.string());
  return text ? *text : std::string();
}

bool named_dark(std::string_view theme) {
  const std::string name = lower(theme);
  return name.ends_with("dark") || name.find("-dark") != std::string::npos || name.find(":dark") != std::string::npos;
}

/// GNOME's database is binary but stores strings as plain text, and no other key has these values.
std::optional<bool> of_dconf(const fs::path& config) {
  const std::string database = contents(config / "dconf" / "user");
  if (database.find("prefer-dark") != std::string::npos) return true;
  if (database.find("prefer-light") != std::string::npos) return false;
  return std::nullopt;
}

/// Returns the trimmed value of `key` in `[section]`.
std::optional<std::string> ini_value(const std::string& text, std::string_view section, std::string_view key) {
  std::istringstream lines(text);
  bool within = false;
  for (std::string line; std::getline(lines, line);) {
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    if (line.starts_with('[')) within = line == "[" + std::string(section) + "]";
    if (within && line.starts_with(std::string(key) + "=")) return line.substr(key.size() + 1);
  }
  return std::nullopt;
}

std::optional<bool> of_kde(const fs::path& config) {
  const std::string text = contents(config / "kdeglobals");
  if (const auto color = ini_value(text, "Colors:Window", "BackgroundNormal")) {
    int red = 0, green = 0, blue = 0;
    if (std::sscanf(color->c_str(), "%d,%d,%d", &red, &green, &blue) == 3) return red + green + blue < 3 * 128;
  }
  if (const auto scheme = ini_value(text, "General", "ColorScheme")) return named_dark(*scheme);
  return std::nullopt;
}

std::optional<bool> of_gtk(const fs::path& settings) {
  const std::string text = contents(settings);
  if (const auto dark = ini_value(text, "Settings", "gtk-application-prefer-dark-theme"))
    return *dark == "1" || lower(*dark) == "true";
  if (const auto theme = ini_value(text, "Settings", "gtk-theme-name")) return named_dark(*theme);
  return std::nullopt;
}

}  // namespace

std::optional<bool> desktop_is_dark(std::string_view gtk_theme, const fs::path& config) {
  if (!gtk_theme.empty()) return named_dark(gtk_theme);
  if (config.empty()) return std::nullopt;
  if (const auto told = of_dconf(config)) return told;
  if (const auto told = of_kde(config)) return told;
  if (const auto told = of_gtk(config / "gtk-4.0" / "settings.ini")) return told;
  return of_gtk(config / "gtk-3.0" / "settings.ini");
}

std::optional<bool> desktop_is_dark() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  fs::path config(variable("XDG_CONFIG_HOME"));
  if (config.empty() && !variable("HOME").empty()) config = fs::path(variable("HOME")) / ".config";
  return desktop_is_dark(variable("GTK_THEME"), config);
}

}  // namespace warpscope::ui
