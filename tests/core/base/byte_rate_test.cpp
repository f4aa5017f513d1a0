#include "core/base/byte_rate.hpp"

#include <cmath>

#include "core/base/format.hpp"
#include "core/base/table_format.hpp"
#include "tests/catch.hpp"

namespace warpscope {
namespace {

TEST_CASE("bandwidths are written in decimal units", "[format][rate]") {
  CHECK(format_byte_rate(0) == "0 B/s");
  CHECK(format_byte_rate(42) == "42 B/s");
  CHECK(format_byte_rate(812'000) == "0.812 MB/s");
  CHECK(format_byte_rate(14.5e9) == "14.5 GB/s");
  CHECK(format_byte_rate(9.999e9) == "10.00 GB/s");
  CHECK(format_byte_rate(369.8e9) == "370 GB/s");
  CHECK(format_byte_rate(3.35e12) == "3\u2009350 GB/s");
  CHECK(format_byte_rate(-2e9) == "-2.00 GB/s");
  CHECK(format_byte_rate(std::nan("")) == kNoFigure);
  CHECK(format_byte_rate(103e6, rate_unit(14.5e9)) == "0.103 GB/s");
  CHECK(format_byte_rate(1, rate_unit(14.5e9)) == "0.0000 GB/s");
}

TEST_CASE("bandwidths of a table share the unit of the largest", "[format][rate]") {
  Table table("t", "",
              {{"min", "B/s", ColumnKind::bytes}, {"max", "B/s", ColumnKind::bytes}, {"moved", "", ColumnKind::bytes}});
  table.add_row({22'890'000.0, 14'480'000'000.0, 1024});
  table.add_row({61'040'000.0, 2'090'000'000.0, 2048});
  for (const std::size_t column : {0u, 1u}) CHECK(choose_format(table, column).unit == "GB/s");
  CHECK(format_cell(choose_format(table, 0), table.at(0, 0)) == "0.023");
  CHECK(format_cell(choose_format(table, 1), table.at(0, 1)) == "14.480");
  CHECK(choose_format(table, 2).unit == "KiB");
}

}  // namespace
}  // namespace warpscope
