// Compares every analysis with an independent computation from the text of the files, on real and generated traces.
#include <cmath>
#include <functional>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/precision.hpp"
#include "core/base/format.hpp"
#include "core/base/table_writers.hpp"
#include "tests/catch.hpp"
#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/find_column.hpp"
#include "tests/sanitized.hpp"
#include "tests/shared_dir.hpp"
#include "tests/tracegen/tracegen.hpp"

using namespace warpscope;
using namespace warpscope::analysis;
using namespace warpscope::tests;

namespace {

/// A profile, and the same files read independently. Tests compare the same part of both.
struct Both {
  std::shared_ptr<const trace::Profile> profile;
  Brute brute;
  Scope scope{};

  explicit Both(const std::filesystem::path& folder) : profile(load(folder)), brute(folder) {}

  void restrict_to_range(double from, double to) {
    const auto length = static_cast<double>(profile->span.length());
    scope.range = Interval{profile->span.begin + static_cast<Ns>(from * length),
                           profile->span.begin + static_cast<Ns>(to * length)};
    brute.range = {scope.range->begin, scope.range->end};
  }
  void restrict_to_rank(int number) {
    scope.ranks = *parse_ranks(*profile, std::to_string(number));
    brute.only = number;
  }
  [[nodiscard]] std::vector<Table> run(std::string_view name, std::vector<Setting> settings = {}) const {
    auto tables = run_analysis(*find_analysis(name), *profile, scope, settings);
    INFO((tables ? std::string() : tables.error().message()));
    REQUIRE(tables);
    return std::move(*tables);
  }
  [[nodiscard]] Ns looked_at() const { return brute.range.second - brute.range.first; }
};

void check_shares(const Table& table, std::string_view column = "share") {
  double sum = 0;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (!table.at(row, *find_column(table, column)).missing()) sum += figure(table, row, column);
  if (table.rows() > 0) CHECK(sum == Approx(1).epsilon(1e-9));
}

std::string csv_header(const Table& table) {
  std::string csv;
  write_csv(csv, table);
  return csv.substr(0, csv.find('\r'));
}

void check_kernels(const Both& both) {
  const auto expected = both.brute.totals(is_kernel, [](const NaiveSlice& slice) { return slice.name; });
  BruteTotal all;
  for (const auto& [name, sum] : expected) {
    all.total += sum.total;
    all.count += sum.count;
  }
  std::vector<std::pair<std::string, BruteTotal>> order(expected.begin(), expected.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second.total > b.second.total; });

  const std::vector<Table> tables = both.run("kernel_time", {{"k", "7"}});
  const Table& table = tables.front();
  CHECK(csv_header(table) == "name,total_ns,share_pct,count,names");
  check_shares(table);
  check_shares(tables[1]);
  REQUIRE(table.rows() == std::min<std::size_t>(order.size(), 8));
  BruteTotal others = all;
  for (std::size_t row = 0; row < std::min<std::size_t>(7, order.size()); ++row) {
    CHECK(text(table, row, "name") == order[row].first);
    CHECK(integer(table, row, "total") == order[row].second.total);
    CHECK(integer(table, row, "count") == order[row].second.count);
    CHECK(figure(table, row, "share") ==
          Approx(static_cast<double>(order[row].second.total) / static_cast<double>(all.total)));
    others.total -= order[row].second.total;
    others.count -= order[row].second.count;
  }
  if (order.size() > 7) {
    CHECK(text(table, 7, "name") == "others");
    CHECK(integer(table, 7, "total") == others.total);
    CHECK(integer(table, 7, "count") == others.count);
  }
  CHECK(both.run("kernel_time", {{"k", "0"}}).front().rows() == order.size());

  const std::vector<Table> counts = both.run("kernel_launches", {{"k", "0"}});
  CHECK(csv_header(counts.front()) == "name,count,share_pct,names");
  check_shares(counts.front());
  REQUIRE(counts.front().rows() == order.size());
  for (std::size_t row = 0; row < counts.front().rows(); ++row) {
    const BruteTotal& sum = expected.at(text(counts.front(), row, "name"));
    CHECK(integer(counts.front(), row, "count") == sum.count);
    if (row > 0) CHECK(sum.count <= integer(counts.front(), row - 1, "count"));
  }
}

