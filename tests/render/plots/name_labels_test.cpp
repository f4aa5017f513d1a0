// Kernel names as shown in charts and tables.
#include "render/plots/name_labels.hpp"

#include <vector>

#include "core/analysis/diff/slowdown.hpp"
#include "tests/catch.hpp"

namespace warpscope::plots {
namespace {

constexpr const char* kSqrtName =
    "void at::native::vectorized_elementwise_kernel<4, at::native::sqrt_kernel_cuda(at::TensorIteratorBase&)>(int)";

TEST_CASE("kernels in a sequence are labeled individually", "[plots][labels]") {
  const NameLabels labels;
  CHECK(labels.of(kSqrtName) == "sqrt · vectorized_elementwise_kernel");
  CHECK(labels.of("aten::add") == "aten::add");
  CHECK(labels.of("Memcpy HtoD (Pinned -> Device)") == "Memcpy HtoD (Pinned -> Device)");
  CHECK(labels.of(std::string("aten::mm|Memset (Device)|") + kSqrtName + "|" + kSqrtName) ==
        "aten::mm → Memset (Device) → sqrt · vectorized_elementwise_kernel ×2");
  CHECK(labels.of("gemm -> void split_rows_of<float>(int) -> Memcpy DtoD (Device -> Device) -> gemm") ==
        "gemm → split_rows_of → Memcpy DtoD (Device -> Device) → gemm");
  CHECK(labels.of("a|") == "a → ");
  CHECK(labels.of("").empty());
}

TEST_CASE("kernels in a column have distinct labels", "[plots][labels]") {
  Table table("kernel-time", "", {{"name", "", ColumnRole::name}});
  table.add_row({"void copy_all_rows<float>(int)"});
  table.add_row({"void copy_all_rows<long>(int)"});
  const NameLabels labels(table, 0);
  CHECK(labels.of("void copy_all_rows<long>(int)") == "long · copy_all_rows");
  CHECK(labels.of("void copy_all_rows<short>(int)") == "copy_all_rows");  // not in the table
  CHECK(NameLabels(table, 0, 1).of("void copy_all_rows<float>(int)") == "copy_all_rows");
}

TEST_CASE("readable tables have kernel labels and show other names in full", "[plots][labels]") {
  Table table("t", "Title", {{"kind", "", ColumnRole::kind}, {"name", "", ColumnRole::name}});
  table.note = "note";
  table.add_row({Cell("kernel", analysis::Slowdown::Kind::kernel), "void copy_all_rows<float>(int)"});
  table.add_row({"operator", "void copy_all_rows<float>(int)"});
  table.add_row({Cell("kernel", analysis::Slowdown::Kind::kernel), "gemm"});
  table.add_row({"operator", Cell()});
  const Table shown = with_labels(table);
  REQUIRE(shown.rows() == 4);
  CHECK(shown.note == "note");
  CHECK(shown.at(0, 1).text() == "copy_all_rows");
  CHECK(shown.at(1, 1).text() == "void copy_all_rows<float>(int)");
  CHECK(shown.at(2, 1).text() == "gemm");
  CHECK(shown.at(3, 1).missing());
}

TEST_CASE("annotation and operator columns have no kernel labels", "[plots][labels]") {
  const Table table("t", "",
                    {{"kernel", "", ColumnRole::kernel},
                     {"name", "", ColumnRole::name},
                     {"operator", "", ColumnRole::op},
                     {"annotation", "", ColumnRole::annotation_group},
                     {"stream", "", ColumnRole::stream}});
  CHECK(holds_kernels(table, 0));
  CHECK(holds_kernels(table, 1));
  CHECK_FALSE(holds_kernels(table, 2));
  CHECK_FALSE(holds_kernels(table, 3));
  CHECK_FALSE(holds_kernels(table, 4));
  CHECK_FALSE(holds_kernels(Table("annotation-breakdown", "", {{"name", "", ColumnRole::annotation}}), 0));
}

}  // namespace
}  // namespace warpscope::plots
