// The profile of a generated set matches the generator's truth, in every dialect and layout and with every defect.
#include <algorithm>
#include <numeric>

#include "core/analysis/information/profile_summary.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::shared_ptr<const trace::Profile> load_set(const TestFolder& folder, const tracegen::MemorySet& set) {
  write_set(folder, set);
  return load(folder.path());
}

const trace::Rank* rank_of_file(const trace::Profile& profile, const std::string& file) {
  for (const auto& rank : profile.ranks)
    if (rank->source.path.ends_with("/" + file)) return rank.get();
  return nullptr;
}

void check_rank(const trace::Rank& rank, const tracegen::RankTruth& truth, bool steps_by_name = true) {
  INFO(truth.file);
  const auto same = [](std::size_t found, std::int64_t expected) {
    return found == static_cast<std::uint64_t>(expected);
  };
  CHECK(same(rank.counts.events, truth.events));
  CHECK(same(rank.counts.slices, truth.slices));
  CHECK(same(rank.counts.runs, truth.runs()));
  CHECK(same(rank.counts.launches, truth.launches));
  CHECK(same(rank.launches.size(), truth.connections));
  CHECK(same(rank.forward_backward.size(), truth.fwdbwd));
  CHECK(same(rank.transfers.size(), truth.copies + truth.sets));
  CHECK(same(std::accumulate(rank.transfers.bytes().begin(), rank.transfers.bytes().end(), std::uint64_t{0}),
             truth.moved));
  if (steps_by_name) CHECK(same(rank.steps.size(), truth.steps));
  Ns busy = 0;
  for (const trace::Device& device : rank.devices) busy += device.busy.get().busy(rank.span.begin, rank.span.end);
  CHECK(busy == truth.busy_ns);
  std::uint64_t damaged = 0;
  for (const trace::Lane& lane : rank.lanes)
    if (lane.kind() == trace::LaneKind::damaged) damaged += lane.size();
  CHECK(same(damaged, truth.flagged));
}

}  // namespace

TEST_CASE("generated traces have the counts of the generator in every dialect, layout and compression") {
  using tracegen::Format;
  using tracegen::Generation;
  using tracegen::Layout;
  const auto check = [](const tracegen::Options& options) {
    const TestFolder folder;
    const tracegen::MemorySet set = tracegen::generate_in_memory(options);
    const auto profile = load_set(folder, set);
    REQUIRE(profile->ranks.size() == set.truth.ranks.size());
    for (const tracegen::RankTruth& truth : set.truth.ranks) {
      const trace::Rank* rank = rank_of_file(*profile, truth.file);
      REQUIRE(rank != nullptr);
      check_rank(*rank, truth);
    }
  };
  for (const Layout layout : {Layout::kineto, Layout::minified, Layout::oneline, Layout::indented}) {
    tracegen::Options options = small_job();
    options.layout = layout;
    options.shapes = true;
    check(options);
  }
  for (const Generation generation : {Generation::y2023, Generation::torch_1_8}) {
    tracegen::Options options = small_job();
    options.generation = generation;
    check(options);
  }
  for (const Format format : {Format::gz, Format::zst}) {
    tracegen::Options options = small_job();
    options.format = format;
    options.python = true;
    check(options);
  }
}

TEST_CASE("a generated job on several hosts has its nodes, ranks and GPUs") {
  tracegen::Options options = small_job();
  options.nodes = 3;
  options.gpus = 2;
  for (const bool folders : {false, true}) {
    options.host_folders = folders;
    const TestFolder folder;
    const tracegen::MemorySet set = tracegen::generate_in_memory(options);
    const auto profile = load_set(folder, set);
    REQUIRE(profile->nodes.size() == 3);
    for (const trace::Node& node : profile->nodes) CHECK(node.gpus == 2);
    CHECK(profile->gpus == 6);
    for (std::size_t i = 0; i < profile->ranks.size(); ++i) {
      CHECK(profile->ranks[i]->number == static_cast<std::int64_t>(i));
      CHECK(profile->ranks[i]->world_size == 6);
      CHECK(profile->nodes[profile->node_of_rank[i]].host == set.truth.ranks[i].host);
    }
  }
}

TEST_CASE("corruption in one rank's file is reported and does not affect the others") {
  for (const tracegen::DefectInfo& info : tracegen::all_defects()) {
    INFO(info.name);
    tracegen::Options options = small_job();
    options.gpus = 2;
    options.defects.push_back({info.defect, tracegen::DefectAt::kLastRank});
    const TestFolder folder;
    const tracegen::MemorySet set = tracegen::generate_in_memory(options);
    const auto profile = load_set(folder, set);
    for (const tracegen::RankTruth& truth : set.truth.ranks) {
      const trace::Rank* rank = rank_of_file(*profile, truth.file);
      REQUIRE(rank != nullptr);
      if (truth.exact) check_rank(*rank, truth);
    }
    if (!profile->diagnostics.empty()) continue;
    // These need no diagnostic: they are valid alternatives.
    using tracegen::Defect;
    const Defect silent[] = {Defect::missing_launch,    Defect::graph_launch,    Defect::missing_rank,
                             Defect::base_after_events, Defect::top_level_array, Defect::string_numbers,
                             Defect::begin_end,         Defect::async,           Defect::counters,
                             Defect::clock_apart,       Defect::inf_nan};
    CHECK(std::find(std::begin(silent), std::end(silent), info.defect) != std::end(silent));
  }
}