void check_precision(const Both& both) {
  // Generated jobs communicate only through NCCL.
  const auto expected = both.brute.totals(is_kernel, [](const NaiveSlice& slice) {
    return slice.name.starts_with("nccl") ? std::string("communication")
                                          : std::string(to_string(kernel_precision(slice.name)));
  });
  const Table table = both.run("kernel_precision").front();
  CHECK(csv_header(table) == "precision,total_ns,count,share_pct");
  check_shares(table);
  std::map<std::string, BruteTotal> found;
  for (std::size_t row = 0; row < table.rows(); ++row)
    found[text(table, row, "precision")] = {integer(table, row, "total"), integer(table, row, "count")};
  CHECK(found == expected);
}

void check_memory(const Both& both) {
  const auto is_memory = [](const NaiveSlice& slice) { return slice.run() && !is_kernel(slice); };
  const auto direction = [](const NaiveSlice& slice) -> std::string {
    if (!is_copy(slice)) return "memset";
    return slice.name.substr(7, slice.name.find(' ', 7) - 7);  // "Memcpy HtoD (…"
  };
  const auto expected = both.brute.totals(is_memory, direction);
  const std::map<std::string, std::int64_t> bytes = both.brute.bytes(is_memory, direction);
  std::int64_t all_bytes = 0;
  for (const auto& [name, sum] : bytes) all_bytes += sum;

  const Table table = both.run("memory_operations").front();
  CHECK(csv_header(table) == "operation,total_ns,bytes,count,share_pct");
  check_shares(table);
  std::map<std::string, BruteTotal> found;
  for (std::size_t row = 0; row < table.rows(); ++row)
    found[text(table, row, "operation")] = {integer(table, row, "total"), integer(table, row, "count")};
  CHECK(found == expected);

  const Table by_bytes = both.run("memory_operations", {{"by", "bytes"}}).front();
  REQUIRE(by_bytes.rows() == table.rows());
  if (all_bytes > 0) check_shares(by_bytes);
  for (std::size_t row = 0; row < by_bytes.rows(); ++row) {
    const auto moved = bytes.find(text(by_bytes, row, "operation"));
    CHECK(by_bytes.at(row, *find_column(by_bytes, "bytes")).missing() == (moved == bytes.end()));
    if (moved == bytes.end()) continue;
    CHECK(integer(by_bytes, row, "bytes") == moved->second);
    if (all_bytes > 0)
      CHECK(figure(by_bytes, row, "share") ==
            Approx(static_cast<double>(moved->second) / static_cast<double>(all_bytes)));
  }
}

/// True if any union is shorter than the corresponding sum.
bool check_activity(const Both& both) {
  const std::vector<std::pair<std::string, std::function<bool(const NaiveSlice&)>>> activities{
      {"kernel", is_kernel},
      {"memory", [](const NaiveSlice& slice) { return slice.run() && !is_kernel(slice); }},
      {"sync", is_wait}};
  const Table summed = both.run("gpu_activity").front();
  const Table once = both.run("gpu_activity", {{"by", "union"}}).front();
  CHECK(csv_header(summed) == "activity,total_ns,union_ns,share_pct,share_of_gpu_time_pct");
  check_shares(summed);
  check_shares(once);
  REQUIRE(summed.rows() == 4);
  bool overlaps = false;
  double whole = 0;
  for (std::size_t row = 0; row < 4; ++row) whole += figure(once, row, "union");
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK(text(summed, row, "activity") == activities[row].first);
    const auto sums = both.brute.totals(activities[row].second, [](const NaiveSlice&) { return std::string(); });
    CHECK(integer(summed, row, "total") == (sums.empty() ? 0 : sums.begin()->second.total));
    CHECK(integer(summed, row, "union") == both.brute.union_by_device(activities[row].second));
    CHECK(figure(once, row, "share") == Approx(figure(once, row, "union") / whole));
    overlaps = overlaps || integer(summed, row, "total") > integer(summed, row, "union");
  }
  const auto devices = static_cast<std::int64_t>(both.brute.by_device(is_kernel).size());
  const std::int64_t busy = both.brute.union_by_device([](const NaiveSlice& slice) { return slice.run(); });
  CHECK(text(summed, 3, "activity") == "idle");
  CHECK(integer(summed, 3, "total") == devices * both.looked_at() - busy);
  CHECK(integer(summed, 3, "union") == integer(summed, 3, "total"));
  return overlaps;
}

