#include "core/trace/recordings.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/file_group.hpp"
#include "core/base/format.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::trace {

namespace {

using RankFiles = std::span<const std::shared_ptr<const Rank>>;

/// The files of one rank of a job, as indices sorted by time, and the recording of each.
struct FilesOfRank {
  std::vector<std::uint32_t> ranks;
  std::vector<std::uint32_t> recordings;  // parallel to the files
  std::vector<Interval> times;            // by recording
};

std::set<std::int64_t> world_sizes(RankFiles ranks) {
  std::set<std::int64_t> sizes;
  for (const auto& rank : ranks)
    if (rank->world_size > 0) sizes.insert(rank->world_size);
  return sizes;
}

/// Files that overlap in time are duplicates within one recording.
void split_by_time(FilesOfRank& files, RankFiles ranks) {
  std::ranges::stable_sort(files.ranks, {}, [&](std::uint32_t r) { return ranks[r]->span.begin; });
  for (const std::uint32_t r : files.ranks) {
    const Interval span = ranks[r]->span;
    if (files.times.empty() || (!span.empty() && span.begin >= files.times.back().end))
      files.times.push_back(span);
    else
      files.times.back() = cover(files.times.back(), span);
    files.recordings.push_back(static_cast<std::uint32_t>(files.times.size() - 1));
  }
}

Ns distance(Interval a, Interval b) {
  return std::max(saturating_difference(a.begin, b.end), saturating_difference(b.begin, a.end));
}

std::uint32_t nearest(const std::vector<Interval>& times, Interval time) {
  const auto best = std::ranges::min_element(times, {}, [&](Interval each) { return distance(each, time); });
  return static_cast<std::uint32_t>(best - times.begin());
}

/// Returns a metadata value without quotes; "" if there is none.
std::string_view text_of(const Rank& rank, const std::string& key) {
  const auto found = rank.properties.find(key);
  std::string_view text = found == rank.properties.end() ? std::string_view() : found->second;
  if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

/// Distinguishes files that are parts of one rank: programs that record the same process, and forked processes.
using Part = std::tuple<std::string, std::string, std::int64_t>;
Part part_of(const Rank& rank) {
  return {std::string(text_of(rank, "trace format")), std::string(text_of(rank, kRecorderProperty)),
          forked_from(rank).empty() ? -1 : rank.process};
}

/// Returns the ranks numbered in file order; empty if all have the same number. Ranks of a merged file are identified
/// by their labels instead.
std::vector<const Rank*> assumed_ranks(RankFiles ranks) {
  std::set<std::int64_t> numbers;
  std::vector<const Rank*> assumed;
  for (const auto& rank : ranks) {
    if (!rank->number_assigned || !label_in_merged(rank->source.path).empty()) continue;
    assumed.push_back(rank.get());
    numbers.insert(rank->number);
  }
  if (numbers.size() < 2) assumed.clear();
  return assumed;
}

void note_assumed_ranks(Profile& profile) {
  const std::vector<const Rank*> assumed = assumed_ranks(profile.ranks);
  if (assumed.empty()) return;
  // Traces from programs other than PyTorch never contain ranks.
  const bool programs =
      std::ranges::all_of(assumed, [](const Rank* rank) { return rank->properties.contains("trace format"); });
  const Rank& first = *assumed.front();
  const Rank& other = **std::ranges::find_if(assumed, [&](const Rank* rank) { return rank->number != first.number; });
  std::string example = first.source.path + " is shown as rank " + std::to_string(first.number) + ", " +
                        other.source.path + " as rank " + std::to_string(other.number);
  if (const Ns apart = distance(first.span, other.span); apart > 0)
    example += "; they are " + format_duration(apart) + " apart, which suggests two runs";
  profile.diagnostics.add("ranks-assumed", programs ? Severity::info : Severity::warning, profile.path,
                          Diagnostic::kNoOffset, example, assumed.size());
}

}  // namespace

std::size_t count_ranks(RankFiles ranks) {
  const std::set<std::int64_t> sizes = world_sizes(ranks);
  std::set<std::pair<std::int64_t, std::int64_t>> numbers;  // world size, number
  for (const auto& rank : ranks) numbers.emplace(sizes.size() == 1 ? *sizes.begin() : rank->world_size, rank->number);
  return numbers.size();
}

std::string_view assumed_ranks_note(RankFiles ranks) {
  return assumed_ranks(ranks).empty() ? "" : "Ranks are numbered in file order: the traces do not contain them.";
}

std::string_view forked_from(const Rank& rank) { return text_of(rank, kParentProperty); }

Recordings recordings_of(RankFiles ranks) {
  Recordings recordings;
  recordings.of_rank.assign(ranks.size(), 0);
  // If only one world size is known, ranks without a world size are assumed to have it.
  const std::set<std::int64_t> sizes = world_sizes(ranks);
  std::map<std::int64_t, std::map<std::pair<std::int64_t, std::string_view>, FilesOfRank>> jobs;
  for (std::uint32_t r = 0; r < ranks.size(); ++r)
    jobs[sizes.size() == 1 ? *sizes.begin() : ranks[r]->world_size][{ranks[r]->number, ranks[r]->host}].ranks.push_back(
        r);
  for (auto& [world, files_of] : jobs) {
    std::vector<Interval> most;  // of the rank with the most recordings
    for (auto& [key, files] : files_of) {
      split_by_time(files, ranks);
      if (files.times.size() > most.size()) most = files.times;
    }
    for (const auto& [key, files] : files_of) {
      const bool all = files.times.size() == most.size();
      for (std::size_t i = 0; i < files.ranks.size(); ++i) {
        const std::uint32_t own = files.recordings[i];
        recordings.of_rank[files.ranks[i]] = recordings.count + (all ? own : nearest(most, files.times[own]));
      }
    }
    recordings.count += static_cast<std::uint32_t>(most.size());
  }
  return recordings;
}

std::vector<char> graph_captures(const Profile& profile) {
  std::vector<char> captures(profile.ranks.size());
  const auto replays = [](const auto& rank) { return rank->counts.runs > 0; };
  if (std::ranges::all_of(profile.ranks, replays) || std::ranges::none_of(profile.ranks, replays)) return captures;
  std::vector<char> begins(profile.names().size());
  for (NameId id = 0; id < begins.size(); ++id)
    begins[id] = profile.names().view(id).find("StreamBeginCapture") != std::string_view::npos;
  if (std::ranges::find(begins, 1) == begins.end()) return captures;
  for (std::size_t r = 0; r < captures.size(); ++r) {
    if (replays(profile.ranks[r])) continue;
    for (const Lane& lane : profile.ranks[r]->lanes)
      for (std::uint32_t i = 0; i < lane.size() && captures[r] == 0; ++i) captures[r] = begins[lane.name(i)];
  }
  return captures;
}

void note_recordings(Profile& profile, const Recordings& recordings) {
  const auto& ranks = profile.ranks;
  const std::set<std::int64_t> sizes = world_sizes(ranks);
  std::map<std::tuple<std::int64_t, std::int64_t, Part>, std::uint32_t> first_of_number;  // world size, number
  std::map<std::int64_t, std::size_t> files_of_size;
  const std::vector<char> captures = graph_captures(profile);
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    const Rank& rank = *ranks[r];
    if (rank.world_size > 0) ++files_of_size[rank.world_size];
    if (captures[r] != 0) {
      profile.diagnostics.add("graph-capture", Severity::info, rank.source.path, Diagnostic::kNoOffset, "");
      continue;
    }
    const std::int64_t world = sizes.size() == 1 ? *sizes.begin() : rank.world_size;
    const auto [entry, fresh] = first_of_number.try_emplace({world, rank.number, part_of(rank)}, r);
    if (fresh) continue;
    const Rank& first = *ranks[entry->second];
    const std::string both =
        "rank " + std::to_string(rank.number) + ": " + first.source.path + " and " + rank.source.path;
    if (recordings.of_rank[r] == recordings.of_rank[entry->second])
      profile.diagnostics.add("duplicate-rank", Severity::warning, profile.path, Diagnostic::kNoOffset, both);
    else
      profile.diagnostics.add(
          "several-recordings", Severity::info, profile.path, Diagnostic::kNoOffset,
          both + ", " + format_duration(std::max(Ns{0}, distance(first.span, rank.span))) + " apart");
  }
  if (profile.complete) note_assumed_ranks(profile);
  if (files_of_size.size() < 2) return;
  const auto usual = std::ranges::max_element(files_of_size, {}, [](const auto& each) { return each.second; });
  for (const auto& rank : ranks)
    if (rank->world_size > 0 && rank->world_size != usual->first)
      profile.diagnostics.add(
          "world-sizes-differ", Severity::warning, rank->source.path, Diagnostic::kNoOffset,
          "world size " + std::to_string(rank->world_size) + "; most files: " + std::to_string(usual->first));
}

}  // namespace warpscope::trace
