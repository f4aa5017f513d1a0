#include "app/settings/settings_text.hpp"

#include "core/base/files/regular_file.hpp"
#include "core/base/parse_number.hpp"
#include "core/base/user_folders.hpp"

namespace warpscope::settings {

std::filesystem::path default_settings_path() {
  const std::filesystem::path folder = user_config_folder();
  return folder.empty() ? folder : folder / "settings";
}

Result<std::string> read_text(const std::filesystem::path& path) {
  if (path.empty() || is_missing(path.string())) return std::string();
  auto text = read_small_file(path.string());
  if (!text) return Error{"", text.error().what, ""};  // callers add the path
  return text;
}

Failure each_setting(std::string_view text,
                     const std::function<void(std::string_view key, std::string_view value, int line)>& each) {
  int number = 0;
  for (const std::string_view whole : parts_of(text, "\n")) {
    ++number;
    const std::string_view line = trimmed(whole, kBlanks);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || equals == 0 || line.find('\0') != std::string_view::npos)
      return Error{"line " + std::to_string(number), "not a \"key = value\" line", "fix the line or delete the file"};
    each(trimmed(line.substr(0, equals), kBlanks), trimmed(line.substr(equals + 1), kBlanks), number);
  }
  return {};
}

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else
      out += c;
  }
  return out;
}

std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    out += c == 'n' ? '\n' : c == 'r' ? '\r' : c;
  }
  return out;
}

bool read(std::string_view value, bool& out) {
  const bool yes = value == "yes" || value == "true" || value == "on";
  const bool known = yes || value == "no" || value == "false" || value == "off";
  if (known) out = yes;
  return known;
}

}  // namespace warpscope::settings
