#include "core/ingest/write/trace_writer.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/base/json_writer.hpp"
#include "core/ingest/format/trace_format.hpp"
#include "core/ingest/json/compact.hpp"
#include "core/trace/file_time.hpp"

namespace warpscope::ingest {

namespace {

using trace::LaneKind;
using trace::Rank;
using trace::SliceOrdinal;
using trace::Track;
using trace::TrackKind;

constexpr std::size_t kAtATime = std::size_t{1} << 18;
constexpr std::string_view kArguments = "args.";
/// Ids of arrows between nodes of a CUDA graph; readers tell them from launches by their size.
constexpr std::uint64_t kGraphFlows = std::uint64_t{1} << 40;

/// Slices that overlap the range, and the other ends of their launches; ascending.
std::vector<SliceOrdinal> slices_in(const Rank& rank, Interval range) {
  std::vector<SliceOrdinal> slices;
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l)
    rank.lanes[l].for_each_overlapping(range.begin, range.end,
                                       [&](std::uint32_t i) { slices.push_back(rank.lane_start[l] + i); });
  if (slices.size() == rank.lane_start.back()) return slices;
  std::vector<SliceOrdinal> others;
  for (const SliceOrdinal slice : slices) {
    if (const trace::Connection* launch = rank.launches.cause_of(slice)) others.push_back(launch->from);
    for (const trace::Connection& launch : rank.launches.caused_by(slice)) others.push_back(launch.to);
  }
  slices.insert(slices.end(), others.begin(), others.end());
  std::ranges::sort(slices);
  slices.erase(std::ranges::unique(slices).begin(), slices.end());
  return slices;
}

class PartWriter {
 public:
  PartWriter(const trace::Profile& profile, const TracePart& part, TextWriter& writer)
      : profile_(profile),
        rank_(*profile.ranks[part.rank]),
        part_(part),
        writer_(writer),
        zero_(saturating_add(trace::file_zero(rank_), rank_.clock_shift)),
        names_(part.anonymizer == nullptr ? 0 : profile.names().size()) {}

  void begin() {
    text_ = "{\n";
    std::set<std::string, std::less<>> written;
    for (const auto& [key, json] : rank_.properties) {
      if (key == kFormatProperty) continue;
      const std::string value = json::compact_json(json, json::Words::as_null);
      if (!is_json(value)) continue;
      written.insert(key);
      add_member(key, value);
    }
    if (!written.contains("schemaVersion")) add_member("schemaVersion", "1");
    if (!written.contains("distributedInfo"))
      add_member("distributedInfo",
                 rank_.world_size > 0 ? fmt::format(R"({{"rank":{},"world_size":{}}})", rank_.number, rank_.world_size)
                                      : fmt::format(R"({{"rank":{}}})", rank_.number));
    text_ += "\"traceEvents\": [\n";
    for (const Track& track : rank_.tracks) add_track_name(track);
  }

  Failure add(SliceOrdinal slice, const EventText& event) {
    const trace::SlicePlace place = rank_.locate(slice);
    const trace::Lane& lane = rank_.lanes[place.lane];
    const Track& track = rank_.tracks[rank_.track_of_lane(place.lane)];
    const bool instant = rank_.rows_of(place.lane) == LaneKind::instant;
    const bool async = track.kind == TrackKind::async;
    const Ns start = lane.time().begin(place.index);
    begin_event(async ? 'b' : instant ? 'i' : 'X');
    add_text("cat", category_of(track, slice));
    add_name(lane.name(place.index));
    add_place(track, event);
    add_time("ts", saturating_difference(start, zero_));
    if (async) text_ += fmt::format(",\"id\":{}", slice);
    if (instant) text_ += ",\"s\":\"t\"";
    if (!async && !instant) add_time("dur", lane.time().duration(place.index));
    add_arguments(event);
    text_ += '}';
    if (async) {
      begin_event('e');
      add_text("cat", category_of(track, slice));
      add_name(lane.name(place.index));
      add_place(track, event);
      add_time("ts", saturating_difference(saturating_add(start, lane.time().duration(place.index)), zero_));
      text_ += fmt::format(",\"id\":{}}}", slice);
    }
    return flush();
  }

  /// Both ends of an arrow have the id.
  void add_arrow(const trace::Connection& arrow, std::string_view category, std::uint64_t id) {
    for (const bool first : {true, false}) {
      const SliceOrdinal slice = first ? arrow.from : arrow.to;
      const Track& track = rank_.tracks[rank_.track_of_lane(rank_.locate(slice).lane)];
      begin_event(first ? 's' : 'f');
      text_ += fmt::format(R"(,"cat":"{0}","name":"{0}","id":{1},"pid":{2},"tid":{3})", category, id, track.process,
                           thread_of(track));
      add_time("ts", saturating_difference(rank_.begin(slice), zero_));
      text_ += first ? "}" : ",\"bp\":\"e\"}";
    }
  }

