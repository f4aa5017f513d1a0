// Selection and order of rows, and the row of a folded lane.
#include "render/scene/rows.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::scene {
namespace {

using test::find_entry;
using test::LaneSpec;
using test::RankSpec;
using trace::LaneKind;
using trace::TreeKind;

LaneSpec lane(LaneKind kind = LaneKind::nested) { return {{{1000, 100, "a"}, {2000, 100, "b"}}, kind}; }

RankSpec rank_spec(const std::string& host = "host") {
  RankSpec spec;
  spec.host = host;
  spec.tracks.push_back({trace::TrackKind::thread, "thread 1", {lane(), lane(), lane()}});
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {lane(), lane(LaneKind::gpu_annotation)}});
  spec.tracks.push_back({trace::TrackKind::stream, "stream 20", {lane()}});
  return spec;
}

std::shared_ptr<const trace::Profile> two_ranks() { return test::make_profile({rank_spec(), rank_spec()}); }

// Everything expanded, regardless of what a profile expands by default.
TrackState all_open(const trace::Profile& profile) {
  TrackState state;
  for (std::uint32_t i = 0; i < profile.tree.entries.size(); ++i) state.set_open(profile.tree, i, true);
  return state;
}

std::vector<std::string> labels(const std::vector<Row>& rows) {
  std::vector<std::string> result;
  result.reserve(rows.size());
  for (const Row& row : rows) result.push_back(std::string(row.label) + (row.first ? "" : "/" + std::string(row.note)));
  return result;
}

std::shared_ptr<const trace::Profile> many_ranks(std::size_t count) {
  test::RankSpec spec;
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {lane()}});
  return test::make_profile(std::vector<RankSpec>(count, spec));
}

TEST_CASE("64 ranks start as one thin row each", "[scene][rows]") {
  const auto profile = many_ranks(64);
  const Layout layout(*profile, {});
  const auto thin = [](const Row& row) { return row.by_class && row.height == 14 && !row.open && row.foldable; };
  CHECK(std::ranges::count_if(layout.rows(), thin) == 64);
  CHECK(layout.rows().size() < 64 * 3 + 3);
  TrackState opened;
  opened.set_open(profile->tree, layout.rows()[std::size_t{2}].entry, true);
  const Layout unfolded(*profile, opened);
  CHECK(unfolded.rows().size() > layout.rows().size());
  TrackState compact;
  compact.density = Density::compact;
  const Layout low(*profile, compact);
  CHECK(std::ranges::count_if(low.rows(), [](const Row& row) { return row.by_class && row.height == 12; }) == 64);
}

TEST_CASE("with more than 256 ranks, nodes start collapsed", "[scene][rows]") {
  const auto profile = many_ranks(300);
  const Layout layout(*profile, {});
  CHECK_FALSE(layout.rows().empty());
  for (const Row& row : layout.rows()) {
    CHECK(row.level == 0);
    CHECK(row.kind == RowKind::utilisation);
  }
}

TEST_CASE("the first of 63 ranks starts expanded", "[scene][rows]") {
  const auto profile = many_ranks(63);
  const Layout layout(*profile, {});
  CHECK(std::ranges::any_of(layout.rows(), [](const Row& row) { return row.kind == RowKind::lane; }));
  CHECK(std::ranges::none_of(layout.rows(), &Row::by_class));
}

TEST_CASE("rows are in tree order, without gaps", "[scene][rows]") {
  const auto profile = two_ranks();
  for (const float scale : {1.0f, 1.25f, 2.0f}) {
    TrackState state = all_open(*profile);
    state.scale = scale;
    const Layout layout(*profile, state);
    int y = 0;
    std::uint32_t entry = 0;
    for (const Row& row : layout.rows()) {
      CHECK(row.y == y);
      CHECK(row.height > 0);
      CHECK(row.entry >= entry);
      entry = row.entry;
      y += row.height;
    }
    CHECK(layout.height() == y);
    CHECK(layout.pinned().empty());
  }
}

TEST_CASE("an expanded track has one row per lane, and the first row has its name", "[scene][rows]") {
  const auto profile = two_ranks();
  const Layout layout(*profile, all_open(*profile));
  const std::uint32_t stream = find_entry(*profile, TreeKind::stream, "stream 7");
  const std::uint32_t row = layout.row_of_entry(stream);
  const auto& rows = layout.rows();
  CHECK(rows[row].kind == RowKind::lane);
  CHECK(rows[row].label == "stream 7");
  CHECK(rows[row].first);
  CHECK(rows[row].foldable);
  CHECK(rows[row + 1].kind == RowKind::lane);
  CHECK(rows[row + 1].label.empty());
  CHECK(rows[row + 1].note == "annotations");
  CHECK_FALSE(rows[row + 1].first);
  CHECK(rows[row + 2].label == "stream 20");
  CHECK_FALSE(rows[row + 2].foldable);
}