void check_active(const Both& both) {
  const auto is_run = [](const NaiveSlice& slice) { return slice.run(); };
  const auto devices = both.brute.by_device(is_run);
  const std::int64_t busy = both.brute.union_by_device(is_run);
  const Table table = both.run("gpu_active_time").front();
  CHECK(csv_header(table) == "state,total_ns,share_pct");
  check_shares(table);
  REQUIRE(table.rows() == 2);
  CHECK(integer(table, 0, "total") == busy);
  CHECK(integer(table, 1, "total") == static_cast<std::int64_t>(devices.size()) * both.looked_at() - busy);

  const auto threads = both.brute.by_launching_thread();
  std::int64_t host = 0;
  for (const auto& spans : threads) host += union_of(spans);
  const Table cpu = both.run("cpu_active_time").front();
  CHECK(csv_header(cpu) == "state,total_ns,share_pct");
  check_shares(cpu);
  REQUIRE(cpu.rows() == 2);
  CHECK(integer(cpu, 0, "total") == host);
  CHECK(integer(cpu, 1, "total") == static_cast<std::int64_t>(threads.size()) * both.looked_at() - host);
}

std::int64_t union_within(const std::vector<Span>& spans, Span bin) {
  std::vector<Span> inside;
  for (const auto& [begin, end] : spans)
    if (begin < bin.second && end > bin.first)
      inside.push_back({std::max(begin, bin.first), std::min(end, bin.second)});
  return union_of(inside);
}

void check_series(const Both& both, std::string_view analysis, std::string_view column,
                  const std::vector<std::vector<Span>>& devices) {
  const Ns bin = both.looked_at() / 23 + 1;
  const Table table = both.run(analysis, {{"bin", std::to_string(bin)}}).front();
  REQUIRE(both.profile->nodes.size() == 1);
  REQUIRE(table.rows() == static_cast<std::size_t>((both.looked_at() - 1) / bin + 1));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::int64_t begin = both.brute.range.first + static_cast<Ns>(row) * bin;
    const std::int64_t end = std::min(begin + bin, both.brute.range.second);
    CHECK(integer(table, row, "begin") == begin - both.brute.whole().first);
    CHECK(integer(table, row, "end") == end - both.brute.whole().first);
    std::int64_t busy = 0;
    for (const auto& spans : devices) busy += union_within(spans, {begin, end});
    const double expected =
        static_cast<double>(busy) / (static_cast<double>(end - begin) * static_cast<double>(devices.size()));
    CHECK(figure(table, row, column) == Approx(expected).margin(1e-12));
  }
}

void check_steps(const Both& both) {
  const std::vector<BruteStep> expected = both.brute.steps();
  const std::vector<Table> tables = both.run("step_time");
  CHECK(csv_header(tables[0]) == "bin_begin_ns,bin_end_ns,count");
  const Table& steps = tables.back();
  std::vector<BruteStep> found;
  for (std::size_t row = 0; row < steps.rows(); ++row)
    found.push_back({text(steps, row, "step"), integer(steps, row, "duration"), text(steps, row, "source")});
  std::sort(found.begin(), found.end());
  CHECK(found == expected);
  for (std::size_t row = 0; row < tables[0].rows(); ++row) {
    const auto in_bin = std::count_if(expected.begin(), expected.end(), [&](const BruteStep& step) {
      return step.duration >= integer(tables[0], row, "bin begin") &&
             step.duration < integer(tables[0], row, "bin end");
    });
    CHECK(integer(tables[0], row, "count") == in_bin);
  }
}

double brute_quantile(const std::vector<std::int64_t>& sorted, double fraction) {
  const double h = static_cast<double>(sorted.size() - 1) * fraction;
  const auto low = static_cast<std::size_t>(h);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return static_cast<double>(sorted[low]) +
         (h - static_cast<double>(low)) * static_cast<double>(sorted[high] - sorted[low]);
}