  /// Counters of PyTorch's allocator come from marks, which are written as such.
  Failure add_counters() {
    for (const trace::Counter& counter : rank_.counters) {
      if (!counter.unit().empty()) continue;
      const std::vector<std::string> parts = parts_of(counter.name());
      for (std::size_t i = 0; i < counter.size(); ++i) {
        if (counter.time(i) < part_.range.begin || counter.time(i) >= part_.range.end) continue;
        begin_event('C');
        add_text("name", parts[0]);
        if (parts.size() > 2) add_text("pid", parts[1]);
        add_time("ts", saturating_difference(counter.time(i), zero_));
        text_ += ",\"args\":{";
        append_json_string(text_, parts.size() > 1 ? parts.back() : "");
        text_ += ':';
        append_json_number(text_, counter.value(i));
        text_ += "}}";
        if (Failure failure = flush()) return failure;
      }
    }
    return {};
  }

  Failure finish() { return writer_.write(text_ + "\n]}\n"); }

 private:
  [[nodiscard]] std::string shown(std::string_view text) {
    return part_.anonymizer == nullptr ? std::string(text) : part_.anonymizer->text(text);
  }
  [[nodiscard]] bool is_json(std::string_view text) {
    simdjson::dom::element value;
    return parser_.parse(text.data(), text.size()).get(value) == simdjson::SUCCESS;
  }
  [[nodiscard]] std::string_view category_of(const Track& track, SliceOrdinal slice) const {
    // The label of an async track is its category.
    constexpr std::string_view kAsync = "async ";
    if (track.kind == TrackKind::async && track.label.starts_with(kAsync))
      return std::string_view(track.label).substr(kAsync.size());
    return profile_.categories().name(rank_.category(slice));
  }

  void begin_event(char phase) {
    text_ += any_ ? ",\n" : "";
    any_ = true;
    text_ += fmt::format(R"({{"ph":"{}")", phase);
  }
  void add_text(std::string_view key, std::string_view value) {
    text_ += fmt::format(",\"{}\":", key);
    append_json_string(text_, value);
  }
  void add_time(std::string_view key, Ns time) {
    text_ += fmt::format(",\"{}\":", key);
    append_us(text_, time);
  }
  void add_name(NameId name) {
    if (part_.anonymizer == nullptr) return add_text("name", profile_.names().view(name));
    std::string& known = names_[name];
    if (known.empty()) known = shown(profile_.names().view(name));
    add_text("name", known);
  }
  /// The thread of a track; on MTIA, the stream of a device thread is its negated id.
  [[nodiscard]] static std::int64_t thread_of(const Track& track) {
    return track.kind == TrackKind::stream && track.id < 0 ? -track.id : track.id;
  }
  /// Threads that are not numbered keep their text.
  void add_place(const Track& track, const EventText& event) {
    const auto add_number = [&](std::string_view key, std::int64_t number) {
      const std::string* recorded = number >= 0 ? nullptr : event.find(key);
      if (recorded != nullptr)
        add_text(key, shown(*recorded));
      else
        text_ += fmt::format(",\"{}\":{}", key, number);
    };
    add_number("pid", track.process);
    if (track.kind != TrackKind::async) add_number("tid", thread_of(track));
  }
  void add_arguments(const EventText& event) {
    bool any = false;
    for (const EventRow& row : event.rows) {
      if (!row.path.starts_with(kArguments)) continue;
      text_ += any ? "," : ",\"args\":{";
      any = true;
      append_json_string(text_, std::string_view(row.path).substr(kArguments.size()));
      text_ += ':';
      const std::string value = row.quoted ? "" : nested(row.value);
      if (value.empty())
        append_json_string(text_, shown(row.value));
      else
        text_ += value;
    }
    if (any) text_ += '}';
  }
  /// Returns an unquoted value as JSON; "" if it is none, such as nan.
  [[nodiscard]] std::string nested(const std::string& value) {
    if (value.empty()) return "";
    if (value[0] == '-' || (value[0] >= '0' && value[0] <= '9')) return is_json(value) ? value : "";
    const std::string json = json::compact_json(value, json::Words::as_null);
    if (!is_json(json)) return "";
    return part_.anonymizer == nullptr ? json : shown_strings(json);
  }
  /// Replaces the strings in valid JSON. Keys stay.
  [[nodiscard]] std::string shown_strings(std::string_view json) {
    std::string out;
    for (std::size_t at = 0; at < json.size(); ++at) {
      if (json[at] != '"') {
        out += json[at];
        continue;
      }
      std::size_t end = at + 1;
      while (json[end] != '"') end += json[end] == '\\' ? 2 : 1;
      const std::string_view text = json.substr(at + 1, end - at - 1);
      const bool key = end + 1 < json.size() && json[end + 1] == ':';
      // An escape would not survive; text with one is rare enough to be left out.
      if (key || text.find('\\') != std::string_view::npos)
        out.append(1, '"').append(key ? text : "…").append(1, '"');
      else
        append_json_string(out, shown(text));
      at = end;
    }
    return out;
  }
  void add_member(std::string_view key, const std::string& json) {
    append_json_string(text_, key);
    text_ += ": " + (part_.anonymizer == nullptr ? json : shown_strings(json)) + ",\n";
  }
  void add_track_name(const Track& track) {
    if (track.kind == TrackKind::async || track.process < 0 || thread_of(track) < 0) return;
    begin_event('M');
    text_ +=
        fmt::format(R"(,"name":"thread_name","pid":{},"tid":{},"args":{{"name":)", track.process, thread_of(track));
    append_json_string(text_, shown(track.label));
    text_ += "}}";
    if (std::exchange(named_[track.process], true)) return;
    const bool gpu = track.kind == TrackKind::stream;
    begin_event('M');
    text_ += fmt::format(R"(,"name":"process_labels","pid":{},"args":{{"labels":"{}"}}}})", track.process,
                         gpu ? fmt::format("GPU {}", track.process) : "CPU");
  }
  /// "name · process · series" of a counter.
  [[nodiscard]] static std::vector<std::string> parts_of(const std::string& name) {
    constexpr std::string_view kBetween = " · ";
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t at; parts.size() < 2 && (at = name.find(kBetween, from)) != std::string::npos;
         from = at + kBetween.size())
      parts.push_back(name.substr(from, at - from));
    parts.push_back(name.substr(from));
    return parts;
  }
  Failure flush() {
    if (text_.size() < kAtATime) return {};
    return writer_.write(std::exchange(text_, {}));
  }

