// Matching in small jobs, successful and rejected, and the values of collectives.
#include "core/analysis/ranks/collective_kind.hpp"
#include "tests/core/analysis/ranks/ranks_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// "allreduce 0 1", one per collective.
std::vector<std::string> matched(const std::vector<Table>& tables) {
  const Table table = table_of(tables, "collectives");
  std::vector<std::string> rows;
  for (std::size_t row = 0; row < table.rows(); ++row)
    rows.push_back(text(table, row, "group") + " " + text(table, row, "kind") + " " + text(table, row, "ranks"));
  return rows;
}

}  // namespace

TEST_CASE("a collective is split into waiting and transfer, and its bandwidth counts the transfer") {
  RanksJob job(4);
  for (std::size_t rank = 0; rank < 4; ++rank)
    job.collective(rank, {.begin = 1.0 + static_cast<double>(rank),
                          .length = 5.0 - static_cast<double>(rank),
                          .ranks = "[0, 1, 2, 3]",
                          .sequence = 1});
  const auto tables = job.tables("collectives", {{"clocks", "recorded"}});
  const Table& kinds = tables.front();
  REQUIRE(kinds.rows() == 1);
  CHECK(text(kinds, 0, "kind") == "allreduce");
  CHECK(integer(kinds, 0, "bytes") == 2'000'000);
  CHECK(integer(kinds, 0, "calls") == 4);
  CHECK(integer(kinds, 0, "collectives") == 1);
  CHECK(integer(kinds, 0, "transfer") == 4 * 2'000'000);
  CHECK(integer(kinds, 0, "waiting") == 6'000'000);
  CHECK(figure(kinds, 0, "algorithm bandwidth") == Approx(1e9));
  CHECK(figure(kinds, 0, "bus bandwidth") == Approx(1.5e9));  // 2 (n − 1) / n
  const Table each = table_of(tables, "collectives");
  CHECK(integer(each, 0, "first rank") == 0);
  CHECK(integer(each, 0, "last rank") == 3);
  CHECK(integer(each, 0, "marginal") == 1'000'000);
  CHECK(integer(each, 0, "waited") == 6'000'000);
  CHECK(figure(each, 0, "bus bandwidth") == Approx(1.5e9));
}

TEST_CASE("bus bandwidth follows the formula of the kind") {
  using analysis::CollectiveKind;
  CHECK(analysis::bus_factor(CollectiveKind::all_reduce, 8) == Approx(1.75));
  CHECK(analysis::bus_factor(CollectiveKind::all_gather, 8) == Approx(0.875));
  CHECK(analysis::bus_factor(CollectiveKind::reduce_scatter, 4) == Approx(0.75));
  CHECK(analysis::bus_factor(CollectiveKind::all_to_all, 4) == Approx(0.75));
  CHECK(analysis::bus_factor(CollectiveKind::broadcast, 4) == Approx(1));
  CHECK(analysis::bus_factor(CollectiveKind::send, 2) == Approx(1));
  CHECK(analysis::bus_factor(CollectiveKind::barrier, 4) == 0);
  CHECK(analysis::bus_factor(CollectiveKind::all_reduce, 1) == 0);
}

TEST_CASE("the kind of a collective is inferred from its name") {
  using analysis::collective_kind_of;
  CHECK(to_string(collective_kind_of("_allgather_base")) == "allgather");
  CHECK(to_string(collective_kind_of("nccl:_reduce_scatter_base")) == "reducescatter");
  CHECK(to_string(collective_kind_of("nccl:all_to_all")) == "alltoall");
  CHECK(to_string(collective_kind_of("ncclDevKernel_AllReduce_Sum_bf16_RING_LL")) == "allreduce");
  CHECK(to_string(collective_kind_of("ncclKernel_SendRecv_RING_SIMPLE")) == "sendrecv");
  CHECK(to_string(collective_kind_of("recv")) == "recv");
  CHECK(to_string(collective_kind_of("gemm")) == "other");
}

TEST_CASE("communication of one rank is summed, and its wait time is unknown") {
  RanksJob job(1, 8);
  for (int i = 0; i < 3; ++i)
    job.collective(0, {.begin = 10.0 * i, .length = 2, .ranks = "[0, 1, 2, 3, 4, 5, 6, 7]", .sequence = i});
  const auto tables = job.tables("collectives");
  REQUIRE(tables.front().rows() == 1);
  CHECK(integer(tables.front(), 0, "calls") == 3);
  CHECK(cell(tables.front(), 0, "waiting").missing());
  CHECK(figure(tables.front(), 0, "algorithm bandwidth") == Approx(1e9));
  CHECK(integer(tables.front(), 0, "members") == 8);
  CHECK(says(tables.front().note, "Wait time is unknown: it requires traces from several ranks"));
  CHECK(!says(tables.front().note, "Not compared"));
}

