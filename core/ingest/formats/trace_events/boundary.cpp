#include "core/ingest/formats/trace_events/boundary.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/ingest/formats/trace_events/strict.hpp"

namespace warpscope::ingest::json {
namespace {

using namespace std::string_view_literals;

constexpr std::ptrdiff_t kLongestProbe = 4096;

constexpr std::array kEventKeys{"ph"sv,    "cat"sv,   "name"sv,    "pid"sv,     "tid"sv,     "ts"sv,
                                "dur"sv,   "id"sv,    "args"sv,    "bp"sv,      "s"sv,       "tts"sv,
                                "tdur"sv,  "sf"sv,    "id2"sv,     "stack"sv,   "esf"sv,     "estack"sv,
                                "cname"sv, "scope"sv, "bind_id"sv, "flow_in"sv, "flow_out"sv};

constexpr std::array kTopLevelKeys{"traceEvents"sv,
                                   "schemaVersion"sv,
                                   "deviceProperties"sv,
                                   "distributedInfo"sv,
                                   "displayTimeUnit"sv,
                                   "baseTimeNanoseconds"sv,
                                   "traceName"sv,
                                   "host_name"sv,
                                   "hostname"sv,
                                   "record_shapes"sv,
                                   "profile_memory"sv,
                                   "with_stack"sv,
                                   "with_flops"sv,
                                   "with_modules"sv,
                                   "trace_id"sv,
                                   "cupti_version"sv,
                                   "cuda_runtime_version"sv,
                                   "cuda_driver_version"sv,
                                   "INFO"sv,
                                   "WARNING"sv,
                                   "ERROR"sv};

/// Keys that are written after the events and rarely occur in arguments.
constexpr std::array kKeysBehindEvents{"traceName"sv,     "distributedInfo"sv, "deviceProperties"sv,
                                       "schemaVersion"sv, "displayTimeUnit"sv, "baseTimeNanoseconds"sv,
                                       "INFO"sv};

constexpr std::ptrdiff_t kLongestKey = 24;

/// Matches one of `keys`, followed by a closing quote and a colon, at `at`.
template <std::size_t kCount>
Scan match_keys(const char* at, const char* end, bool final, const std::array<std::string_view, kCount>& keys) {
  if (end - at < kLongestKey && !final) return Scan::need_more;
  for (const std::string_view key : keys) {
    if (end - at <= static_cast<std::ptrdiff_t>(key.size())) continue;
    if (at[key.size()] != '"' || std::string_view(at, key.size()) != key) continue;
    const char* const colon = skip_space(at + key.size() + 1);
    if (colon >= end) return final ? Scan::damaged : Scan::need_more;
    return *colon == ':' ? Scan::complete : Scan::damaged;
  }
  return Scan::damaged;
}

/// Returns the last byte before `at` that is not white space; '\0' if there is none in [from, at).
char before(const char* from, const char* at) {
  while (at > from && is_space(at[-1])) --at;
  return at > from ? at[-1] : '\0';
}

/// Matches a comma and a key written after the events, after the ']' at `bracket`.
Scan is_array_end_by_key(const char* bracket, const char* end, bool final) {
  const Scan unknown = final ? Scan::damaged : Scan::need_more;
  const char* const comma = skip_space(bracket + 1);
  if (comma >= end) return unknown;
  if (*comma != ',') return Scan::damaged;
  const char* const quote = skip_space(comma + 1);
  if (quote >= end) return unknown;
  return *quote == '"' ? match_keys(quote + 1, end, final, kKeysBehindEvents) : Scan::damaged;
}

Scan is_array_end(const char* bracket, const char* end, bool final) {
  const char* follow = skip_space(bracket + 1);
  if (follow < end && *follow == '}') follow = skip_space(follow + 1);
  if (follow >= end) return final ? Scan::complete : Scan::need_more;
  return is_array_end_by_key(bracket, end, final);
}

template <class Judge>
EventStart find(const char* from, const char* end, char wanted, Judge judge) {
  for (const char* at = from; at < end; ++at) {
    at = static_cast<const char*>(std::memchr(at, wanted, static_cast<std::size_t>(end - at)));
    if (at == nullptr) break;
    const Scan match = judge(at);
    if (match != Scan::damaged) return {match, at};
  }
  return {Scan::damaged, end};
}

}  // namespace

Scan event_start_at(const char* brace, const char* end, bool final) {
  const char* const quote = skip_space(brace + 1);
  if (quote >= end) return final ? Scan::damaged : Scan::need_more;
  if (*quote != '"') return Scan::damaged;
  if (end - quote < 8 && !final) return Scan::need_more;
  if (match_key(quote + 1).key == Key::phase) {
    const char* const colon = skip_space(quote + 4);
    if (colon >= end) return final ? Scan::damaged : Scan::need_more;
    return *colon == ':' ? Scan::complete : Scan::damaged;
  }
  RawEvent event;
  Scratch scratch;
  Notes notes;
  const bool cut = end - brace > kLongestProbe;
  const char* const probe_end = cut ? brace + kLongestProbe : end;
  const ValueScan parse = parse_strict(brace, probe_end, final && !cut, event, scratch, notes);
  if (parse.status == Scan::need_more) return cut || final ? Scan::damaged : Scan::need_more;
  return parse.status == Scan::complete && event.phase != 0 ? Scan::complete : Scan::damaged;
}

EventStart find_event_start(const char* context, const char* from, const char* end, bool final) {
  return find(from, end, '{', [&](const char* at) {
    return before(context, at) == ':' ? Scan::damaged : event_start_at(at, end, final);
  });
}

EventStart find_array_end(const char* from, const char* to, const char* end, bool final) {
  return find(from, to, ']', [&](const char* at) { return is_array_end(at, end, final); });
}

EventStart find_array_end_by_key(const char* from, const char* to, const char* end, bool final) {
  return find(from, to, ']', [&](const char* at) { return is_array_end_by_key(at, end, final); });
}

EventStart find_top_level_key(const char* from, const char* end, bool final) {
  return find(from, end, '"', [&](const char* at) { return match_keys(at + 1, end, final, kTopLevelKeys); });
}

const char* find_overwritten(const char* from, const char* end) {
  // Names may contain a few escape sequences for terminals.
  constexpr std::size_t kMany = 8;
  constexpr std::ptrdiff_t kClose = 64;
  constexpr std::ptrdiff_t kNear = 16;
  std::array<const char*, kMany> last{};
  std::size_t count = 0;
  for (const char* at = from; at < end; ++at) {
    const auto byte = static_cast<unsigned char>(*at);
    if ((byte >= 0x20U && byte != 0xffU) || is_space(*at)) continue;
    last[count++ % kMany] = at;
    const char* first = last[count % kMany];
    if (first == nullptr || at - first >= kClose) continue;
    // Random bytes start with some that occur in text.
    for (const char* back = first - 1; back >= from && first - back < kNear; --back)
      if (static_cast<unsigned char>(*back) >= 0x80U || (static_cast<unsigned char>(*back) < 0x20U && !is_space(*back)))
        first = back;
    return first;
  }
  return end;
}

bool is_event_key(const char* at, const char* end) { return match_keys(at, end, true, kEventKeys) == Scan::complete; }

}  // namespace warpscope::ingest::json
