// The overview of steps against a sweep over all moments, from the text of the traces.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/analysis/overview/step_split.hpp"
#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/find_column.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

constexpr std::size_t kUses = analysis::kStepUses;

/// Index of the use of a slice, in order of priority; kUses for none.
std::size_t brute_use(const NaiveSlice& slice) {
  const bool host = is_op(slice) || is_annotation(slice);
  if (is_kernel(slice)) return slice.name.starts_with("nccl") ? 1 : 0;
  if (is_copy(slice)) return 2;
  if (slice.run()) return 3;
  for (const char* const prefix : {"nccl:", "gloo:", "mpi:", "c10d::", "record_param_comms"})
    if (host && slice.name.starts_with(prefix)) return 4;
  if (slice.call()) return 5;
  if (host && slice.name.starts_with("enumerate(DataLoader)")) return 6;
  return is_op(slice) && !is_annotation(slice) ? 7 : kUses;
}

struct BruteOverview {
  std::vector<std::pair<Span, std::array<std::int64_t, kUses>>> steps;
  double busy = 0, filled = 0, occupied = 0, kernels = 0, step_time = 0;
};

/// Walks from change to change; between two, the set of active slices is constant.
BruteOverview brute_overview(const NaiveFile& file) {
  BruteOverview overview;
  std::map<std::int64_t, std::vector<std::pair<const NaiveSlice*, int>>> changes;
  for (const NaiveSlice& slice : file.slices) {
    if (!slice.possible()) continue;
    if (is_annotation(slice) && slice.name.starts_with("ProfilerStep#")) {
      overview.steps.push_back({{slice.begin, slice.end()}, {}});
      changes[slice.begin];
      changes[slice.end()];
    }
    if (brute_use(slice) == kUses) continue;
    changes[slice.begin].emplace_back(&slice, 1);
    changes[slice.end()].emplace_back(&slice, -1);
  }
  std::sort(overview.steps.begin(), overview.steps.end());
  std::array<int, kUses> active{};
  double blocks = 0;
  double occupancy = 0;
  int kernels = 0;
  for (auto at = changes.begin(); at != changes.end() && std::next(at) != changes.end(); ++at) {
    for (const auto& [slice, change] : at->second) {
      if (slice->duration == 0) continue;
      active[brute_use(*slice)] += change;
      if (!is_kernel(*slice)) continue;
      kernels += change;
      if (slice->blocks_per_sm >= 0) blocks += change * slice->blocks_per_sm;
      if (slice->occupancy >= 0) occupancy += change * slice->occupancy / 100;
    }
    const Span part{at->first, std::next(at)->first};
    const auto length = static_cast<double>(part.second - part.first);
    std::size_t use = 0;
    while (use + 1 < kUses && active[use] == 0) ++use;
    bool in_step = false;
    for (auto& [span, uses] : overview.steps)
      if (part.first >= span.first && part.second <= span.second) {
        uses[use] += part.second - part.first;
        in_step = true;
      }
    if (!in_step) continue;
    overview.step_time += length;
    overview.busy += active[0] + active[1] + active[2] + active[3] > 0 ? length : 0;
    overview.filled += std::clamp(blocks, 0.0, 1.0) * length;
    overview.occupied += occupancy * length;
    overview.kernels += kernels * length;
  }
  return overview;
}

}  // namespace

TEST_CASE("step_overview equals a sweep over all moments", "[oracle]") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  for (const char* const file :
       {"resnet50_torch1.9/worker0.1623213129365.pt.trace.json.gz", "v100_5steps/df_index_resolver.json.gz"}) {
    CAPTURE(file);
    const auto path = *shared / "traces" / file;
    const BruteOverview brute = brute_overview(naive_read(plain_text_of(path)));
    const auto tables = tables_of(*load(path), "step_overview");
    const Table& steps = tables[0];
    REQUIRE(steps.rows() == brute.steps.size());
    REQUIRE(steps.rows() >= 5);
    for (std::size_t row = 0; row < steps.rows(); ++row) {
      CHECK(steps.at(row, *find_column(steps, "time")).integer() ==
            brute.steps[row].first.second - brute.steps[row].first.first);
      for (std::size_t use = 0; use < kUses; ++use) {
        CAPTURE(row, analysis::kStepUseWords[use]);
        CHECK(steps.at(row, *find_column(steps, analysis::kStepUseWords[use])).integer() ==
              brute.steps[row].second[use]);
      }
    }
    const Table& gpus = tables[1];
    REQUIRE(gpus.rows() == 1);
    const auto figure = [&](std::string_view name) { return gpus.at(0, *find_column(gpus, name)).number(); };
    CHECK(figure("GPU utilization") == Approx(brute.busy / brute.step_time));
    CHECK(figure("SM efficiency (estimated)") == Approx(brute.filled / brute.step_time));
    CHECK(figure("occupancy (estimated)") == Approx(brute.occupied / brute.kernels));
  }
}