TEST_CASE("a node shows the mean of its GPUs if it has several or its GPU is collapsed", "[scene][rows]") {
  const auto mean_of = [](const trace::Profile& profile, const TrackState& state) {
    const Layout layout(profile, state);
    return layout.rows()[layout.row_of_entry(find_entry(profile, TreeKind::node_gpus))].kind;
  };
  const auto one = test::make_profile({rank_spec()});
  REQUIRE(devices_of_entry(*one, find_entry(*one, TreeKind::node_gpus)).size() == 1);
  TrackState state = all_open(*one);
  CHECK(mean_of(*one, state) == RowKind::header);
  state.set_open(one->tree, find_entry(*one, TreeKind::node_gpus), false);
  CHECK(mean_of(*one, state) == RowKind::utilisation);
  const auto two = two_ranks();
  CHECK(mean_of(*two, all_open(*two)) == RowKind::utilisation);
}

TEST_CASE("a collapsed track shows one row", "[scene][rows]") {
  const auto profile = two_ranks();
  TrackState state = all_open(*profile);
  const std::size_t open_rows = Layout(*profile, state).rows().size();

  const std::uint32_t thread = find_entry(*profile, TreeKind::thread);
  state.set_open(profile->tree, thread, false);
  const Layout folded(*profile, state);
  CHECK(folded.rows().size() == open_rows - 2);
  CHECK(folded.rows()[folded.row_of_entry(thread)].kind == RowKind::summary);

  const std::uint32_t node = find_entry(*profile, TreeKind::node);
  state.set_open(profile->tree, node, false);
  const Layout closed(*profile, state);
  REQUIRE(closed.rows().size() == 1);
  CHECK(closed.rows()[0].kind == RowKind::utilisation);
  CHECK(closed.rows()[0].foldable);
  CHECK_FALSE(closed.rows()[0].open);
}

TEST_CASE("a lane is found on its row, or on that of its nearest visible ancestor", "[scene][rows]") {
  const auto profile = two_ranks();
  TrackState state = all_open(*profile);
  const Layout open(*profile, state);
  for (std::uint32_t rank = 0; rank < 2; ++rank)
    for (std::uint32_t lane_index = 0; lane_index < 6; ++lane_index) {
      const Row& row = open.rows()[open.row_of_lane(*profile, rank, lane_index)];
      CHECK(row.kind == RowKind::lane);
      CHECK(row.rank == rank);
      CHECK(row.item == lane_index);
    }

  const std::uint32_t device = find_entry(*profile, TreeKind::gpu_device);
  state.set_open(profile->tree, device, false);
  const Layout folded(*profile, state);
  CHECK(folded.rows()[folded.row_of_lane(*profile, 0, 3)].entry == device);
  CHECK(folded.rows()[folded.row_of_lane(*profile, 0, 0)].kind == RowKind::lane);
  CHECK(folded.rows()[folded.row_of_lane(*profile, 1, 3)].kind == RowKind::lane);

  state.set_open(profile->tree, find_entry(*profile, TreeKind::node), false);
  const Layout closed(*profile, state);
  CHECK(closed.row_of_lane(*profile, 1, 5) == 0);
}

TEST_CASE("a point is mapped to its row", "[scene][rows]") {
  const auto profile = two_ranks();
  const Layout layout(*profile, all_open(*profile));
  for (std::uint32_t r = 0; r < layout.rows().size(); ++r) {
    const Row& row = layout.rows()[r];
    CHECK(layout.row_at(row.y) == r);
    CHECK(layout.row_at(row.y + row.height - 1) == r);
  }
  CHECK(layout.row_at(-1) == Layout::kNone);
  CHECK(layout.row_at(layout.height()) == Layout::kNone);
}

TEST_CASE("pinned tracks form a block in pinning order and also stay in place", "[scene][rows]") {
  const auto profile = two_ranks();
  TrackState state = all_open(*profile);
  const std::size_t count = Layout(*profile, state).rows().size();
  const std::uint32_t stream = find_entry(*profile, TreeKind::stream, "stream 20");
  const std::uint32_t thread = find_entry(*profile, TreeKind::thread);
  state.toggle_pinned(profile->tree.entries[stream].key);
  state.toggle_pinned(profile->tree.entries[thread].key);
  const Layout layout(*profile, state);
  CHECK(labels(layout.pinned()) == std::vector<std::string>{"stream 20", "thread 1", "/", "/"});
  CHECK(layout.rows().size() == count);
  CHECK(layout.pinned_height() == layout.pinned().back().y + layout.pinned().back().height);
  CHECK(layout.pinned_at(0) == 0);
  for (const Row& row : layout.pinned()) CHECK(row.pinned);

  state.toggle_pinned(profile->tree.entries[stream].key);
  CHECK(Layout(*profile, state).pinned().size() == 3);
}

