// What describe-training-job printed, where someone saved it beside the traces.
#include <simdjson.h>

#include <chrono>
#include <cmath>
#include <cstdio>

#include "core/ingest/file_source.hpp"
#include "core/ingest/profile_listing_file.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::uint64_t kLongestDescription = std::uint64_t{1} << 20;

// "2026-05-01T12:00:00.123000+02:00" → ns since the Unix epoch.
std::optional<Ns> iso_time(const std::string& text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0;
  double second = 0;
  int used = 0;
  if (std::sscanf(text.c_str(), "%d-%d-%dT%d:%d:%lf%n", &year, &month, &day, &hour, &minute, &second, &used) < 6)
    return std::nullopt;
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  int zone_hour = 0, zone_minute = 0;
  char sign = '+';
  const bool zoned =
      std::sscanf(text.c_str() + used, "%c%d:%d", &sign, &zone_hour, &zone_minute) >= 2 && (sign == '+' || sign == '-');
  const int zone = zoned ? (sign == '-' ? -1 : 1) * (zone_hour * 60 + zone_minute) : 0;
  const Ns seconds = Ns{sys_days(date).time_since_epoch().count()} * 86400 + hour * 3600 + (minute - zone) * 60;
  return seconds * 1'000'000'000 + static_cast<Ns>(std::llround(second * 1e6)) * 1000;
}

}  // namespace

std::optional<JobDescription> read_job_description(const std::string& path) {
  const auto file = FileSource::open(path);
  if (!file || file->stamp().size > kLongestDescription) return std::nullopt;
  simdjson::dom::parser parser;
  simdjson::dom::object job;
  if (parser.load(path).get(job) != simdjson::SUCCESS) return std::nullopt;
  JobDescription found;
  const auto text = [&job](const char* key) {
    std::string_view value;
    return job[key].get(value) == simdjson::SUCCESS ? std::string(value) : std::string();
  };
  found.name = text("TrainingJobName");
  if (found.name.empty()) return std::nullopt;
  found.status = text("TrainingJobStatus");
  found.failure_reason = text("FailureReason");
  for (const char* key : {"TrainingStartTime", "CreationTime"}) {
    double seconds = 0;
    if (found.created) break;
    if (job[key].get(seconds) == simdjson::SUCCESS && seconds > 1e9 && seconds < 4.2e9)
      found.created = static_cast<Ns>(std::llround(seconds * 1e6)) * 1000;
    else
      found.created = iso_time(text(key));
  }
  std::int64_t instances = 0;
  if (job["ResourceConfig"]["InstanceCount"].get(instances) == simdjson::SUCCESS && instances > 0)
    found.instances = static_cast<std::size_t>(instances);
  return found;
}

}  // namespace warpscope::ingest
