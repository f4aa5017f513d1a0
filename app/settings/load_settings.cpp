#include "app/settings/load_settings.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "app/settings/settings_text.hpp"
#include "core/base/format.hpp"
#include "core/ingest/load_options.hpp"

namespace warpscope::settings {

namespace {

void read_bytes(std::string_view value, std::uint64_t low, std::uint64_t& out) {
  if (const auto bytes = parse_bytes(value)) out = std::max(low, *bytes);
}

// Sizes as people write them, where that is exact.
std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<std::pair<std::uint64_t, std::string_view>, 3> kUnits = {
      {{std::uint64_t{1} << 30, " GiB"}, {1'000'000'000, " GB"}, {std::uint64_t{1} << 20, " MiB"}}};
  for (const auto& [unit, name] : kUnits)
    if (bytes >= unit && bytes % unit == 0) return std::to_string(bytes / unit) + std::string(name);
  return std::to_string(bytes);
}

}  // namespace

bool take(LoadSettings& settings, std::string_view key, std::string_view value) {
  if (key == "memory_limit") {
    value == "none" ? void(settings.memory_limit = 0)
                    : read_bytes(value, ingest::kLeastMemoryLimit, settings.memory_limit);
  } else if (key == "keep_stores") {
    read(value, settings.keep_stores);
  } else if (key == "store_limit") {
    read_bytes(value, 0, settings.store_limit);
  } else if (key == "store_folder") {
    settings.store_folder = unescape(value);
  } else {
    return false;
  }
  return true;
}

std::string print(const LoadSettings& settings) {
  std::string out = "memory_limit = " + (settings.memory_limit > 0 ? bytes_text(settings.memory_limit) : "none") + '\n';
  out += std::string("keep_stores = ") + (settings.keep_stores ? "yes" : "no") + '\n';
  out += "store_limit = " + bytes_text(settings.store_limit) + '\n';
  if (!settings.store_folder.empty()) out += "store_folder = " + escape(settings.store_folder) + '\n';
  return out;
}

std::filesystem::path store_folder(const LoadSettings& settings) {
  std::filesystem::path own(settings.store_folder);
  return own.is_absolute() ? own : store::Cache::default_folder();
}

Result<LoadSettings> read_load_settings(const std::filesystem::path& path) {
  const auto text = read_text(path);
  if (!text) return text.error();
  LoadSettings settings;
  const auto failure = each_setting(
      *text, [&](std::string_view key, std::string_view value) { static_cast<void>(take(settings, key, value)); });
  if (failure) return *failure;
  return settings;
}

}  // namespace warpscope::settings
