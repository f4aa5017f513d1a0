#include "core/analysis/causes/host_chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {

namespace {

constexpr Ns kLeastStall = 1'000'000;
constexpr std::size_t kLeastCalls = 8;
constexpr double kDeviations = 10;
constexpr double kNormal = 1.4826;     // standard deviation of a normal distribution ÷ its median absolute deviation
constexpr double kLeastSpread = 0.05;  // of the median
constexpr double kLeastDeviation = 1000;  // ns
constexpr std::uint32_t kNoTrack = std::numeric_limits<std::uint32_t>::max();

struct SelfTime {
  NameId name = 0;
  trace::SliceOrdinal slice = 0;
  Ns start = 0;
  Ns self = 0;
};

/// Returns the median self time, and the self time above which a call is a stall.
std::pair<Ns, Ns> usual_and_limit(const std::vector<SelfTime>& calls) {
  std::vector<double> values;
  values.reserve(calls.size());
  for (const SelfTime& call : calls) values.push_back(static_cast<double>(call.self));
  const double median = upper_median(values);
  for (double& value : values) value = std::abs(value - median);
  const double spread = std::max({upper_median(values), kLeastSpread * median, kLeastDeviation});
  return {static_cast<Ns>(median), static_cast<Ns>(median + kDeviations * kNormal * spread)};
}

/// Lists of pieces to be reused by a thread: each takes megabytes, and a job may have thousands of ranks.
thread_local std::vector<std::vector<HostPiece>> spare_lists;
constexpr std::size_t kMostKept = std::size_t{1} << 20;  // pieces or calls

std::vector<HostPiece> take_list() {
  if (spare_lists.empty()) return {};
  std::vector<HostPiece> list = std::move(spare_lists.back());
  spare_lists.pop_back();
  list.clear();
  return list;
}

void give_back(std::vector<HostPiece> list) {
  if (list.capacity() <= kMostKept) spare_lists.push_back(std::move(list));
}

/// The innermost call of one thread at each moment.
class ThreadWork {
 public:
  ThreadWork(const trace::Profile& profile, const trace::Rank& rank, std::uint32_t track, const HostWorkNames& names,
             const std::optional<Interval>& range)
      : rank_(rank), track_(track), pieces_(take_list()) {
    static thread_local std::vector<Call> calls;
    static thread_local std::vector<SelfTime> selves;
    calls.clear();
    selves.clear();
    collect(profile, names, range, calls);
    sweep(calls, selves);
    if (!range) find_stalls(selves);
    if (calls.capacity() > kMostKept) calls = {};
    if (selves.capacity() > kMostKept) selves = {};
  }
  ThreadWork(const ThreadWork&) = delete;
  ThreadWork& operator=(const ThreadWork&) = delete;
  ~ThreadWork() { give_back(std::move(pieces_)); }

  [[nodiscard]] const std::vector<HostPiece>& pieces() const { return pieces_; }
  [[nodiscard]] const std::vector<HostStall>& stalls() const { return stalls_; }
  /// Starts of calls that launched GPU activity; only with a range.
  [[nodiscard]] const std::vector<Ns>& launches() const { return launches_; }

 private:
  struct Call {
    Ns begin = 0;
    Ns end = 0;
    trace::SliceOrdinal slice = 0;
    NameId name = 0;
    HostWork work = HostWork::framework;
  };
  struct Open {
    const Call* call = nullptr;
    const Call* counted = nullptr;  // the special call that contains it, or itself
    HostWork work = HostWork::framework;
    Ns self = 0;
  };

