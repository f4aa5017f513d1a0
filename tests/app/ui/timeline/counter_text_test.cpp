#include "app/ui/timeline/hover_card.hpp"
#include "core/base/format.hpp"
#include "tests/catch.hpp"

using warpscope::ui::counter_text;

TEST_CASE("counter values show integers without decimals and others with suitable decimals", "[timeline]") {
  CHECK(counter_text(26, "launches") == "26 launches");
  CHECK(counter_text(3'221'225'472.0, "B") == "3.00 GiB");
  CHECK(counter_text(0, "") == "0");
  CHECK(counter_text(1.25, "") == "1.25");
  CHECK(counter_text(0.12346, "ms") == "0.1235 ms");
  CHECK(counter_text(123.456, "W") == "123.5 W");
  CHECK(counter_text(-3, "C") == "-3 C");
  CHECK(counter_text(14.5e9, "B/s") == "14.5 GB/s");
  CHECK(counter_text(12'345, "B") == "12.1 KiB");
  CHECK(counter_text(12'345, "J") == warpscope::format_count(12'345) + " J");
}
