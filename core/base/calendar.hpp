#pragma once
// Points in time as people and services write them: in UTC, whatever the zone of this machine, so that two people who
// look at one job read the same.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpscope {

/// "2020-08-05 23:12:45 UTC"; with `milliseconds` "2020-08-05 23:12:45.123 UTC". `ns`: since the Unix epoch, any value.
[[nodiscard]] std::string format_calendar_time(std::int64_t ns, bool milliseconds = false);

/// Reads seconds since the epoch ("1596668565.123") and ISO 8601 with a "T" or a blank between date and time, fractions
/// of a second and a zone ("2020-08-05T23:12:45.123000+02:00", "2020-08-05 21:12Z"); without a zone it is UTC. ns since
/// the Unix epoch, finer digits dropped; nullopt if it is no such time, or beyond the range of ns.
[[nodiscard]] std::optional<std::int64_t> parse_calendar_time(std::string_view text);

}  // namespace warpscope
