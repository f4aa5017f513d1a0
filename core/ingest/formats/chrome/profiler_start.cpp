#include "core/ingest/formats/chrome/profiler_start.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "core/base/parse_number.hpp"
#include "core/ingest/format/recording_time.hpp"
#include "core/ingest/formats/pevents/timeline_name.hpp"

namespace warpscope::ingest::chrome {

namespace {

constexpr std::string_view kProfiling = "/detailed_profiling/";
constexpr std::string_view kSpanEnding = ".metadata";

}  // namespace

std::optional<ProfilerStart> start_in_name(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.ends_with(kSpanEnding)) return std::nullopt;
  name.remove_suffix(kSpanEnding.size());
  const std::size_t end = name.rfind('_');
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  const std::size_t start = name.rfind('_', end - 1);
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view digits = name.substr(start + 1, end - start - 1);
  const auto micros = parse_number<Ns>(digits);
  if (!micros || *micros > kLatestRecording / 1000 || !plausible_time(*micros * 1000)) return std::nullopt;
  return ProfilerStart{*micros * 1000, std::string(name.substr(0, start))};
}

void ProfilerStart::describe(PendingRank& pending) const {
  pending.metadata["baseTimeNanoseconds"] = std::to_string(time);
  pevents::describe_writer(pending, pevents::writer_of(writer));
}

bool gathered_by_debugger(std::string_view path) { return path.find(kProfiling) != std::string_view::npos; }

std::optional<ProfilerStart> profiler_start(const std::string& path) {
  namespace fs = std::filesystem;
  if (!gathered_by_debugger(path)) return std::nullopt;
  fs::path folder = fs::path(path).parent_path();  // TIME
  for (int up = 0; up < 3; ++up) folder = folder.parent_path();
  std::vector<ProfilerStart> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator(); entry.increment(error))
    if (auto start = start_in_name(entry->path().filename().native())) found.push_back(std::move(*start));
  if (found.size() == 1) return found.front();
  const std::string name = fs::path(path).filename().string();
  const std::string host = "-" + name.substr(0, name.find(".trace.json"));
  const auto own = [&](const ProfilerStart& start) { return start.writer.ends_with(host); };
  if (std::ranges::count_if(found, own) != 1) return std::nullopt;
  return *std::ranges::find_if(found, own);
}

}  // namespace warpscope::ingest::chrome
