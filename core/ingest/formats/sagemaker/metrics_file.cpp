#include "core/ingest/formats/sagemaker/metrics_file.hpp"

#include "core/base/ascii.hpp"
#include "core/base/file_group.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::ingest::smdebug {

namespace {

constexpr std::string_view kFolder = "/system/incremental/";
constexpr std::size_t kEpochDigits = 10;
constexpr Ns kLatestSecond = 4'102'444'800;  // in the year 2100; even a week later, the time still fits in ns

bool all_digits(std::string_view text) { return !text.empty() && digits_at(text, 0) == text.size(); }

/// Returns the node in ".algo-1.json"; "" for any other ending.
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
  if (digits_at(name, 0) != kEpochDigits) return std::nullopt;
  const std::string_view node = node_in(name.substr(kEpochDigits));
  const Ns second = parse_number<Ns>(name.substr(0, kEpochDigits)).value_or(0);
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