TEST_CASE("groups of the same name with different ranks are separate groups") {
  RanksJob job(4);
  for (std::size_t rank = 0; rank < 4; ++rank)
    for (int i = 0; i < 3; ++i)
      job.collective(rank, {.begin = 1 + 10.0 * i + (rank == 1 ? 1 : 0),
                            .length = rank == 1 ? 1.0 : 2.0,
                            .group = "tp",
                            .ranks = rank < 2 ? "[0, 1]" : "[2, 3]",
                            .sequence = i});
  CHECK(matched(job.tables("collectives")) == std::vector<std::string>{"tp allreduce 2 3", "tp allreduce 0 1",
                                                                       "tp allreduce 2 3", "tp allreduce 0 1",
                                                                       "tp allreduce 2 3", "tp allreduce 0 1"});
}

TEST_CASE("sends match receives between the same ranks") {
  RanksJob job(3);
  const auto pair = [&](std::size_t from, std::size_t to, double begin) {
    const std::string more = fmt::format(R"("Src Rank":{},"Dst Rank":{})", from, to);
    job.collective(from, {.begin = begin, .length = 3, .operation = "send", .ranks = "[0, 1, 2]", .more = more});
    job.collective(to, {.begin = begin + 1, .length = 2, .operation = "recv", .ranks = "[0, 1, 2]", .more = more});
  };
  for (int i = 0; i < 4; ++i) {
    pair(0, 1, 1 + 20 * i + (i == 2 ? 0.7 : 0));
    pair(1, 2, 8 + 20 * i + (i == 1 ? 0.4 : 0));
  }
  const auto rows = matched(job.tables("collectives"));
  REQUIRE(rows.size() == 8);
  CHECK(rows[0] == "0 0→1 sendrecv 0 1");
  CHECK(rows[1] == "0 1→2 sendrecv 1 2");
}

TEST_CASE("without sequence numbers, recordings that start at different times match by their ends") {
  RanksJob job(2);
  for (int i = 0; i < 12; ++i) {
    const double begin = 1 + 10.0 * i + 0.13 * i * i;  // training is never quite periodic
    if (i < 9) job.collective(0, {.begin = begin, .length = 2});
    if (i > 2) job.clock(1, 400).collective(1, {.begin = begin + 1, .length = 1});
  }
  const auto tables = job.tables("collectives");
  CHECK(matched(tables).size() == 6);
  CHECK(integer(table_of(tables, "collectives"), 0, "last rank") == 1);
  CHECK(says(tables.front().note, "no sequence numbers"));
}

TEST_CASE("a periodic job without sequence numbers and steps is rejected instead of guessed") {
  RanksJob job(2);
  for (int i = 0; i < 12; ++i) {
    if (i < 11) job.collective(0, {.begin = 1 + 10.0 * i, .length = 2});
    if (i > 0) job.clock(1, 3).collective(1, {.begin = 2 + 10.0 * i, .length = 1});
  }
  const auto tables = job.tables("collectives");
  CHECK(matched(tables).empty());
  CHECK(says(tables.front().note, "equally well with a clock difference"));
}

TEST_CASE("a rank of another job with the same groups is rejected") {
  RanksJob job(3);
  for (int i = 0; i < 8; ++i)
    for (std::size_t rank = 0; rank < 3; ++rank)
      job.collective(
          rank, {.begin = rank == 2 ? 3.0 * i * i : 1 + 20.0 * i, .length = 2, .ranks = "[0, 1, 2]", .sequence = i});
  const auto tables = job.tables("collectives");
  CHECK(matched(tables) == std::vector<std::string>(8, "0 allreduce 0 1"));
  CHECK(says(tables.front().note, "Not compared: rank 2: its collectives do not end at the same time"));
}

TEST_CASE("collectives of a rank that joins late match those of the others from then on") {
  RanksJob job(2);
  for (int i = 0; i < 10; ++i)
    for (std::size_t rank = 0; rank < 2; ++rank)
      if (rank == 0 || i >= 6) job.collective(rank, {.begin = 1 + 10.0 * i, .length = 2, .sequence = i});
  const auto tables = job.tables("collectives");
  CHECK(matched(tables).size() == 4);
  CHECK(says(tables.front().note, "Unmatched kernels: 6 that ran while"));
}

TEST_CASE("clock differences change no wait time, and recorded clocks show them") {
  const auto waits = [](double ahead, const char* clocks) {
    RanksJob job(2);
    job.clock(1, ahead);
    for (int i = 0; i < 6; ++i) {
      job.collective(0, {.begin = 10.0 + 10 * i, .length = 2, .sequence = i});
      job.collective(1, {.begin = 11.0 + 10 * i, .length = 1, .sequence = i});
    }
    return integer(job.tables("collectives", {{"clocks", clocks}}).front(), 0, "waiting");
  };
  CHECK(waits(0, "recorded") == 6'000'000);
  CHECK(waits(0, "durations") == 6'000'000);
  for (const double ahead : {-5.0, 0.5, 5.0}) {
    CHECK(waits(ahead, "aligned") == 6'000'000);
    CHECK(waits(ahead, "durations") == 6'000'000);
  }
  CHECK(waits(0.5, "recorded") != 6'000'000);
}
