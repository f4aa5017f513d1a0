#include "core/analysis/slices/search.hpp"

#include <algorithm>
#include <random>

#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using trace::SliceRef;

namespace {

constexpr Ns kSearchedFrom = 1'700'000'000'000'000'000;

struct Made {
  Ns begin;
  Ns duration;
  const char* name;
  const char* category;
};

trace::Lane make_lane(trace::LaneKind kind, std::uint16_t depth, trace::Dictionary& dictionary,
                      std::vector<Made> slices, std::uint64_t first_offset) {
  std::stable_sort(slices.begin(), slices.end(), [](const Made& a, const Made& b) { return a.begin < b.begin; });
  trace::Lane::Columns columns;
  for (const Made& slice : slices) {
    columns.time.push_back(slice.begin, slice.duration);
    const NameId name = dictionary.names.intern(slice.name);
    const trace::CategoryId category = dictionary.categories.intern(slice.category);
    columns.names.push_back(name);
    columns.categories.push_back(category);
    columns.offsets.push_back(first_offset++);
    columns.families.push_back(
        trace::family_of(dictionary.categories.role(category), trace::is_communication_name(slice.name)));
  }
  return trace::Lane(kind, depth, std::move(columns));
}

std::shared_ptr<trace::Rank> make_rank(std::int64_t number, const std::string& host, std::vector<trace::Track> tracks,
                                       std::vector<trace::Lane> lanes) {
  auto rank = std::make_shared<trace::Rank>();
  rank->number = number;
  rank->host = host;
  rank->source.path = "rank" + std::to_string(number) + ".json";
  rank->tracks = std::move(tracks);
  rank->lanes = std::move(lanes);
  trace::SliceOrdinal ordinal = 0;
  for (const trace::Lane& lane : rank->lanes) {
    rank->lane_start.push_back(ordinal);
    ordinal += lane.size();
  }
  rank->lane_start.push_back(ordinal);
  trace::Device device;
  device.id = number;
  rank->devices.push_back(std::move(device));
  rank->span = {kSearchedFrom, kSearchedFrom + 1'000'000};
  return rank;
}

// Two ranks on two hosts: a launching thread with two lanes, a stream with kernels, and an impossible slice.
std::shared_ptr<const trace::Profile> small_profile() {
  auto dictionary = std::make_shared<trace::Dictionary>();
  std::vector<std::shared_ptr<const trace::Rank>> ranks;
  for (const std::int64_t number : {3, 8}) {
    trace::Track thread;
    thread.kind = trace::TrackKind::thread;
    thread.process = 100;
    thread.id = 4045;
    thread.first_lane = 0;
    thread.lane_count = 2;
    thread.device = 0;
    trace::Track stream;
    stream.kind = trace::TrackKind::stream;
    stream.process = number;
    stream.id = 20;
    stream.first_lane = 2;
    stream.lane_count = 2;
    stream.device = 0;
    std::vector<trace::Lane> lanes;
    lanes.push_back(make_lane(
        trace::LaneKind::nested, 0, *dictionary,
        {{kSearchedFrom, 5'000, "step", "user_annotation"}, {kSearchedFrom + 9'000, 10, "aten::mm", "cpu_op"}}, 0));
    lanes.push_back(make_lane(trace::LaneKind::nested, 1, *dictionary,
                              {{kSearchedFrom + 100, 50, "cudaLaunchKernel", "cuda_runtime"}}, 10));
    lanes.push_back(make_lane(trace::LaneKind::nested, 0, *dictionary,
                              {{kSearchedFrom + 500 + number, 2'000, "ncclDevKernel_AllReduce", "kernel"},
                               {kSearchedFrom + 4'000, 1'000, "gemm", "kernel"},
                               {kSearchedFrom + 6'000, 100, "Memcpy DtoH", "gpu_memcpy"}},
                              20));
    lanes.push_back(make_lane(trace::LaneKind::damaged, 1, *dictionary, {{0, -7, "broken", "kernel"}}, 30));
    ranks.push_back(make_rank(number, number == 3 ? "ip-10-0-0-1" : "ip-10-0-0-2", {thread, stream}, std::move(lanes)));
  }
  return trace::assemble_profile("job", dictionary, ranks, {}, true);
}

SearchResult find(const std::shared_ptr<const trace::Profile>& profile, std::string_view expression,
                  const SearchOptions& options = {}) {
  INFO(expression);
  const Result<Filter> filter = parse_filter(expression);
  if (!filter) FAIL(filter.error().message());
  return search(SliceMatcher(profile, *filter), options);
}

std::vector<std::string> names_of(const trace::Profile& profile, const SearchResult& result) {
  std::vector<std::string> names;
  for (const SliceRef slice : result.slices)
    names.push_back(std::to_string(profile.ranks[slice.rank]->number) + " " + std::string(profile.name(slice)));
  return names;
}

}  // namespace

TEST_CASE("search matches every field, in time order") {
  const auto profile = small_profile();
  using Names = std::vector<std::string>;
  const auto names = [&](std::string_view expression) { return names_of(*profile, find(profile, expression)); };
  CHECK(names("").size() == 14);
  CHECK(names("nccl") == Names{"3 ncclDevKernel_AllReduce", "8 ncclDevKernel_AllReduce"});
  CHECK(names("nccl rank:8") == Names{"8 ncclDevKernel_AllReduce"});
  CHECK(names("cat:kernel rank:3") == Names{"3 broken", "3 ncclDevKernel_AllReduce", "3 gemm"});
  CHECK(names("family:communication rank:3") == Names{"3 ncclDevKernel_AllReduce"});
  CHECK(names("family:memory rank:3") == Names{"3 Memcpy DtoH"});
  CHECK(names("gpu:3 cat:cpu_op") == Names{"3 aten::mm"});
  CHECK(names("gpu:8 cat:gpu_*") == Names{"8 Memcpy DtoH"});
  CHECK(names("stream:20 dur<=100 dur>0") == Names{"3 Memcpy DtoH", "8 Memcpy DtoH"});
  CHECK(names("thread:4045 depth:1") == Names{"3 cudaLaunchKernel", "8 cudaLaunchKernel"});
  CHECK(names("node:algo-1 step").size() == 1);
  CHECK(names("node:ip-10-0-0-2 step") == Names{"8 step"});
  CHECK(names("begin:5us-6us gemm or aten::mm begin>9us").empty());
  CHECK(names("begin:4us-6us gemm or aten::mm begin>=9us").size() == 4);
  CHECK(names("dur<0") == Names{"3 broken", "8 broken"});
  CHECK(names("not (stream:20 or thread:4045)").empty());
}

TEST_CASE("search keeps the earliest matches and counts all") {
  const auto profile = small_profile();
  const SearchResult all = find(profile, "cat:kernel");
  CHECK(all.total == 6);
  CHECK(all.complete());
  CHECK(all.duration == 2 * (2'000 + 1'000 - 7));
  for (std::size_t limit = 0; limit <= 6; ++limit) {
    const SearchResult some = find(profile, "cat:kernel", {.limit = limit});
    CHECK(some.total == 6);
    CHECK(some.duration == all.duration);
    CHECK(some.complete() == (limit == 6));
    CHECK(some.slices ==
          std::vector<SliceRef>(all.slices.begin(), all.slices.begin() + static_cast<std::ptrdiff_t>(limit)));
  }
}

TEST_CASE("a cancelled search is marked as cancelled") {
  const auto profile = small_profile();
  CancelToken cancel;
  cancel.cancel();
  const SearchResult result = find(profile, "", {.limit = 100, .cancel = &cancel});
  CHECK(result.cancelled);
  CHECK_FALSE(result.complete());
  CHECK(result.total == 0);
}

TEST_CASE("search agrees with the filter on every slice of random lanes, for any limit") {
  static constexpr const char* kNames[] = {"ncclDevKernel_AllReduce", "gemm", "softmax", "aten::mm"};
  static constexpr const char* kCategories[] = {"kernel", "gpu_memcpy", "cpu_op", "cuda_sync"};
  std::mt19937 random(31);
  auto dictionary = std::make_shared<trace::Dictionary>();
  std::vector<std::shared_ptr<const trace::Rank>> ranks;
  for (std::int64_t number = 0; number < 3; ++number) {
    std::vector<trace::Track> tracks;
    std::vector<trace::Lane> lanes;
    for (std::int64_t id = 0; id < 4; ++id) {
      trace::Track track;
      track.kind = static_cast<trace::TrackKind>(id % 3);
      track.process = number;
      track.id = id;
      track.first_lane = static_cast<std::uint32_t>(lanes.size());
      track.lane_count = 2;
      track.device = id == 1 ? 0 : -1;
      tracks.push_back(track);
      for (std::uint16_t depth = 0; depth < 2; ++depth) {
        std::vector<Made> slices;
        Ns at = kSearchedFrom;
        for (int i = 0; i < 700; ++i) {
          at += static_cast<Ns>(random() % 100);
          const Ns length = static_cast<Ns>(random() % 50);
          slices.push_back({at, length, kNames[random() % 4], kCategories[random() % 4]});
          at += length;
        }
        const auto kind = depth == 1 && id == 0 ? trace::LaneKind::folded : trace::LaneKind::nested;
        lanes.push_back(make_lane(kind, depth, *dictionary, slices, 0));
      }
    }
    ranks.push_back(make_rank(number, "host", tracks, std::move(lanes)));
  }
  const auto profile = trace::assemble_profile("job", dictionary, ranks, {}, true);

  for (const char* expression :
       {"nccl", "cat:kernel dur>20", "not nccl or rank:1", "family:communication or family:memory", "stream:3 dur<10",
        "depth:1 (gemm or begin<10us)", "rank:0-1 not (cat:cpu_op dur:5-30) stream!=0", "gpu:0",
        "thread:1 begin:1us-20us"}) {
    INFO(expression);
    const SliceMatcher matcher(profile, *parse_filter(expression));
    std::vector<SliceRef> expected;
    for (std::uint32_t rank = 0; rank < profile->ranks.size(); ++rank)
      for (trace::SliceOrdinal slice = 0; slice < profile->ranks[rank]->lane_start.back(); ++slice) {
        const bool passes = matcher.filter().matches(matcher.record({rank, slice}));
        if (passes) expected.push_back({rank, slice});
        REQUIRE(matcher.matches({rank, slice}) == passes);
      }
    std::sort(expected.begin(), expected.end(), [&](SliceRef a, SliceRef b) {
      return std::pair(profile->begin(a), a) < std::pair(profile->begin(b), b);
    });
    CHECK_FALSE(expected.empty());
    for (const std::size_t limit : {std::size_t{10}, std::size_t{1000}, std::size_t{100'000}}) {
      const SearchResult result = search(matcher, {.limit = limit});
      CHECK(result.total == expected.size());
      const std::size_t kept = std::min(limit, expected.size());
      CHECK(result.slices ==
            std::vector<SliceRef>(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(kept)));
    }
  }
}
