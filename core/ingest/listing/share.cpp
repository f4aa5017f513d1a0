#include "core/ingest/listing/share.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/parse_number.hpp"
#include "core/ingest/bytes/converted_profile.hpp"
#include "core/store/format.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kMostShares = 1'000'000;

/// Variables with the place of a process.
struct Places {
  const char* number;
  const char* count;
};
constexpr std::array kPlaces{
    Places{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    Places{"PMI_RANK", "PMI_SIZE"},
    Places{"SLURM_PROCID", "SLURM_NTASKS"},
    Places{"JOB_COMPLETION_INDEX", nullptr},
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

/// Returns the share of a task of a Slurm array; nullopt if there is none.
std::optional<Result<Share>> share_of_array(std::optional<std::size_t> count, const ReadVariable& variable) {
  const auto own = number_in(variable, "SLURM_ARRAY_TASK_ID");
  if (!own) return std::nullopt;
  if (count) {
    if (*own >= 1 && *own <= *count) return Share{*own, *count};
    return Error{"--share auto", fmt::format("this task of the array has the number {}", *own),
                 fmt::format("number the array from 1: --array=1-{}", *count)};
  }
  const auto first = number_in(variable, "SLURM_ARRAY_TASK_MIN");
  const auto last = number_in(variable, "SLURM_ARRAY_TASK_MAX");
  const auto tasks = number_in(variable, "SLURM_ARRAY_TASK_COUNT");
  if (first && last && tasks && *first <= *own && *own <= *last && *last - *first + 1 == *tasks)
    return Share{*own - *first + 1, *tasks};
  return Error{"--share auto", "the array has gaps", "number the tasks from 1, and specify how many: --share auto/16"};
}

/// True in a batch script of several tasks, which runs once, and has the place of the first.
bool is_batch_script(const ReadVariable& variable) {
  constexpr std::size_t kBatchStep = 4294967291;
  const auto step = number_in(variable, "SLURM_STEP_ID");
  return number_in(variable, "SLURM_NTASKS").value_or(1) > 1 && (!step || *step == kBatchStep);
}

std::uint64_t hash_of_name(const std::string& root, const std::string& path) {
  const std::string name = std::filesystem::path(path).lexically_relative(root).string();
  return store::fnv1a(std::span(reinterpret_cast<const std::uint8_t*>(name.data()), name.size()));
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
  if (const auto task = share_of_array(count, variable)) return *task;
  for (const Places& place : kPlaces) {
    const auto own = number_in(variable, place.number);
    if (!own) continue;
    const auto all = count ? count : number_in(variable, place.count);
    if (!all)
      return Error{"--share auto", fmt::format("{} is set, but not the number of processes", place.number),
                   "specify it: --share auto/16"};
    if (std::string_view(place.number) == "SLURM_PROCID" && is_batch_script(variable))
      return Error{"--share auto", "this is one process, outside of Slurm's tasks", "start it with srun"};
    return checked(text, {*own + 1, *all});
  }
  return Error{"--share auto", "no launcher has set the place of this process", "specify it: --share 3/16"};
}

std::vector<trace::SourceFile> sources_of(Share share, const std::string& root,
                                          std::span<const trace::SourceFile> sources) {
  std::vector<std::pair<std::uint64_t, std::size_t>> dealt;
  for (std::size_t i = 0; i < sources.size(); ++i) dealt.emplace_back(hash_of_name(root, sources[i].path), i);
  std::ranges::sort(dealt);
  std::vector<std::size_t> own;
  for (std::size_t place = share.number - 1; place < dealt.size(); place += share.of)
    own.push_back(dealt[place].second);
  std::ranges::sort(own);
  std::vector<trace::SourceFile> chosen;
  for (const std::size_t i : own) chosen.push_back(sources[i]);
  return chosen;
}

Shard shard_of(Share share, const std::string& root, std::span<const trace::SourceFile> sources) {
  std::uint64_t names = sources.size();
  for (const trace::SourceFile& source : sources) names = names * 0x100000001B3u + hash_of_name(root, source.path);
  return {share, static_cast<std::uint32_t>(names ^ names >> 32)};
}

std::string shard_name(const Shard& shard) {
  return fmt::format("{:03}-of-{:03}-{:08x}.wscope", shard.share.number, shard.share.of, shard.names);
}

std::optional<Shard> parse_shard_name(std::string_view file_name) {
  const std::vector<std::string_view> parts = parts_of(file_name, "-.");
  if (parts.size() != 5) return std::nullopt;
  const auto number = parse_number<std::size_t>(parts[0]);
  const auto of = parse_number<std::size_t>(parts[2]);
  std::uint32_t names = 0;
  const auto hex = std::from_chars(parts[3].data(), parts[3].data() + parts[3].size(), names, 16);
  if (!number || !of || hex.ec != std::errc() || *number < 1 || *number > *of || *of > kMostShares) return std::nullopt;
  const Shard shard{{*number, *of}, names};
  return shard_name(shard) == file_name ? std::optional(shard) : std::nullopt;
}

Shards shards_among(std::span<const std::string> files) {
  Shards found;
  std::set<std::tuple<std::string, std::size_t, std::uint32_t>> jobs;
  std::set<std::size_t> present;
  for (const std::string& file : files) {
    const std::filesystem::path path(file);
    const auto shard = parse_shard_name(path.filename().string());
    if (!shard) {
      found.others.push_back(file);
      continue;
    }
    found.files.push_back(file);
    present.insert(shard->share.number);
    jobs.emplace(path.parent_path().string(), shard->share.of, shard->names);
  }
  if (jobs.size() != 1) {
    found.files.clear();
    return found;
  }
  const auto& [folder, of, names] = *jobs.begin();
  for (std::size_t number = 1; number <= of; ++number)
    if (!present.contains(number)) found.missing.push_back(shard_name({{number, of}, names}));
  return found;
}

Result<ConvertedProfile> one_profile(const std::string& root, std::span<const std::string> converted) {
  Shards shards = shards_among(converted);
  if (!shards.files.empty()) return ConvertedProfile{shards.files, std::move(shards)};
  const std::vector<std::string> files(converted.begin(), converted.end());
  if (files.size() != 1) return several_converted(root, files);
  return ConvertedProfile{files, {}};
}

std::string Shards::missing_text() const {
  constexpr std::size_t kNamed = 6;
  const std::size_t named = std::min(missing.size(), kNamed);
  std::string text =
      fmt::format("{}", fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  if (missing.size() > named) text += fmt::format(" and {} more", missing.size() - named);
  return text;
}

}  // namespace warpscope::ingest
