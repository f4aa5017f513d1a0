// Jobs with communication other than NCCL: compares its time with sums of the generated GPU activities, and checks the
// warning if no communication is recognized.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "core/base/format.hpp"
#include "tests/core/analysis/brute_force.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/find_column.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

namespace {

constexpr std::array<std::string_view, 6> kDispatching{
    "void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*)",
    "void deep_ep::internode::notify_dispatch<false, 4>(int const*)",
    "void deep_ep::internode_ll::combine<false, 7168, 9, 128>(void*)",
    "void vendor::ep::internode::dispatch<true>(int4*)",
    "_ZN7deep_ep9intranode7combineI13__nv_bfloat16Li8EEEvPT_",
    "_ZN6vendor2ep9intranode8dispatchILi8EEEvP4int4",
};
constexpr std::array<std::string_view, 4> kComputing{
    "void at::native::reduce_kernel<512, 1, MeanOps<float> >(float)",
    "void (anonymous namespace)::multi_tensor_apply_kernel<AdamFunctor>(int)",
    "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNN",
    "void vectorized_elementwise_kernel<4, all_equal_functor<float> >(int)",
};

std::string job_metadata(int rank, int world) {
  return fmt::format(R"("distributedInfo": {{"backend": "nccl", "rank": {}, "world_size": {}}})", rank, world);
}

/// A rank of the generated job, with its communication and computation listed separately.
struct MadeRank {
  TinyEvents events;
  std::vector<Span> communicating;  // ns
  std::vector<Span> computing;
  std::int64_t computing_sum = 0;
  std::int64_t communicating_sum = 0;
};

MadeRank made_rank(unsigned seed) {
  MadeRank made;
  std::mt19937 random(seed);
  std::int64_t at[2] = {1000, 1000};  // µs, by stream
  for (unsigned i = 0; i < 600; ++i) {
    const bool communicates = i % 3 == 0;
    const unsigned stream = i % 2;
    const std::int64_t length = 1 + static_cast<std::int64_t>(random() % 50);
    const std::int64_t begin = at[stream] + static_cast<std::int64_t>(random() % 20);
    at[stream] = begin + length;
    const std::string_view name =
        communicates ? kDispatching[random() % kDispatching.size()] : kComputing[random() % kComputing.size()];
    made.events.run({.name = name,
                     .begin = static_cast<double>(begin),
                     .length = static_cast<double>(length),
                     .stream = stream == 0 ? 7 : 20});
    (communicates ? made.communicating : made.computing).push_back({begin * 1000, (begin + length) * 1000});
    (communicates ? made.communicating_sum : made.computing_sum) += length * 1000;
  }
  return made;
}

/// |a ∩ b| = |a| + |b| − |a ∪ b|.
std::int64_t common_of(const std::vector<Span>& a, const std::vector<Span>& b) {
  std::vector<Span> both = a;
  both.insert(both.end(), b.begin(), b.end());
  return tests::union_of(a) + tests::union_of(b) - tests::union_of(both);
}

std::shared_ptr<const trace::Profile> load_job(const std::vector<std::string>& events) {
  const TestFolder folder;
  for (std::size_t r = 0; r < events.size(); ++r)
    folder.write(fmt::format("rank{}.json", r),
                 trace_of(events[r], job_metadata(static_cast<int>(r), static_cast<int>(events.size()))));
  return load(folder.path());
}

}  // namespace

