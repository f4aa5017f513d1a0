// Round numbers with units, and the mapping between values and pixels.
#include "render/charts/axis.hpp"

#include "tests/render/charts/chart_checks.hpp"

namespace warpscope::charts {
namespace {

std::vector<std::string> labels_of(const std::vector<AxisTick>& ticks) {
  std::vector<std::string> labels;
  for (const AxisTick& tick : ticks)
    if (!tick.label.empty()) labels.push_back(tick.label);
  return labels;
}

using Labels = std::vector<std::string>;

TEST_CASE("steps are round numbers in their unit", "[charts][axis]") {
  CHECK(nice_step(0.3, Unit::count) == 1);
  CHECK(nice_step(3, Unit::count) == 5);
  CHECK(nice_step(1e9, Unit::number) == Approx(1e9));
  CHECK(nice_step(3.1e6, Unit::duration) == Approx(5e6));
  CHECK(nice_step(12e9, Unit::duration) == Approx(15e9));
  CHECK(nice_step(40e9, Unit::duration) == Approx(60e9));
  CHECK(nice_step(0.13, Unit::share) == Approx(0.2));
  CHECK(nice_step(1500, Unit::bytes) == 2048);
  CHECK(nice_step(600, Unit::bytes) == 1024);
  CHECK(nice_step(0, Unit::number) == 1);
  CHECK(nice_step(std::nan(""), Unit::number) == 1);
}

TEST_CASE("linear axes use one unit for all labels", "[charts][axis]") {
  CHECK(labels_of(linear_ticks(0, 1, 4, Unit::share)) == Labels{"0 %", "50 %", "100 %"});
  CHECK(labels_of(linear_ticks(0, 1, 5, Unit::share)) == Labels{"0 %", "20 %", "40 %", "60 %", "80 %", "100 %"});
  CHECK(labels_of(linear_ticks(0, 12e6, 6, Unit::duration)) ==
        Labels{"0", "2 ms", "4 ms", "6 ms", "8 ms", "10 ms", "12 ms"});
  CHECK(labels_of(linear_ticks(1.2e6, 1.6e6, 4, Unit::duration)) ==
        Labels{"1.2 ms", "1.3 ms", "1.4 ms", "1.5 ms", "1.6 ms"});
  CHECK(labels_of(linear_ticks(0, 300e9, 5, Unit::duration)) ==
        Labels{"0", "1 m 00 s", "2 m 00 s", "3 m 00 s", "4 m 00 s", "5 m 00 s"});
  CHECK(labels_of(linear_ticks(0, 3, 4, Unit::count)) == Labels{"0", "1", "2", "3"});
  CHECK(labels_of(linear_ticks(0, 4.0 * 1048576, 4, Unit::bytes)) == Labels{"0", "1 MiB", "2 MiB", "3 MiB", "4 MiB"});
  CHECK(labels_of(linear_ticks(0, 2e9, 2, Unit::byte_rate)) == Labels{"0", "1 GB/s", "2 GB/s"});
  CHECK(format_value(251.03e9, Unit::byte_rate) == "251 GB/s");
  CHECK(format_value_among(103e6, Unit::byte_rate, 251e9) == "0.103 GB/s");
  CHECK(format_value_among(103e6, Unit::duration, 251e9) == "103 ms");
  CHECK(labels_of(linear_ticks(0, 0.41, 1, Unit::share)) == Labels{"0 %", "20 %", "40 %"});  // not only 0 %
  CHECK(linear_ticks(5, 5, 4, Unit::count).empty());
}

TEST_CASE("logarithmic axes label powers of ten, or label like linear axes below one decade", "[charts][axis]") {
  CHECK(labels_of(log_ticks(1, 1000, 4, Unit::count)) == Labels{"1", "10", "100", std::string("1\u2009000")});
  CHECK(labels_of(log_ticks(1e3, 1e9, 3, Unit::duration)) == Labels{"1 µs", "100 µs", "10 ms", "1 s"});
  CHECK(labels_of(log_ticks(10, 40, 4, Unit::count)) == Labels{"10", "20", "30", "40"});
  std::size_t marks = 0;
  for (const AxisTick& tick : log_ticks(1, 100, 4, Unit::count)) marks += tick.label.empty() ? 1 : 0;
  CHECK(marks == 16);  // 2…9 and 20…90
}

TEST_CASE("values beyond the integer range keep their sign", "[charts][axis]") {
  CHECK(format_value(1e19, Unit::duration).front() != '-');
  CHECK(format_value(1e19, Unit::duration) == format_value(1e30, Unit::duration));
  CHECK(format_value(-1e19, Unit::duration) == format_value(-1e30, Unit::duration));
  CHECK(format_value(1e19, Unit::bytes).front() != '-');
}

TEST_CASE("scales convert in both directions", "[charts][axis]") {
  const Scale linear{10, 20, 100, 300, false};
  CHECK(linear.px(15) == Approx(200));
  CHECK(linear.value(200) == Approx(15));
  const Scale log{1, 10000, 400, 0, true};
  CHECK(log.px(100) == Approx(200));
  CHECK(log.value(200) == Approx(100));
  CHECK(log.px(0) == 400);
  const Scale nothing{3, 3, 0, 10, false};
  CHECK(nothing.px(3) == 0);
}

TEST_CASE("single values are formatted the same way everywhere", "[charts][axis]") {
  CHECK(format_value(12.3e6, Unit::duration) == "12.3 ms");
  CHECK(format_value(0.813, Unit::share) == "81.3 %");
  CHECK(format_value(3500, Unit::bytes) == "3.42 KiB");
  CHECK(format_value(1234, Unit::count) == "1\u2009234");
  CHECK(format_value(std::nan(""), Unit::duration) == "–");
}

}  // namespace
}  // namespace warpscope::charts
