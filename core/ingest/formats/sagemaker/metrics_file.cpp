#include "core/ingest/formats/sagemaker/metrics_file.hpp"

#include <algorithm>

#include "core/base/file_group.hpp"

namespace warpscope::ingest::smdebug {

namespace {

constexpr std::string_view kFolder = "/system/incremental/";
constexpr std::size_t kEpochDigits = 10;
constexpr Ns kLatestSecond = 4'102'444'800;  // in the year 2100: a time one week off still fits in ns

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns the node in ".algo-1.json"; "" if it is not such an ending.
std::string_view node_in(std::string_view ending) {
  constexpr std::string_view kJson = ".json";
  constexpr std::string_view kNode = ".algo-";
  if (!ending.starts_with(kNode) || !ending.ends_with(kJson)) return {};
  ending.remove_suffix(kJson.size());
  return all_digits(ending.substr(kNode.size())) ? ending.substr(1) : std::string_view();
}

}  // namespace

std::optional<MetricsFileName> metrics_file_name(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.size() <= kEpochDigits || !all_digits(name.substr(0, kEpochDigits))) return std::nullopt;
  const std::string_view node = node_in(name.substr(kEpochDigits));
  Ns second = 0;
  for (const char c : name.substr(0, kEpochDigits)) second = second * 10 + (c - '0');
  if (node.empty() || second > kLatestSecond) return std::nullopt;
  return MetricsFileName{std::string(node), second * 1'000'000'000};
}

std::string group_of_metrics(std::string_view path, std::string_view node) {
  const std::size_t incremental = path.rfind(kFolder);
  const std::size_t slash = path.rfind('/');
  const bool below = incremental != std::string_view::npos;
  const std::string_view folder = below                             ? path.substr(0, incremental + kFolder.size() - 1)
                                  : slash == std::string_view::npos ? "."
                                                                    : path.substr(0, slash);
  return group_path_of_ending(folder, "." + std::string(node) + ".json", below);
}

std::string node_of_group(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::string(is_group(path) ? node_in(name.substr(1)) : std::string_view());
}

bool in_metrics_folder(std::string_view path) { return path.find(kFolder) != std::string_view::npos; }

}  // namespace warpscope::ingest::smdebug
