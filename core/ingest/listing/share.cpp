#include "core/ingest/listing/share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <set>
#include <utility>

#include "core/base/parse_number.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kMostShares = 1'000'000;

/// Variables with the place of a process. Arrays first: their tasks may start processes with a place of their own.
struct Places {
  const char* number;
  const char* count;  ///< nullptr: not in the environment
  const char* first = nullptr;
};
constexpr std::array kPlaces{
    Places{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"},
    Places{"JOB_COMPLETION_INDEX", nullptr},
    Places{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    Places{"PMI_RANK", "PMI_SIZE"},
    Places{"SLURM_PROCID", "SLURM_NTASKS"},
};

std::optional<std::size_t> number_in(const ReadVariable& variable, const char* name) {
  const char* const text = name == nullptr ? nullptr : variable(name);
  return text == nullptr ? std::nullopt : parse_number<std::size_t>(std::string_view(text));
}

Error wrong(std::string_view text, std::string what) {
  return {"--share " + std::string(text), std::move(what), "use NUMBER/COUNT, such as 3/16, or auto"};
}

Result<Share> checked(std::string_view text, Share share) {
  if (share.number >= 1 && share.number <= share.of && share.of <= kMostShares) return share;
  return wrong(text, fmt::format("is not a share: {} of {}", share.number, share.of));
}

}  // namespace

Result<Share> parse_share(std::string_view text, const ReadVariable& variable) {
  const std::size_t slash = text.find('/');
  const std::string_view number = text.substr(0, slash);
  const auto count = slash == std::string_view::npos ? std::nullopt : parse_number<std::size_t>(text.substr(slash + 1));
  if (slash != std::string_view::npos && !count) return wrong(text, "is not a share");
  if (number != "auto") {
    const auto own = parse_number<std::size_t>(number);
    return own && count ? checked(text, {*own, *count}) : wrong(text, "is not a share");
  }
  for (const Places& place : kPlaces) {
    const auto own = number_in(variable, place.number);
    if (!own) continue;
    const auto all = count ? count : number_in(variable, place.count);
    if (!all)
      return Error{"--share auto", fmt::format("{} is set, but not the number of processes", place.number),
                   "specify it: --share auto/16"};
    const std::size_t first = number_in(variable, place.first).value_or(0);
    return checked(text, {*own - std::min(first, *own) + 1, *all});
  }
  return Error{"--share auto", "no launcher has set the place of this process", "specify it: --share 3/16"};
}

std::vector<trace::SourceFile> sources_of(Share share, std::span<const trace::SourceFile> sources) {
  std::vector<std::size_t> by_size(sources.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::ranges::stable_sort(by_size, std::ranges::greater(), [&](std::size_t i) { return sources[i].size; });
  std::vector<std::uint64_t> bytes(used_shares(sources.size(), share.of));
  std::vector<std::size_t> files(bytes.size());
  std::vector<std::size_t> own;
  for (const std::size_t i : by_size) {
    std::size_t least = 0;
    for (std::size_t s = 1; s < bytes.size(); ++s)
      if (std::pair(bytes[s], files[s]) < std::pair(bytes[least], files[least])) least = s;
    bytes[least] += sources[i].size;
    ++files[least];
    if (least + 1 == share.number) own.push_back(i);
  }
  std::ranges::sort(own);
  std::vector<trace::SourceFile> chosen;
  for (const std::size_t i : own) chosen.push_back(sources[i]);
  return chosen;
}

std::string shard_name(Share share) { return fmt::format("{:03}-of-{:03}.wscope", share.number, share.of); }

std::optional<Share> share_of_shard(std::string_view file_name) {
  constexpr std::string_view kBetween = "-of-";
  const std::size_t between = file_name.find(kBetween);
  if (between == std::string_view::npos) return std::nullopt;
  const std::string_view rest = file_name.substr(between + kBetween.size());
  const auto number = parse_number<std::size_t>(file_name.substr(0, between));
  const auto of = parse_number<std::size_t>(rest.substr(0, rest.find('.')));
  if (!number || !of || *number < 1 || *number > *of || *of > kMostShares) return std::nullopt;
  const Share share{*number, *of};
  return shard_name(share) == file_name ? std::optional(share) : std::nullopt;
}

bool are_shards(std::span<const std::string> files) {
  std::set<std::pair<std::string, std::size_t>> jobs;  // folder and number of shards
  for (const std::string& file : files) {
    const std::filesystem::path path(file);
    const auto share = share_of_shard(path.filename().string());
    if (!share) return false;
    jobs.emplace(path.parent_path().string(), share->of);
  }
  return jobs.size() == 1;
}

std::vector<std::string> missing_shards(std::span<const std::string> files) {
  std::set<std::size_t> present;
  std::size_t of = 0;
  for (const std::string& file : files)
    if (const auto share = share_of_shard(std::filesystem::path(file).filename().string())) {
      present.insert(share->number);
      of = share->of;
    }
  std::vector<std::string> missing;
  for (std::size_t number = 1; number <= of; ++number)
    if (!present.contains(number)) missing.push_back(shard_name({number, of}));
  return missing;
}

}  // namespace warpscope::ingest
