#include "core/analysis/critical_path/path_threads.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <tuple>

#include "core/base/text_pattern.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::array<std::string_view, 3> kLocking{"cudaHostAlloc", "cudaLaunchKernel", "cudaMemcpyAsync"};
constexpr std::array<std::string_view, 6> kBlocking{
    "cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventQuery", "cudaEventSynchronize", "cudaMemcpy",
    "cudaMemcpyAsync"};

/// Substrings of the names of calls that may wait.
constexpr std::array<std::string_view, 5> kWaiting{"ynchronize", "WaitEvent", "Query", "Free", "Memcpy"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool contains(std::string_view name, std::string_view part) { return name.find(part) != name.npos; }

}  // namespace

PathWords::PathWords(const trace::Profile& profile, std::string_view data_loading) : words_(profile.names().size()) {
  const std::vector<TextPattern> loading = parse_patterns(data_loading);
  for (NameId id = 0; id < words_.size(); ++id) {
    const std::string_view name = profile.names().view(id);
    std::uint32_t word = 0;
    if (is_one_of(name, kLocking)) word |= kLocks;
    if (is_one_of(name, kBlocking)) word |= kBlocks;
    if (std::ranges::any_of(kWaiting, [&](std::string_view part) { return contains(name, part); })) word |= kWaits;
    if (contains(name, "forward")) word |= kForward;
    if (contains(name, "autograd")) word |= kBackward;
    if (std::ranges::any_of(loading, [&](const TextPattern& each) { return each.matches(name); })) word |= kDataLoading;
    words_[id] = static_cast<std::uint16_t>(word);
  }
}

namespace {

using trace::Role;

/// Properties of a thread, inferred from the names of its operators and annotations.
struct Signs {
  std::uint32_t track = 0;
  std::size_t calls = 0;
  bool forward = false;
  bool backward = false;
};

Signs signs_of(const trace::Rank& rank, std::uint32_t t, const PathWords& words, const RoleOfCategory& roles,
               Interval until) {
  Signs signs{.track = t};
  const trace::Track& track = rank.tracks[t];
  for (const std::uint32_t l : recorded_lanes(rank, track)) {
    const trace::Lane& lane = rank.lanes[l];
    for_each_part(lane, until, [&](std::uint32_t i, Interval) {
      const Role role = roles[lane.category(i)];
      if (role == Role::op || role == Role::launch) ++signs.calls;
      if (role != Role::op && role != Role::annotation) return;
      const Ns begin = lane.time().begin(i);
      if (begin < until.begin || lane.time().end(i) <= begin) return;
      const NameId name = lane.name(i);
      signs.forward |= words.has(name, PathWords::kForward);
      signs.backward |= words.has(name, PathWords::kBackward);
    });
  }
  return signs;
}

/// Returns the only thread that has `sign`; nullopt if there are none or several.
template <class Sign>
std::optional<std::uint32_t> only_one(const std::vector<Signs>& threads, Sign sign) {
  std::optional<std::uint32_t> only;
  for (const Signs& thread : threads) {
    if (!sign(thread)) continue;
    if (only) return std::nullopt;
    only = thread.track;
  }
  return only;
}

}  // namespace

std::vector<PathTracks> path_tracks(const trace::Rank& rank, const PathWords& words, const RoleOfCategory& roles,
                                    Interval until, const CancelToken* cancel) {
  std::vector<Signs> threads;
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
    if (rank.tracks[t].kind != trace::TrackKind::thread || cancelled(cancel)) continue;
    threads.push_back(signs_of(rank, t, words, roles, until));
  }
  std::ranges::sort(threads, {}, [&](const Signs& each) {
    return std::tuple(rank.tracks[each.track].process, rank.tracks[each.track].id, each.track);
  });
  const auto forward = only_one(threads, [](const Signs& each) { return each.forward; });
  const auto backward = only_one(threads, [](const Signs& each) { return each.backward; });
  const bool joined =
      forward && backward && *forward != *backward && rank.tracks[*forward].process == rank.tracks[*backward].process;
  std::vector<PathTracks> result;
  for (const Signs& thread : threads) {
    if (joined && thread.track == *backward) continue;
    result.push_back({{thread.track}, thread.calls});
    if (joined && thread.track == *forward) result.back().tracks.push_back(*backward);
  }
  return result;
}

}  // namespace warpscope::analysis
