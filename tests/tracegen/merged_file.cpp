#include "tests/tracegen/merged_file.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace warpscope::tracegen {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out += '"';
}

std::optional<std::int64_t> integer_in(const object& from, std::string_view key) {
  std::int64_t value = 0;
  return from[key].get(value) == simdjson::SUCCESS ? std::optional(value) : std::nullopt;
}

std::string text_in(const object& from, std::string_view key) {
  std::string_view text;
  return from[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

/// Members of an object in their order, with values as JSON.
using Members = std::vector<std::pair<std::string, std::string>>;

Members members_of(const object& from) {
  Members members;
  for (const auto& [key, value] : from) members.emplace_back(key, simdjson::minify(value));
  return members;
}

std::string* value_in(Members& members, std::string_view key) {
  const auto found = std::ranges::find(members, key, &Members::value_type::first);
  return found == members.end() ? nullptr : &found->second;
}

void set_value(Members& members, std::string_view key, std::string value) {
  if (std::string* const known = value_in(members, key))
    *known = std::move(value);
  else
    members.emplace_back(key, std::move(value));
}

std::string json_of(const Members& members) {
  std::string text = "{";
  for (const auto& [key, value] : members) text += (text.size() > 1 ? "," : "") + json_string(key) + ":" + value;
  return text + "}";
}

/// One tool at work.
class Merger {
 public:
  explicit Merger(const Options& options) : options_(options) {}

  void add(const Place& place, const object& trace) {
    simdjson::dom::array events;
    if (trace["traceEvents"].get(events) != simdjson::SUCCESS) throw std::runtime_error("merging needs intact traces");
    if (options_.merge == Merge::tracelens && multipliers_.empty()) find_multipliers(events);
    if (options_.merge == Merge::pid)
      events_.push_back(
          {0, fmt::format(R"({{"ph":"M","name":"process_name","pid":{0},"tid":0,"args":{{"name":"Rank {0}"}}}})",
                          place.rank)});
    for (const element each : events) {
      object event;
      if (each.get(event) == simdjson::SUCCESS) add_event(place, event);
    }
    add_metadata(place, trace);
  }

  [[nodiscard]] std::string text() {
    if (options_.merge == Merge::veomni)
      std::ranges::stable_sort(events_, {}, [](const auto& each) { return each.first; });
    const bool bare = options_.merge == Merge::tracelens || options_.merge == Merge::pid;
    Members all = bare ? Members() : metadata_;
    if (options_.merge == Merge::sglang || options_.merge == Merge::veomni)
      set_value(all, "deviceProperties", "[" + devices_ + "]");
    std::string list = "[";
    for (const auto& [time, event] : events_) list += (list.size() > 1 ? ",\n" : "\n") + event;
    list += "\n]";
    // SGLang starts with the events, VeOmni ends with them.
    if (options_.merge == Merge::sglang)
      all.insert(all.begin(), {"traceEvents", list});
    else
      all.emplace_back("traceEvents", list);
    return json_of(all);
  }

 private:
  void find_multipliers(const simdjson::dom::array& events) {
    for (const char* key : {"pid", "id", "correlation"}) {
      std::int64_t most = 1;
      for (const element each : events) {
        object from;
        if (each.get(from) != simdjson::SUCCESS) continue;
        if (std::string_view(key) == "correlation" && from["args"].get(from) != simdjson::SUCCESS) continue;
        most = std::max(most, integer_in(from, key).value_or(0));
      }
      std::int64_t multiplier = 10;
      while (multiplier < most * 10) multiplier *= 10;
      multipliers_.emplace_back(key, multiplier);
    }
  }

  void add_event(const Place& place, const object& event) {
    Members members = members_of(event);
    switch (options_.merge) {
      case Merge::sglang: {
        std::string pid = value_in(members, "pid") == nullptr ? "" : *value_in(members, "pid");
        std::erase(pid, '"');
        set_value(members, "pid", json_string(axes_of(place) + " " + pid));
        break;
      }
      case Merge::tracelens: {
        const std::string category = text_in(event, "cat");
        if (category == "Trace" || category == "python_function") return;
        fuse(place, event, members);
        break;
      }
      case Merge::veomni:
        if (value_in(members, "name") != nullptr)
          set_value(members, "name", json_string(fmt::format("[R{}] {}", place.rank, text_in(event, "name"))));
        for (const char* key : {"pid", "tid"}) {
          const auto number = integer_in(event, key);
          set_value(members, key,
                    number || value_in(members, key) == nullptr
                        ? std::to_string(number.value_or(0) + place.rank * 1000)
                        : json_string(fmt::format("rank{}_{}", place.rank, text_in(event, key))));
        }
        break;
      case Merge::pid: {
        const std::string phase = text_in(event, "ph");
        if (phase == "M" && text_in(event, "name") == "process_name") return;
        set_value(members, "pid", std::to_string(place.rank));
        const auto id = integer_in(event, "id");
        if (id && (phase == "s" || phase == "t" || phase == "f"))
          set_value(members, "id", std::to_string(*id + (std::int64_t{place.rank} << 32)));
        break;
      }
      case Merge::unlabeled:
      case Merge::none:
        break;
    }
    double time = 0;
    if (event["ts"].get(time) != simdjson::SUCCESS) time = 0;
    events_.emplace_back(time, json_of(members));
  }

  void fuse(const Place& place, const object& event, Members& members) const {
    object given;
    Members arguments;
    if (event["args"].get(given) == simdjson::SUCCESS) arguments = members_of(given);
    set_value(arguments, "rank", std::to_string(place.rank));
    for (const auto& [key, multiplier] : multipliers_) {
      Members& target = key == "correlation" ? arguments : members;
      if (value_in(target, key) == nullptr) continue;
      const std::string value = *value_in(target, key);
      set_value(arguments, key + "_raw", value);
      const auto number = integer_in(key == "correlation" ? given : event, key);
      if (number) set_value(target, key, std::to_string(*number + place.rank * multiplier));
    }
    set_value(members, "args", json_of(arguments));
  }

  void add_metadata(const Place& place, const object& trace) {
    simdjson::dom::array devices;
    if (trace["deviceProperties"].get(devices) == simdjson::SUCCESS) {
      for (const element each : devices) {
        object device;
        if (each.get(device) != simdjson::SUCCESS) continue;
        Members members = members_of(device);
        if (options_.merge == Merge::veomni)
          set_value(members, "name", json_string(fmt::format("Rank {} - {}", place.rank, text_in(device, "name"))));
        devices_ += (devices_.empty() ? "" : ",") + json_of(members);
      }
    }
    if (!metadata_.empty()) return;
    metadata_ = members_of(trace);
    std::erase_if(metadata_, [](const auto& each) { return each.first == "traceEvents"; });
    if (options_.merge == Merge::veomni) metadata_ = {{"schemaVersion", "1"}};
  }

  [[nodiscard]] std::string axes_of(const Place& place) const {
    const int shards = options_.tensor > 1 ? options_.tensor : options_.gpus;
    return fmt::format("[TP{:02}-DP{:02}]", place.rank % shards, place.rank / shards);
  }

  const Options& options_;
  std::vector<std::pair<double, std::string>> events_;  // by time
  Members metadata_;
  std::string devices_;
  std::vector<std::pair<std::string, std::int64_t>> multipliers_;
};

}  // namespace

std::string merged_file(const Options& options, std::span<const Place> places, std::span<const std::string> texts) {
  Merger merger(options);
  simdjson::dom::parser parser;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) continue;
    object trace;
    if (parser.parse(texts[i].data(), texts[i].size()).get(trace) != simdjson::SUCCESS)
      throw std::runtime_error("merging needs intact traces: no defects that corrupt their text");
    merger.add(places[i], trace);
  }
  return merger.text();
}

void write_merged(const Options& options, std::span<const Place> places, std::span<const std::string> texts,
                  const OpenFile& open_file) {
  const std::string name = "merged" + std::string(file_ending(options.format));
  const std::unique_ptr<ByteSink> sink = compressed(options.format, open_file(name));
  sink->write(merged_file(options, places, texts));
  sink->close();
}

}  // namespace warpscope::tracegen
