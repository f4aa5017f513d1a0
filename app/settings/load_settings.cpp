#include "app/settings/load_settings.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "app/settings/settings_text.hpp"
#include "app/settings/window_keys.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/base/format.hpp"
#include "core/ingest/load/load_options.hpp"

namespace warpscope::settings {

namespace {

// Formats a size, with a unit if the result is exact.
std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<std::pair<std::uint64_t, std::string_view>, 3> kUnits = {
      {{std::uint64_t{1} << 30, " GiB"}, {1'000'000'000, " GB"}, {std::uint64_t{1} << 20, " MiB"}}};
  for (const auto& [unit, name] : kUnits)
    if (bytes >= unit && bytes % unit == 0) return std::to_string(bytes / unit) + std::string(name);
  return std::to_string(bytes);
}

/// Returns the error in the value; "" if it is valid.
std::string read_bytes(std::string_view value, std::uint64_t low, std::uint64_t& out) {
  const auto bytes = parse_bytes(value);
  if (!bytes) return bytes.error().what;
  out = std::max(low, *bytes);
  return *bytes < low ? "is too small" : "";
}

std::string limit_text(std::uint64_t bytes) { return bytes > 0 ? bytes_text(bytes) : "no limit"; }

}  // namespace

bool take(LoadSettings& settings, std::string_view key, std::string_view value, Failure* wrong) {
  std::string what;
  std::string holds;
  if (key == "memory_limit") {
    if (value == "none")
      settings.memory_limit = 0;
    else
      what = read_bytes(value, ingest::kLeastMemoryLimit, settings.memory_limit);
    holds = limit_text(settings.memory_limit);
  } else if (key == "keep_stores") {
    if (!read(value, settings.keep_stores)) what = "must be yes or no";
    holds = settings.keep_stores ? "yes" : "no";
  } else if (key == "store_limit") {
    what = read_bytes(value, 0, settings.store_limit);
    holds = bytes_text(settings.store_limit);
  } else if (key == "store_folder") {
    settings.store_folder = unescape(value);
    if (!value.empty() && store_folder(settings) != settings.store_folder) what = "is not an absolute path";
    holds = store_folder(settings).string();
  } else if (key == "kernel_class") {
    if (const auto rules = analysis::parse_kernel_rules(value))
      settings.kernel_class = value;
    else
      what = rules.error().message();
    holds = settings.kernel_class.empty() ? "no rule" : settings.kernel_class;
  } else {
    return false;
  }
  if (wrong != nullptr && !what.empty())
    *wrong = Error{std::string(key) + " = " + std::string(value), what, "using " + holds + " instead"};
  return true;
}

std::string print(const LoadSettings& settings) {
  std::string out = "memory_limit = " + (settings.memory_limit > 0 ? bytes_text(settings.memory_limit) : "none") + '\n';
  out += std::string("keep_stores = ") + (settings.keep_stores ? "yes" : "no") + '\n';
  out += "store_limit = " + bytes_text(settings.store_limit) + '\n';
  if (!settings.store_folder.empty()) out += "store_folder = " + escape(settings.store_folder) + '\n';
  if (!settings.kernel_class.empty()) out += "kernel_class = " + settings.kernel_class + '\n';
  return out;
}

std::filesystem::path store_folder(const LoadSettings& settings) {
  std::filesystem::path own(settings.store_folder);
  return own.is_absolute() ? own : store::Cache::default_folder();
}

Result<LoadSettings> read_load_settings(const std::filesystem::path& path, std::vector<Error>* wrong) {
  const auto text = read_text(path);
  if (!text) return text.error();
  LoadSettings settings;
  const auto failure = each_setting(*text, [&](std::string_view key, std::string_view value, int line) {
    Failure doubt;
    if (!take(settings, key, value, &doubt) && !is_window_key(key))
      doubt = Error{std::string(key), "unknown setting", "the line is ignored"};
    if (!doubt || wrong == nullptr) return;
    doubt->where = "line " + std::to_string(line) + ": " + doubt->where;
    wrong->push_back(std::move(*doubt));
  });
  if (failure) return *failure;
  return settings;
}

}  // namespace warpscope::settings
