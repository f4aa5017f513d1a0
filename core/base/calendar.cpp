#include "core/base/calendar.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

namespace warpscope {
namespace {

using namespace std::chrono;

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

/// Reads elements from the front of a string. After the first mismatch, all subsequent reads fail.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  int digits(std::size_t count) {
    int value = 0;
    if (rest_.size() < count) return fail();
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + count, value);
    if (error != std::errc{} || end != rest_.data() + count || value < 0) return fail();
    rest_.remove_prefix(count);
    return value;
  }
  bool take(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(std::string_view any_of) {
    if (!take(any_of)) fail();
  }
  /// Reads the digits after a decimal point, in ns.
  std::int64_t fraction() {
    std::int64_t ns = 0;
    std::int64_t unit = kNsPerSecond / 10;
    bool any = false;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; rest_.remove_prefix(1), unit /= 10) {
      ns += (rest_.front() - '0') * unit;
      any = true;
    }
    if (!any) fail();
    return ns;
  }
  int fail() {
    good_ = false;
    return 0;
  }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] char next() const { return rest_.empty() ? '\0' : rest_.front(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

std::optional<std::int64_t> in_ns(std::int64_t seconds, std::int64_t ns) {
  std::int64_t total = 0;
  if (__builtin_mul_overflow(seconds, kNsPerSecond, &total) || __builtin_add_overflow(total, ns, &total))
    return std::nullopt;
  return total;
}

std::optional<std::int64_t> parse_epoch(std::string_view text) {
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.empty()) return in_ns(seconds, 0);
  Reader reader(text);
  reader.expect(".");
  const std::int64_t ns = reader.fraction();
  if (!reader.good() || !reader.at_end() || seconds < 0) return std::nullopt;
  return in_ns(seconds, ns);
}

/// Reads a time zone and returns its offset in minutes east of UTC.
int read_zone(Reader& reader) {
  if (reader.take("Zz")) return 0;
  reader.take(" ");
  const bool west = reader.next() == '-';
  reader.expect("+-");
  const int hours = reader.digits(2);
  reader.take(":");
  const int minutes = reader.digits(2);
  if (hours > 23 || minutes > 59) reader.fail();
  return west ? -(hours * 60 + minutes) : hours * 60 + minutes;
}

}  // namespace

std::string format_calendar_time(std::int64_t ns, bool in_milliseconds) {
  const std::int64_t whole = ns / kNsPerSecond - (ns % kNsPerSecond < 0 ? 1 : 0);
  const sys_seconds at{seconds{whole}};
  const sys_days day = floor<days>(at);
  const year_month_day date{day};
  const hh_mm_ss time{at - day};
  std::string text = fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                                 time.hours().count(), time.minutes().count(), time.seconds().count());
  if (in_milliseconds) text += fmt::format(".{:03}", (ns - whole * kNsPerSecond) / 1'000'000);
  return text + " UTC";
}

std::optional<std::int64_t> parse_calendar_time(std::string_view text) {
  if (text.find('-', 1) == std::string_view::npos) return parse_epoch(text);
  Reader reader(text);
  const int year_number = reader.digits(4);
  reader.expect("-");
  const int month_number = reader.digits(2);
  reader.expect("-");
  const int day_number = reader.digits(2);
  const year_month_day date{year{year_number}, month{static_cast<unsigned>(month_number)},
                            day{static_cast<unsigned>(day_number)}};
  if (!reader.good() || !date.ok()) return std::nullopt;
  std::int64_t at = sys_days{date}.time_since_epoch().count() * std::int64_t{86'400};
  if (reader.at_end()) return in_ns(at, 0);

  reader.expect("Tt ");
  const int hours_of_day = reader.digits(2);
  reader.expect(":");
  const int minutes_of_hour = reader.digits(2);
  int seconds_of_minute = 0;
  std::int64_t ns = 0;
  if (reader.take(":")) {
    seconds_of_minute = reader.digits(2);
    if (reader.take(".,")) ns = reader.fraction();
  }
  if (hours_of_day > 23 || minutes_of_hour > 59 || seconds_of_minute > 60) return std::nullopt;
  const int zone = reader.good() && !reader.at_end() ? read_zone(reader) : 0;
  if (!reader.good() || !reader.at_end()) return std::nullopt;
  at += hours_of_day * 3600 + minutes_of_hour * 60 + seconds_of_minute - zone * 60;
  return in_ns(at, ns);
}

}  // namespace warpscope
