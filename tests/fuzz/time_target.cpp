// parse_time: accepted text is parsed exactly, and printed text is parsed to a time that prints the same.
#include "core/base/format.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {

void run_time(std::string_view input) {
  const Result<Ns> time = parse_time(input);
  if (!time) {
    require(!time.error().message().empty(), "an error has a message");
    return;
  }
  const Result<Ns> same = parse_time(std::to_string(*time));
  require(same.ok() && *same == *time, "a bare number is nanoseconds");
  const std::string text = format_duration(*time);
  const Result<Ns> shown = parse_time(text);
  // Rounding may carry the largest times out of range.
  require(shown.ok() ? format_duration(*shown) == text : *time > Ns{1} << 62 || *time < -(Ns{1} << 62),
          "a printed duration is read back");
}

}  // namespace warpscope::fuzz