  void collect(const trace::Profile& profile, const HostWorkNames& names, const std::optional<Interval>& range,
               std::vector<Call>& calls) {
    const RoleOfCategory roles = roles_of_categories(profile);
    for (const std::uint32_t l : recorded_lanes(rank_, rank_.tracks[track_])) {
      const trace::Lane& lane = rank_.lanes[l];
      for_each_part(lane, range, [&](std::uint32_t i, Interval time) {
        const trace::Role role = roles[lane.category(i)];
        if (role != trace::Role::op && role != trace::Role::annotation && role != trace::Role::launch &&
            role != trace::Role::python)
          return;
        const trace::SliceOrdinal slice = rank_.lane_start[l] + i;
        calls.push_back({time.begin, time.end, slice, lane.name(i), names.of(lane.name(i), role)});
        if (range && role == trace::Role::launch && !rank_.launches.caused_by(slice).empty())
          launches_.push_back(time.begin);
      });
    }
    natural_merge_sort(
        calls, [](const Call& a, const Call& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
  }

  void emit(Interval time, Open& open) {
    if (time.empty()) return;
    open.self += time.length();
    if (!pieces_.empty() && pieces_.back().call == open.counted->slice && pieces_.back().time.end == time.begin)
      pieces_.back().time.end = time.end;
    else
      pieces_.push_back({time, open.counted->slice, open.work});
  }

  void sweep(const std::vector<Call>& calls, std::vector<SelfTime>& selves) {
    // A call has a piece before and after each of the calls in it. Pages are touched only as pieces are added.
    pieces_.reserve(2 * calls.size());
    selves.reserve(calls.size());
    std::vector<Open> open;
    Ns at = std::numeric_limits<Ns>::min();
    const auto advance = [&](Ns to) {
      while (!open.empty() && at < to) {
        Open& top = open.back();
        const Ns until = std::min(to, top.call->end);
        if (until > at) emit({at, until}, top);
        at = std::max(at, until);
        if (top.call->end > to) break;
        if (top.work == HostWork::framework || top.work == HostWork::runtime)
          selves.push_back({top.call->name, top.call->slice, top.call->begin, top.self});
        open.pop_back();
      }
      at = std::max(at, to);
    };
    for (const Call& call : calls) {
      advance(call.begin);
      const bool inside = !open.empty() && includes_calls(open.back().work);
      open.push_back({&call, inside ? open.back().counted : &call, inside ? open.back().work : call.work, 0});
    }
    advance(std::numeric_limits<Ns>::max());
  }

  void find_stalls(const std::vector<SelfTime>& selves) {
    std::map<NameId, std::vector<SelfTime>> long_calls;  // names with any call that is long enough
    for (const SelfTime& call : selves)
      if (call.self > kLeastStall) long_calls.try_emplace(call.name);
    if (long_calls.empty()) return;
    for (const SelfTime& call : selves)
      if (const auto own = long_calls.find(call.name); own != long_calls.end()) own->second.push_back(call);
    for (const auto& [name, calls] : long_calls) {
      if (calls.size() < kLeastCalls) continue;
      const auto [usual, limit] = usual_and_limit(calls);
      const trace::SliceOrdinal first = std::ranges::min_element(calls, {}, &SelfTime::start)->slice;
      for (const SelfTime& call : calls) {
        if (call.slice == first || call.self <= std::max(kLeastStall, limit)) continue;
        stalls_.push_back({call.slice,
                           name,
                           track_,
                           {call.start, saturating_add(call.start, rank_.duration(call.slice))},
                           call.self,
                           usual});
      }
    }
    if (stalls_.empty()) return;
    std::unordered_map<trace::SliceOrdinal, bool> stalled;
    for (const HostStall& stall : stalls_) stalled[stall.slice] = true;
    for (HostPiece& piece : pieces_)
      if (stalled.contains(piece.call)) piece.work = HostWork::stall;
  }

  const trace::Rank& rank_;
  std::uint32_t track_;
  std::vector<HostPiece> pieces_;
  std::vector<HostStall> stalls_;
  std::vector<Ns> launches_;
};

/// Copies the pieces of `range` from the first of `threads` that records something, moment by moment. Ranges must
/// ascend.
class ChainWriter {
 public:
  ChainWriter(std::map<std::uint32_t, ThreadWork>& threads, std::vector<HostPiece>& to) : to_(to) {
    for (auto& [track, work] : threads) cursors_[track] = {&work.pieces(), 0};
  }

  void write(Interval range, std::span<const std::uint32_t> threads) {
    if (range.empty()) return;
    while (!threads.empty() && !cursors_.contains(threads.front())) threads = threads.subspan(1);
    if (threads.empty()) return;
    Cursor& cursor = cursors_.at(threads.front());
    const std::vector<HostPiece>& pieces = *cursor.pieces;
    while (cursor.at < pieces.size() && pieces[cursor.at].time.end <= range.begin) ++cursor.at;
    Ns at = range.begin;
    for (std::size_t i = cursor.at; i < pieces.size() && pieces[i].time.begin < range.end; ++i) {
      const HostPiece& piece = pieces[i];
      if (piece.time.begin > at) write({at, piece.time.begin}, threads.subspan(1));
      at = std::max(at, piece.time.begin);
      const Ns until = std::min(piece.time.end, range.end);
      if (until > at) append({{at, until}, piece.call, piece.work});
      at = until;
    }
    if (at < range.end) write({at, range.end}, threads.subspan(1));
  }

 private:
  struct Cursor {
    const std::vector<HostPiece>* pieces = nullptr;
    std::size_t at = 0;
  };

  void append(const HostPiece& piece) {
    if (!to_.empty() && to_.back().call == piece.call && to_.back().time.end == piece.time.begin)
      to_.back().time.end = piece.time.end;
    else
      to_.push_back(piece);
  }

  std::vector<HostPiece>& to_;
  std::map<std::uint32_t, Cursor> cursors_;
};

/// The thread with the steps; without steps, the one with the most launches.
std::uint32_t main_thread(const trace::Rank& rank) {
  if (!rank.steps.empty()) return rank.track_of_lane(rank.locate(rank.steps.front().slice).lane);
  std::uint32_t most = kNoTrack;
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t)
    if (rank.tracks[t].kind == trace::TrackKind::thread && rank.tracks[t].launches > 0 &&
        (most == kNoTrack || rank.tracks[t].launches > rank.tracks[most].launches))
      most = t;
  return most;
}

}  // namespace

HostChain::HostChain(const trace::Profile& profile, std::uint32_t rank_index, const GpuRows::Rows& rows,
                     const HostWorkNames& names, const CancelToken* cancel, const std::optional<Interval>& range)
    : pieces_(take_list()) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  const std::uint32_t main = main_thread(rank);
  if (main == kNoTrack) return;
  std::map<std::uint32_t, ThreadWork> threads;
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
    const trace::Track& track = rank.tracks[t];
    if (track.kind != trace::TrackKind::thread || (track.launches == 0 && t != main)) continue;
    if (cancelled(cancel)) return;
    threads.try_emplace(t, profile, rank, t, names, range);
  }
  for (const auto& [track, work] : threads) stalls_.insert(stalls_.end(), work.stalls().begin(), work.stalls().end());
  std::ranges::stable_sort(stalls_, {}, [](const HostStall& stall) { return stall.time.begin; });

  std::vector<std::pair<Ns, std::uint32_t>> launches;  // start, track
  if (range) {
    for (const auto& [track, work] : threads)
      for (const Ns launch : work.launches()) launches.emplace_back(launch, track);
  } else {
    launches.reserve(rows.size());
    std::unordered_map<std::uint32_t, std::uint32_t> track_of_lane;
    for (const GpuRow& row : rows) {
      if (!row.launch) continue;
      const trace::SlicePlace place = rank.locate(*row.launch);
      const auto [track, fresh] = track_of_lane.try_emplace(place.lane, 0);
      if (fresh) track->second = rank.track_of_lane(place.lane);
      launches.emplace_back(rank.lanes[place.lane].time().begin(place.index), track->second);
    }
  }
  natural_merge_sort(launches, [](const auto& a, const auto& b) { return a < b; });

  std::size_t most = 0;
  for (const auto& [track, work] : threads) most += work.pieces().size();
  pieces_.reserve(most + launches.size());
  ChainWriter writer(threads, pieces_);
  Ns at = std::numeric_limits<Ns>::min();
  std::uint32_t before = main;
  for (std::size_t i = 0; i < launches.size();) {
    // Consecutive launches of a thread are one stretch.
    std::size_t last = i;
    if (launches[i].second == before)
      while (last + 1 < launches.size() && launches[last + 1].second == before) ++last;
    const Ns until = launches[last].first;
    writer.write({at, until}, std::array{launches[i].second, before, main});
    at = until;
    before = launches[i].second;
    i = last + 1;
  }
  writer.write({at, std::numeric_limits<Ns>::max()}, std::array{before, main});
}

HostChain::~HostChain() { give_back(std::move(pieces_)); }

std::vector<HostPiece>::const_iterator HostChain::first_after(Ns time) const {
  constexpr std::size_t kSteps = 8;
  std::size_t at = near_.load(kRelaxed);
  if (at > 0 && pieces_[at - 1].time.end > time) at = 0;
  for (std::size_t step = 0; step < kSteps && at < pieces_.size() && pieces_[at].time.end <= time; ++step) ++at;
  auto found = pieces_.begin() + static_cast<std::ptrdiff_t>(at);
  if (found != pieces_.end() && found->time.end <= time)
    found =
        std::ranges::upper_bound(found, pieces_.end(), time, {}, [](const HostPiece& each) { return each.time.end; });
  return found;
}

}  // namespace warpscope::analysis
