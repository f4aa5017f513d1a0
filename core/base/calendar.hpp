#pragma once
// Calendar times in UTC regardless of the local time zone, so all users see the same times for a job.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpscope {

/// Formats nanoseconds since the Unix epoch (any value) as "2020-08-05 23:12:45 UTC"; with `milliseconds`, as
/// "2020-08-05 23:12:45.123 UTC".
[[nodiscard]] std::string format_calendar_time(std::int64_t ns, bool milliseconds = false);

/// Parses seconds since the epoch ("1596668565.123") or an ISO 8601 date, optionally with a time and a time zone
/// ("2020-08-05T23:12:45.123000+02:00", "2020-08-05 21:12Z"). "T" or a space separates date and time. The default time
/// zone is UTC. Returns ns since the Unix epoch, truncating any further digits; nullopt if the text is not a time or is
/// outside the range of Ns.
[[nodiscard]] std::optional<std::int64_t> parse_calendar_time(std::string_view text);

}  // namespace warpscope