TEST_CASE("expert parallelism counts as communication in a job in which it accounts for a third of the kernels") {
  const std::array made{made_rank(1), made_rank(2)};
  const auto profile = load_job({made[0].events.text(), made[1].events.text()});
  const Table overlap = tables_of(*profile, "comm_comp_overlap").front();
  const Table temporal = tables_of(*profile, "temporal_breakdown").front();
  REQUIRE(overlap.rows() == 2);
  REQUIRE(temporal.rows() == 2);
  for (std::size_t r = 0; r < 2; ++r) {
    const std::int64_t communication = tests::union_of(made[r].communicating);
    const std::int64_t hidden = common_of(made[r].communicating, made[r].computing);
    CHECK(overlap.at(r, 2).integer() == communication);
    CHECK(overlap.at(r, 3).integer() == hidden);
    CHECK(overlap.at(r, 4).integer() == communication - hidden);
    CHECK(temporal.at(r, 2).integer() == tests::union_of(made[r].computing));
    CHECK(temporal.at(r, 3).integer() == communication - hidden);
  }
  CHECK(overlap.note.find("kernel-class") == std::string::npos);
  CHECK(temporal.note.empty());
  std::int64_t sum = 0;
  const Table kernels = tables_of(*profile, "gpu_kernel_breakdown", {{"num_kernels", "0"}}).back();
  const auto type = find_column(kernels, "kernel type");
  REQUIRE(type);
  for (std::size_t row = 0; row < kernels.rows(); ++row)
    if (kernels.at(row, *type).text() == "COMMUNICATION") sum += kernels.at(row, 1).integer();
  CHECK(sum == made[0].communicating_sum + made[1].communicating_sum);
  // HTA's own classes recognize none of it.
  CHECK(tables_of(*profile, "comm_comp_overlap", {{"hta", "true"}}).front().at(0, 2).integer() == 0);
}

TEST_CASE("a multi-rank job without known communication gets a warning with likely kernels") {
  TinyEvents events;
  events.run({.name = "gemm", .begin = 0, .length = 100});
  events.run({.name = "void my::ring_step<8>(int*)", .begin = 10, .length = 30, .stream = 20});
  events.run({.name = "halo", .begin = 50, .length = 5, .stream = 21});
  events.run({.name = "halo", .begin = 60, .length = 5, .stream = 21});
  events.run({.name = "tail", .begin = 70, .length = 2, .stream = 21});
  events.run({.name = "least", .begin = 80, .length = 1, .stream = 21});
  events.run({.name = "Memcpy DtoD", .begin = 90, .length = 50, .stream = 22, .category = "gpu_memcpy"});
  const std::string note =
      "The job has 2 ranks, but no known communication kernels. Longest kernels outside the busiest stream: "
      "my::ring_step (60.0 µs), halo (20.0 µs), tail (4.00 µs). If they communicate, set --kernel-class "
      "communication=NAME, or kernel_class in the settings.";
  const auto profile = load_job({events.text(), events.text()});
  for (const std::string_view name : {"comm_comp_overlap", "temporal_breakdown", "gpu_kernel_breakdown"}) {
    INFO(name);
    CHECK(tables_of(*profile, name).front().note == note);
    const auto known = tables_of(*profile, name, {{"kernel_class", "communication=ring_step"}});
    CHECK(known.front().note.find("kernel-class") == std::string::npos);
    CHECK(tables_of(*profile, name, {{"hta", "true"}}).front().note.find("The job has") == std::string::npos);
    const analysis::Scope range{{}, Interval{profile->span.begin, profile->span.begin + 60'000}};
    CHECK(tables_of(*profile, name, {}, range).front().note.find("The job has") == std::string::npos);
  }
}

TEST_CASE("one rank of a job gets the warning, a single process does not") {
  const std::string events = TinyEvents().run({.name = "gemm", .length = 5}).text();
  const std::string_view said = "The job has 8 ranks, but no known communication kernels.";
  CHECK(tables_of(*load_events(events, job_metadata(3, 8)), "temporal_breakdown").front().note == said);
  CHECK(tables_of(*load_events(events, job_metadata(0, 1)), "temporal_breakdown").front().note.empty());
  CHECK(tables_of(*load_events(events), "temporal_breakdown").front().note.empty());
}

TEST_CASE("all-reduces on symmetric memory agree with the text of a real trace") {
  const auto shared = shared_dir();
  const auto path = shared.value_or("") / "traces" / "b200" / "eager_trace.json.gz";
  if (!std::filesystem::exists(path)) {
    WARN("no trace with all-reduces on symmetric memory: " << path);
    return;
  }
  const std::set<std::string> names{
      "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
      "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*, unsigned long, "
      "unsigned int**, unsigned long, unsigned long)"};
  std::vector<Span> spans;
  for (const NaiveSlice& slice : naive_read(plain_text_of(path)).slices)
    if (is_kernel(slice) && names.contains(slice.name)) spans.push_back({slice.begin, slice.end()});
  const std::int64_t expected = tests::union_of(spans);
  const Table overlap = tables_of(*load(path), "comm_comp_overlap").front();
  CHECK(overlap.at(0, 2).integer() == expected);
  CHECK(expected / 1000 == 2141);
}
