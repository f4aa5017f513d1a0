// Bar labels, and selection of the rows shown as bars.
#include "render/plots/bar_labels.hpp"

#include <algorithm>

#include "render/plots/bar_rows.hpp"
#include "tests/catch.hpp"

namespace warpscope::plots {
namespace {

using Labels = std::vector<std::string>;

constexpr const char* kSqrt =
    "void at::native::vectorized_elementwise_kernel<4, at::native::sqrt_kernel_cuda(at::TensorIteratorBase&)>(int)";

TEST_CASE("bars of kernels that differ in their template arguments have different labels", "[plots][labels]") {
  Table table("kernel-time", "", {{"name", "", ColumnRole::name}, {"total", "", ColumnRole::total}});
  table.add_row({"void softmax_warp_forward<float, 10>(float*)", 5});
  table.add_row({"void softmax_warp_forward<c10::Half, 10>(float*)", 4});
  CHECK(bar_labels(table, std::vector<std::uint32_t>{0, 1}) ==
        Labels{"float · softmax_warp_forward", "Half · softmax_warp_forward"});
  CHECK(bar_labels(table, std::vector<std::uint32_t>{0}) == Labels{"softmax_warp_forward"});
}

TEST_CASE("bars of annotations and operators have full names", "[plots][labels]") {
  for (const ColumnRole role : {ColumnRole::annotation, ColumnRole::annotation_group, ColumnRole::op}) {
    Table table("t", "", {{"name", "", role}, {"total", "", ColumnRole::total}});
    table.add_row({"attn(F)", 5});
    table.add_row({"scope<4>(int)", 4});
    CHECK(bar_labels(table, std::vector<std::uint32_t>{0, 1}) == Labels{"attn(F)", "scope<4>(int)"});
  }
}

TEST_CASE("bar labels show what distinguishes the bars", "[plots][labels]") {
  Table table("t", "",
              {{"rank", "", ColumnRole::rank},
               {"operator", "", ColumnRole::op},
               {"kernels", "", ColumnRole::kernel_names},
               {"stream", "", ColumnRole::stream},
               {"delay", "", ColumnKind::duration},
               {"remark", "", ColumnRole::remark}});
  table.add_row({0, "aten::sqrt", kSqrt, 7, 5, "slow"});
  table.add_row({0, "aten::sqrt", "gemm", 7, 5, "fast"});
  CHECK(bar_labels(table, std::vector<std::uint32_t>{0, 1}) ==
        Labels{"aten::sqrt · sqrt · vectorized_elementwise_kernel", "aten::sqrt · gemm"});
  // With several ranks, labels start with the rank, even if all rows shown are from one rank. Streams appear only where
  // they distinguish rows.
  table.add_row({1, "aten::mm", "gemm", 7, 5, ""});
  table.add_row({1, "aten::mm", "gemm", 9, 5, ""});
  CHECK(bar_labels(table, std::vector<std::uint32_t>{1}) == Labels{"rank 0 · aten::sqrt"});
  CHECK(bar_labels(table, std::vector<std::uint32_t>{2, 3}) ==
        Labels{"rank 1 · aten::mm · stream 7", "rank 1 · aten::mm · stream 9"});
  CHECK(bar_labels(table, {}).empty());
}

TEST_CASE("rows with equal labels show their time, or else a number", "[plots][labels]") {
  Table runs(
      "t", "",
      {{"begin", "", ColumnRole::start}, {"duration", "", ColumnRole::duration}, {"name", "", ColumnRole::name}});
  runs.add_row({1'500'000, 5, "gemm"});
  runs.add_row({2'500'000, 5, "gemm"});
  runs.add_row({2'500'000, 5, "gemm"});
  runs.add_row({3'500'000, 5, "relu"});
  const Labels labels = bar_labels(runs, std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(labels == Labels{"gemm · at 1.500 ms", "gemm · at 2.500 ms (1)", "gemm · at 2.500 ms (2)", "relu"});
}

Table kernels(int count) {
  Table table("kernels", "Kernels", {{"name", "", ColumnRole::name}, {"total", "", ColumnRole::total}});
  table.add_row({"others", 1'000'000});
  for (int i = 0; i < count; ++i) table.add_row({"kernel " + std::to_string(i), i * 7 % count});
  return table;
}

TEST_CASE("the largest rows become bars, with the row of others last", "[plots][labels]") {
  const Table few = kernels(5);
  const BarRows all = bar_rows(few, 1);
  CHECK(all.sorted);
  REQUIRE(all.rows.size() == 6);
  CHECK(all.rows.back() == 0);  // "others" is last, regardless of its value
  for (std::size_t i = 1; i + 1 < all.rows.size(); ++i)
    CHECK(few.at(all.rows[i - 1], 1).integer() >= few.at(all.rows[i], 1).integer());
  const Table many = kernels(1000);
  const BarRows most = bar_rows(many, 1);
  REQUIRE(most.rows.size() == kMostBars);
  CHECK(many.at(most.rows[0], 1).integer() == 999);
  CHECK(many.at(most.rows.back(), 1).integer() == 1000 - static_cast<std::int64_t>(kMostBars));
  CHECK(most.order.back() == 0);
}

TEST_CASE("rows named other, idle or unknown are sorted by value", "[plots][labels]") {
  for (const char* name : {"other", "idle", "unknown", "not busy"}) {
    Table table("t", "Names", {{"name", "", ColumnRole::name}, {"total", "", ColumnRole::total}});
    table.add_row({"gemm", 5});
    table.add_row({name, 9});
    table.add_row({"relu", 7});
    table.add_row({"others", 8});
    const BarRows chosen = bar_rows(table, 1);
    CHECK(chosen.rows == std::vector<std::uint32_t>{1, 2, 0, 3});
    CHECK(order_words(chosen) == ", largest first, others last");
  }
}

TEST_CASE("table and bars have the same order", "[plots][labels]") {
  const Table many = kernels(1000);
  const BarRows most = bar_rows(many, 1);
  REQUIRE(most.order.size() == many.rows());
  CHECK(std::ranges::equal(std::span(most.order).first(kMostBars), most.rows));
  for (std::size_t i = 1; i + 1 < most.order.size(); ++i)
    CHECK(many.at(most.order[i - 1], 1).integer() >= many.at(most.order[i], 1).integer());
  CHECK(order_words(most) == ", largest first");  // the other rows are not drawn
  const std::vector<std::uint32_t> by_name{2, 0, 1};
  const BarRows asked = bar_rows(kernels(2), 1, by_name);
  CHECK(asked.rows == by_name);
  CHECK_FALSE(asked.sorted);
  CHECK(order_words(asked).empty());
}

TEST_CASE("rows with an inherent order keep it", "[plots][labels]") {
  Table ranks("t", "", {{"rank", "", ColumnRole::rank}, {"total", "", ColumnRole::total}});
  for (int r = 0; r < 8; ++r) ranks.add_row({r, r * 3 % 8});
  const BarRows kept = bar_rows(ranks, 1);
  CHECK_FALSE(kept.sorted);
  CHECK(std::ranges::is_sorted(kept.rows));
  for (int r = 8; r < 32; ++r) ranks.add_row({r, r * 3 % 8});
  CHECK(bar_rows(ranks, 1).sorted);  // too many for all of them to be visible
  for (int r = 32; r < 200; ++r) ranks.add_row({r, r * 3 % 8});
  CHECK_FALSE(bar_rows(ranks, 1).sorted);  // a heat map shows them all
  CHECK(bar_rows(ranks, 1).rows.size() == 200);
  Table activity("t", "", {{"activity", "", ColumnRole::activity}, {"total", "", ColumnRole::total}});
  activity.add_row({"memory", 1});
  activity.add_row({"kernel", 2});
  CHECK_FALSE(bar_rows(activity, 1).sorted);
}

}  // namespace
}  // namespace warpscope::plots
