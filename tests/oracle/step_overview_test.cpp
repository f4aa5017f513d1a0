// The overview of steps against a sweep over all moments, from the text of the traces.
#include <algorithm>
#include <cmath>
#include <map>

#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/find_column.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// Parts of the names by which the TensorBoard plugin knew kernels with Tensor Cores.
bool has_tensor_core_name(const std::string& name) {
  for (const char* const part :
       {"h884", "s884", "h1688", "s1688", "hmma", "i8816", "16816", "xmma_gemm", "xmma_implicit_gemm", "c1688"})
    if (name.find(part) != std::string::npos) return true;
  return false;
}

struct BruteOverview {
  std::vector<Span> steps;
  double busy = 0, filled = 0, occupied = 0, kernels = 0, tensor_cores = 0, step_time = 0;
};

/// Walks from change to change; between two, the set of active slices is constant.
BruteOverview brute_overview(const NaiveFile& file, std::vector<Span> steps) {
  BruteOverview overview{.steps = std::move(steps)};
  std::map<std::int64_t, std::vector<std::pair<const NaiveSlice*, int>>> changes;
  for (const NaiveSlice& slice : file.slices) {
    if (!slice.possible()) continue;
    if (!slice.run()) continue;
    changes[slice.begin].emplace_back(&slice, 1);
    changes[slice.end()].emplace_back(&slice, -1);
  }
  for (const Span& step : overview.steps) changes[step.first], changes[step.second];
  int active = 0;
  double blocks = 0;
  double occupancy = 0;
  int kernels = 0;
  int tensor_cores = 0;
  for (auto at = changes.begin(); at != changes.end() && std::next(at) != changes.end(); ++at) {
    for (const auto& [slice, change] : at->second) {
      if (slice->duration == 0) continue;
      active += change;
      if (!is_kernel(*slice)) continue;
      kernels += change;
      if (has_tensor_core_name(slice->name)) tensor_cores += change;
      if (slice->blocks_per_sm >= 0) blocks += change * slice->blocks_per_sm;
      if (slice->occupancy >= 0) occupancy += change * slice->occupancy / 100;
    }
    const Span part{at->first, std::next(at)->first};
    const auto length = static_cast<double>(part.second - part.first);
    const bool in_step = std::ranges::any_of(
        overview.steps, [&](const Span& span) { return part.first >= span.first && part.second <= span.second; });
    if (!in_step) continue;
    overview.step_time += length;
    overview.busy += active > 0 ? length : 0;
    overview.filled += std::clamp(blocks, 0.0, 1.0) * length;
    overview.occupied += occupancy * length;
    overview.kernels += kernels * length;
    overview.tensor_cores += tensor_cores * length;
  }
  return overview;
}

/// Times of the steps in step_time, which are checked elsewhere.
std::vector<Span> steps_of(const trace::Profile& profile) {
  const Table table = std::move(tables_of(profile, "step_time").back());
  std::vector<Span> steps;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Ns begin = profile.span.begin + table.at(row, *find_column(table, "begin")).integer();
    steps.emplace_back(begin, begin + table.at(row, *find_column(table, "duration")).integer());
  }
  return steps;
}

}  // namespace

TEST_CASE("step_overview agrees with a sweep over all moments", "[oracle]") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  for (const char* const file :
       {"resnet50_torch1.9/worker0.1623213129365.pt.trace.json.gz", "v100_5steps/df_index_resolver.json.gz"}) {
    CAPTURE(file);
    const auto path = *shared / "traces" / file;
    const auto profile = load(path);
    const BruteOverview brute = brute_overview(naive_read(plain_text_of(path)), steps_of(*profile));
    const auto tables = tables_of(*profile, "step_overview");
    const Table& steps = tables[0];
    REQUIRE(steps.rows() == brute.steps.size());
    REQUIRE(steps.rows() >= 5);
    for (std::size_t row = 0; row < steps.rows(); ++row)
      CHECK(steps.at(row, *find_column(steps, "time")).integer() == brute.steps[row].second - brute.steps[row].first);
    const Table& gpus = tables[1];
    REQUIRE(gpus.rows() == 1);
    const auto figure = [&](std::string_view name) { return gpus.at(0, *find_column(gpus, name)).number(); };
    CHECK(figure("GPU utilization") == Approx(brute.busy / brute.step_time));
    CHECK(figure("SM efficiency (estimated)") == Approx(brute.filled / brute.step_time));
    CHECK(figure("occupancy (estimated)") == Approx(brute.occupied / brute.kernels));
    CHECK(figure("kernel time") == Approx(brute.kernels));
    CHECK(figure("Tensor Core share") == Approx(brute.tensor_cores / brute.kernels));
  }
}

TEST_CASE("the share of Tensor Cores equals that of the TensorBoard plugin for kernels that it knew", "[oracle]") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  const auto path = *shared / "traces" / "sampled2" / "sampled_rank-0.json.gz";
  const auto profile = load(path);
  const BruteOverview brute = brute_overview(naive_read(plain_text_of(path)), steps_of(*profile));
  REQUIRE(brute.tensor_cores > 0);
  const Table gpus = std::move(tables_of(*profile, "step_overview")[1]);
  REQUIRE(gpus.rows() == 1);
  CHECK(gpus.at(0, *find_column(gpus, "Tensor Core share")).number() == Approx(brute.tensor_cores / brute.kernels));
}

TEST_CASE("kernels equal sums over the text, with the weights of the TensorBoard plugin", "[oracle]") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces");
    return;
  }
  struct Brute {
    std::int64_t count = 0, total = 0, shortest = 0, longest = 0;
    double blocks = 0, occupancy = 0;
  };
  for (const char* const file :
       {"resnet50_torch1.9/worker0.1623213129365.pt.trace.json.gz", "v100_5steps/df_index_resolver.json.gz"}) {
    CAPTURE(file);
    const auto path = *shared / "traces" / file;
    std::map<std::string, Brute> by_name;
    for (const NaiveSlice& slice : naive_read(plain_text_of(path)).slices) {
      if (!is_kernel(slice) || !slice.possible()) continue;
      Brute& sum = by_name[slice.name];
      sum.shortest = sum.count == 0 ? slice.duration : std::min(sum.shortest, slice.duration);
      sum.longest = std::max(sum.longest, slice.duration);
      ++sum.count;
      sum.total += slice.duration;
      sum.blocks += slice.blocks_per_sm * static_cast<double>(slice.duration);
      sum.occupancy += slice.occupancy / 100 * static_cast<double>(slice.duration);
    }
    const auto profile = load(path);
    const Table table = std::move(tables_of(*profile, "kernels", {{"row_limit", "0"}})[0]);
    REQUIRE(table.rows() == by_name.size());
    REQUIRE(table.rows() > 20);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::string name(table.at(row, 0).text());
      CAPTURE(name);
      REQUIRE(by_name.contains(name));
      const Brute& sum = by_name[name];
      const auto cell = [&](std::string_view column) { return table.at(row, *find_column(table, column)); };
      CHECK(cell("count").integer() == sum.count);
      CHECK(cell("total").integer() == sum.total);
      CHECK(cell("min").integer() == sum.shortest);
      CHECK(cell("max").integer() == sum.longest);
      const auto time = static_cast<double>(sum.total);
      CHECK(cell("mean").number() == Approx(time / static_cast<double>(sum.count)));
      CHECK(cell("blocks per SM").number() == Approx(sum.blocks / time));
      CHECK(cell("occupancy").number() == Approx(sum.occupancy / time));
    }
  }
}