void check_annotations(const Both& both) {
  const auto expected = both.brute.annotations();
  const Table table = both.run("annotations").front();
  CHECK(csv_header(table) == "family,side,count,mean_ns,median_ns,p95_ns,p99_ns,max_ns,stddev_ns");
  REQUIRE(table.rows() == expected.size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    INFO(text(table, row, "family"));
    const auto& durations = expected.at({text(table, row, "family"), text(table, row, "side")});
    double sum = 0;
    for (const std::int64_t duration : durations) sum += static_cast<double>(duration);
    const double mean = sum / static_cast<double>(durations.size());
    double squares = 0;
    for (const std::int64_t duration : durations) squares += std::pow(static_cast<double>(duration) - mean, 2);
    CHECK(integer(table, row, "count") == static_cast<std::int64_t>(durations.size()));
    CHECK(figure(table, row, "mean") == Approx(mean));
    CHECK(figure(table, row, "median") == Approx(brute_quantile(durations, 0.5)));
    CHECK(figure(table, row, "p95") == Approx(brute_quantile(durations, 0.95)));
    if (durations.size() >= 100)
      CHECK(figure(table, row, "p99") == Approx(brute_quantile(durations, 0.99)));
    else
      CHECK(std::isnan(figure(table, row, "p99")));
    CHECK(integer(table, row, "max") == durations.back());
    CHECK(figure(table, row, "stddev") ==
          Approx(std::sqrt(squares / static_cast<double>(durations.size()))).margin(1e-6));
  }
  for (const auto& [key, durations] : expected) {
    const Table bins = both.run("annotation_histogram", {{"name", key.first}, {"side", key.second}, {"bins", "9"}})[0];
    CHECK(csv_header(bins) == "bin_begin_ns,bin_end_ns,count");
    std::int64_t total = 0;
    for (std::size_t row = 0; row < bins.rows(); ++row) {
      const auto in_bin = std::count_if(durations.begin(), durations.end(), [&](std::int64_t duration) {
        return duration >= integer(bins, row, "bin begin") && duration < integer(bins, row, "bin end");
      });
      CHECK(integer(bins, row, "count") == in_bin);
      total += in_bin;
    }
    CHECK(total == static_cast<std::int64_t>(durations.size()));
  }
}

bool check_all(const Both& both) {
  check_kernels(both);
  check_precision(both);
  check_memory(both);
  check_active(both);
  check_series(both, "gpu_utilization", "utilization",
               both.brute.by_device([](const NaiveSlice& slice) { return slice.run(); }));
  check_series(both, "cpu_utilization", "busy share", both.brute.by_launching_thread());
  check_steps(both);
  check_annotations(both);
  return check_activity(both);
}

}  // namespace

TEST_CASE("analyses of real traces equal an independent computation from the text") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces here");
    return;
  }
  bool overlaps = false;
  for (const char* set : {"dlrm8", "v100_5steps", "mi300_resnet_ddp", "resnet50_torch1.9"}) {
    // This compares values, which sanitizers don't change, so under sanitizers the set with overlapping kernels is
    // enough.
    if (sanitized() && std::string_view(set) != "dlrm8") continue;
    INFO(set);
    Both both(*shared / "traces" / set);
    overlaps = check_all(both) || overlaps;
    both.restrict_to_range(0.3, 0.7);
    check_all(both);
  }
  CHECK(overlaps);
}

TEST_CASE("analyses of selected ranks ignore the others") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no shared traces here");
    return;
  }
  Both both(*shared / "traces" / "dlrm8");
  both.restrict_to_rank(3);
  check_all(both);
}

TEST_CASE("analyses of generated traces equal an independent computation from the text") {
  const TestFolder folder;
  tracegen::Options options = *tracegen::preset("small");
  options.gpus = 3;
  options.steps = 4;
  (void)tracegen::generate(options, folder.path());
  Both both(folder.path());
  CHECK(check_all(both));
  both.restrict_to_range(0.2, 0.8);
  check_all(both);
  both.restrict_to_rank(1);
  check_all(both);
}

TEST_CASE("impossible slices are excluded from every analysis and counted in notes") {
  const TestFolder folder;
  tracegen::Options options = *tracegen::preset("small");
  for (const char* defect :
       {"negative-duration@all", "absurd-duration@0", "zero-begin@1", "overlap@1", "graph-launch@0"})
    options.defects.push_back(*tracegen::parse_defect(defect));
  const tracegen::Truth truth = tracegen::generate(options, folder.path());
  const Both both(folder.path());
  REQUIRE(both.brute.impossible_kernels > 0);
  CHECK(both.brute.impossible_kernels == truth.total().flagged);
  CHECK(check_all(both));  // union and sum differ where kernels of one stream overlap
  const std::string said =
      "Excludes " + format_count(both.brute.impossible_kernels) + " kernels with impossible times.";
  CHECK(both.run("kernel_time").front().note.find(said) != std::string::npos);
  CHECK(both.run("kernel_precision").front().note.find(said) != std::string::npos);
}