TEST_CASE("hidden entries and everything below them have no rows", "[scene][rows]") {
  const auto profile = two_ranks();
  TrackState state = all_open(*profile);
  const std::uint32_t process = find_entry(*profile, TreeKind::process);
  state.hidden.insert(profile->tree.entries[process].key);
  const Layout layout(*profile, state);
  CHECK(layout.any_hidden());
  for (const Row& row : layout.rows()) CHECK(row.rank != 0);
  CHECK(layout.rows()[layout.row_of_lane(*profile, 1, 0)].rank == 1);
}

TEST_CASE("a filter shows matches and their ancestors", "[scene][rows]") {
  const auto profile = two_ranks();
  TrackState state;
  for (std::uint32_t i = 0; i < profile->tree.entries.size(); ++i) state.set_open(profile->tree, i, false);
  state.filter = "STREAM 7";
  const Layout layout(*profile, state);
  std::size_t found = 0;
  for (const Row& row : layout.rows()) {
    CHECK(row.label != "stream 20");
    CHECK(row.label != "thread 1");
    found += row.label == "stream 7" ? 1 : 0;
  }
  CHECK(found == 2);
  CHECK(layout.rows().front().label == profile->nodes[0].label);

  // If only a parent matches, the filter shows it alone; expanding it shows everything below.
  state.filter = "device";
  const auto rows_of = [&](std::string_view label) {
    const Layout narrowed(*profile, state);
    return std::ranges::count_if(narrowed.rows(), [&](const Row& row) { return row.label.starts_with(label); });
  };
  CHECK(rows_of("GPU-0 device") == 2);
  CHECK(rows_of("stream") == 0);
  state.set_open(profile->tree, find_entry(*profile, TreeKind::gpu_device), true);
  CHECK(rows_of("stream") == 2);
  state.set_open(profile->tree, find_entry(*profile, TreeKind::gpu_device), false);
  CHECK(rows_of("stream") == 0);

  state.filter = "nothing of this name";
  CHECK(Layout(*profile, state).rows().empty());
}

TEST_CASE("row heights follow density and scale", "[scene][rows]") {
  const auto profile = two_ranks();
  TrackState state = all_open(*profile);
  const auto lane_height = [&] {
    const Layout layout(*profile, state);
    return layout.rows()[layout.row_of_lane(*profile, 0, 0)].height;
  };
  CHECK(lane_height() == 20);
  state.density = Density::compact;
  CHECK(lane_height() == 12);
  state.density = Density::roomy;
  state.scale = 2;
  CHECK(lane_height() == 56);
}

TEST_CASE("collapsed state is remembered by key, and only if it differs from the default", "[scene][rows]") {
  const auto profile = two_ranks();
  TrackState state;
  const std::uint32_t node = find_entry(*profile, TreeKind::node);
  const trace::TreeEntry& entry = profile->tree.entries[node];
  state.set_open(profile->tree, node, !entry.opens);
  CHECK(state.is_open(entry) == !entry.opens);
  CHECK(state.open.size() == 1);
  state.set_open(profile->tree, node, entry.opens);
  CHECK(state.open.empty());
  state.set_open(profile->tree, node, false, true);
  for (const trace::TreeEntry& each : profile->tree.entries) CHECK_FALSE(state.is_open(each));
}

TEST_CASE("hundreds of ranks with everything expanded are laid out in less than a second", "[scene][rows]") {
  RankSpec spec;
  for (int t = 0; t < 20; ++t)
    spec.tracks.push_back(
        {t < 10 ? trace::TrackKind::stream : trace::TrackKind::thread, "track " + std::to_string(t), {lane(), lane()}});
  const auto profile = test::make_profile(std::vector<RankSpec>(800, spec));
  const TrackState state = all_open(*profile);
  const auto begin = std::chrono::steady_clock::now();
  const Layout layout(*profile, state);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  CHECK(layout.rows().size() > 32'000);
  CHECK(took.count() < 1);
  CHECK(layout.rows()[layout.row_of_lane(*profile, 799, 39)].item == 39);
}

}  // namespace
}  // namespace warpscope::scene
