#include "tests/core/tracegen/naive_reader.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

namespace warpscope::tests {

bool NaiveSlice::run() const {
  static const std::set<std::string_view> kRuns{"kernel", "gpu_memcpy", "gpu_memset",     "Kernel",
                                                "Memcpy", "Memset",     "mtia_ccp_events"};
  return kRuns.contains(category);
}

std::int64_t naive_ns(std::string_view text) {
  while (!text.empty() && (text.front() == '"' || text.front() == ' ')) text.remove_prefix(1);
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  std::int64_t value = 0;
  int decimals = -1;
  for (const char c : text) {
    if (c == '.') {
      decimals = 0;
    } else if (c >= '0' && c <= '9' && decimals < 3) {
      value = value * 10 + (c - '0');
      if (decimals >= 0) ++decimals;
    }
  }
  for (int i = std::max(decimals, 0); i < 3; ++i) value *= 10;
  return negative ? -value : value;
}

std::int64_t naive_number(std::string_view text) {
  const std::size_t digit = text.find_first_of("-0123456789");
  return digit == std::string_view::npos ? 0 : std::strtoll(text.data() + digit, nullptr, 10);
}

namespace {

double naive_real(simdjson::ondemand::value value) {
  const std::string_view text = value.raw_json_token();
  return std::strtod(std::string(text).c_str(), nullptr);
}

void naive_event(simdjson::ondemand::object event, NaiveFile& file) {
  NaiveSlice slice;
  std::string phase;
  std::int64_t stream = -1;
  for (auto field : event) {
    const std::string_view key = field.unescaped_key();
    simdjson::ondemand::value value = field.value();
    if (key == "ph") phase = std::string_view(value.get_string());
    if (key == "name") slice.name = std::string_view(value.get_string());
    if (key == "cat") slice.category = std::string_view(value.get_string());
    if (key == "pid") slice.pid = naive_number(value.raw_json_token());
    if (key == "tid") slice.tid = naive_number(value.raw_json_token());
    if (key == "ts") slice.begin = naive_ns(value.raw_json_token());
    if (key == "dur") slice.duration = naive_ns(value.raw_json_token());
    if (key != "args") continue;
    for (auto argument : value.get_object()) {
      const std::string_view name = argument.unescaped_key();
      if (name == "correlation") slice.correlation = argument.value().get_int64();
      if (name == "stream") stream = naive_number(argument.value().raw_json_token());
      if (name == "bytes" && !slice.call()) slice.bytes = naive_number(argument.value().raw_json_token());
      if (name == "blocks per SM") slice.blocks_per_sm = naive_real(argument.value());
      if (name == "est. achieved occupancy %") slice.occupancy = naive_real(argument.value());
      if (name == "memory bandwidth (GB/s)") slice.bandwidth = naive_real(argument.value());
    }
  }
  if (slice.job()) slice.tid = stream >= 0 ? stream : -slice.tid;
  ++file.events;
  ++file.phases[phase];
  if (phase == "f" && slice.category == "fwdbwd") ++file.fwdbwd;
  if (phase == "X") file.slices.push_back(std::move(slice));
}

}  // namespace

NaiveFile naive_read(std::string_view json) {
  const simdjson::padded_string padded(json);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document = parser.iterate(padded);
  NaiveFile file;
  std::int64_t base = 0;
  const auto read_events = [&](simdjson::ondemand::array events) {
    for (auto event : events) naive_event(event.get_object(), file);
  };
  if (document.type() == simdjson::ondemand::json_type::array) {
    read_events(document.get_array());
  } else {
    for (auto field : document.get_object()) {
      const std::string_view key = field.unescaped_key();
      simdjson::ondemand::value value = field.value();
      if (key == "traceEvents") read_events(value.get_array());
      if (key == "baseTimeNanoseconds") base = value.get_int64();
      if (key == "host_name") file.host = std::string_view(value.get_string());
      if (key != "distributedInfo") continue;
      for (auto info : value.get_object()) {
        const std::string_view name = info.unescaped_key();
        if (name == "rank") file.rank = info.value().get_int64();
        if (name == "world_size") file.world = info.value().get_int64();
      }
    }
  }
  for (NaiveSlice& slice : file.slices) {
    slice.begin += base;
    slice.zero = base;
  }
  return file;
}

std::int64_t naive_busy(const NaiveFile& file) {
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for (const NaiveSlice& slice : file.slices) {
    if (slice.run() && slice.possible()) ranges.emplace_back(slice.begin, slice.end());
  }
  std::sort(ranges.begin(), ranges.end());
  std::int64_t sum = 0;
  std::int64_t reached = ranges.empty() ? 0 : ranges.front().first;
  for (const auto& [begin, end] : ranges) {
    if (end <= reached) continue;
    sum += end - std::max(begin, reached);
    reached = end;
  }
  return sum;
}

}  // namespace warpscope::tests
