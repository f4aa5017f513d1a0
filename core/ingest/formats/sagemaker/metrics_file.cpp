#include "core/ingest/formats/sagemaker/metrics_file.hpp"

#include <algorithm>

namespace warpscope::ingest::smdebug {

namespace {

constexpr std::string_view kFolder = "/system/incremental/";
constexpr std::size_t kEpochDigits = 10;
constexpr Ns kLatestSecond = 4'102'444'800;  // in the year 2100: a time one week off still fits in ns

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<MetricsFileName> metrics_file_name(std::string_view path) {
  constexpr std::string_view kEnding = ".json";
  constexpr std::string_view kNode = "algo-";
  const std::size_t slash = path.rfind('/');
  const std::string_view folder = slash == std::string_view::npos ? "." : path.substr(0, slash);
  std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (name.size() <= kEpochDigits + 1 || name[kEpochDigits] != '.' || !all_digits(name.substr(0, kEpochDigits)) ||
      !name.ends_with(kEnding))
    return std::nullopt;
  Ns second = 0;
  for (const char c : name.substr(0, kEpochDigits)) second = second * 10 + (c - '0');
  if (second > kLatestSecond) return std::nullopt;
  name = name.substr(kEpochDigits + 1, name.size() - kEpochDigits - 1 - kEnding.size());
  if (!name.starts_with(kNode) || !all_digits(name.substr(kNode.size()))) return std::nullopt;
  const std::size_t system = path.rfind(kFolder);
  return MetricsFileName{std::string(system == std::string_view::npos ? folder : path.substr(0, system)),
                         std::string(name), second * 1'000'000'000};
}

std::string metrics_pattern(std::string_view folder, std::string_view node) {
  return std::string(folder).append("/system/*.").append(node).append(".json");
}

bool in_metrics_folder(std::string_view path) { return path.find(kFolder) != std::string_view::npos; }

}  // namespace warpscope::ingest::smdebug