  const trace::Profile& profile_;
  const Rank& rank_;
  const TracePart& part_;
  TextWriter& writer_;
  Ns zero_;                         // origin of the file's times, on the profile's clocks
  std::vector<std::string> names_;  // anonymized, by id
  std::map<std::int64_t, bool> named_;
  simdjson::dom::parser parser_;
  std::string text_;
  bool any_ = false;
};

}  // namespace

void append_us(std::string& out, Ns time) {
  // Not -time, because the minimum value cannot be negated.
  const std::uint64_t whole = time < 0 ? ~static_cast<std::uint64_t>(time) + 1 : static_cast<std::uint64_t>(time);
  fmt::format_to(std::back_inserter(out), "{}{}.{:03}", time < 0 ? "-" : "", whole / 1000, whole % 1000);
}

Result<std::uint64_t> write_trace(const trace::Profile& profile, const TracePart& part, const EventLookup& events,
                                  TextWriter& writer, const CancelToken& cancel) {
  const Rank& rank = *profile.ranks[part.rank];
  if (part.anonymizer != nullptr) {
    part.anonymizer->hide_host(rank.host);
    part.anonymizer->hide_users_in(rank.source.path);
    if (const auto user = rank.properties.find("username"); user != rank.properties.end())
      part.anonymizer->hide_user(std::string_view(user->second).substr(1, user->second.size() - 2));
    for (NameId name = 0; name < profile.names().size(); ++name)
      part.anonymizer->hide_users_in(profile.names().view(name));
  }
  const std::vector<SliceOrdinal> slices = slices_in(rank, part.range);
  PartWriter out(profile, part, writer);
  out.begin();
  Failure failed;
  Failure failure = events.read_each(
      rank, slices,
      [&](SliceOrdinal slice, const EventText& event) {
        if (!failed) failed = out.add(slice, event);
      },
      &cancel);
  if (failed) return *failed;
  if (failure) return *failure;
  const auto add_arrows = [&](const trace::Connections& arrows, std::string_view category, std::uint64_t id) {
    for (const trace::Connection& arrow : arrows.all())
      if (std::ranges::binary_search(slices, arrow.from) && std::ranges::binary_search(slices, arrow.to))
        out.add_arrow(arrow, category, id++);
  };
  add_arrows(rank.forward_backward, "fwdbwd", 1);
  add_arrows(rank.graph_edges, "ac2g", kGraphFlows);
  if ((failure = out.add_counters())) return *failure;
  if ((failure = out.finish())) return *failure;
  return static_cast<std::uint64_t>(slices.size());
}

}  // namespace warpscope::ingest
