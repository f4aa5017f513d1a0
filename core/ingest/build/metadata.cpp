#include "core/ingest/build/metadata.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>

#include "core/ingest/json/compact.hpp"
#include "core/ingest/json/number.hpp"
#include "core/ingest/json/text.hpp"

namespace warpscope::ingest {
namespace {

using simdjson::dom::element;

/// Parses an integer or a string containing an integer, because some exporters write "0" instead of 0.
std::optional<std::int64_t> integer_of(const element& value) {
  std::int64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return std::nullopt;
  const auto parsed = json::parse_integer(text);
  if (parsed.status != json::NumberStatus::ok) return std::nullopt;
  return parsed.value;
}

std::optional<std::string> text_of(const element& value) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return std::nullopt;
  return std::string(text);
}

template <class T>
bool store(std::optional<T>& target, std::optional<T> value) {
  if (value) target = value;
  return value.has_value();
}

bool store(std::string& target, std::optional<std::string> value) {
  if (value) target = std::move(*value);
  return value.has_value();
}

/// Stores a member if it exists; returns false if it has the wrong type.
template <class Target, class Read>
bool store_member(Target& target, const simdjson::dom::object& object, std::string_view key, Read read) {
  element value;
  if (object[key].get(value) != simdjson::SUCCESS || value.is_null()) return true;
  return store(target, read(value));
}

bool read_distributed(FileMetadata& metadata, const element& value) {
  simdjson::dom::object object;
  if (value.get(object) != simdjson::SUCCESS) return false;
  const bool rank = store_member(metadata.rank, object, "rank", integer_of);
  const bool world = store_member(metadata.world_size, object, "world_size", integer_of);
  const bool backend = store_member(metadata.backend, object, "backend", text_of);
  return rank && world && backend;
}

bool read_devices(FileMetadata& metadata, const element& value) {
  simdjson::dom::array array;
  if (value.get(array) != simdjson::SUCCESS) return false;
  std::vector<DeviceProperties> devices;
  for (const element entry : array) {
    simdjson::dom::object object;
    if (entry.get(object) != simdjson::SUCCESS) return false;
    std::optional<std::int64_t> id;
    DeviceProperties device;
    if (!store_member(id, object, "id", integer_of) || !store_member(device.name, object, "name", text_of))
      return false;
    device.id = id.value_or(static_cast<std::int64_t>(devices.size()));
    devices.push_back(std::move(device));
  }
  metadata.devices = std::move(devices);
  return true;
}

struct MetadataKey {
  std::string_view key;
  bool (*read)(FileMetadata& metadata, const element& value);  ///< false if the value has another type
};

bool read_host(FileMetadata& metadata, const element& value) { return store(metadata.host, text_of(value)); }

constexpr std::array<MetadataKey, 6> kMetadataKeys{{
    {"distributedInfo", read_distributed},
    {"host_name", read_host},
    {"hostname", read_host},
    {"baseTimeNanoseconds", [](auto& metadata, auto& value) { return store(metadata.base_time, integer_of(value)); }},
    {"deviceProperties", read_devices},
    {"schemaVersion", [](auto& metadata, auto& value) { return store(metadata.schema_version, integer_of(value)); }},
}};

}  // namespace

void add_metadata(FileMetadata& metadata, std::string_view key, std::string_view json, Diagnostics& diagnostics,
                  const std::string& file) {
  const auto known = std::ranges::find(kMetadataKeys, key, &MetadataKey::key);
  if (known == kMetadataKeys.end()) return;
  simdjson::dom::parser parser;
  element value;
  bool parsed = parser.parse(json.data(), json.size()).get(value) == simdjson::SUCCESS;
  if (!parsed) parsed = parser.parse(json::compact_json(json, json::Words::as_null)).get(value) == simdjson::SUCCESS;
  if (parsed && (value.is_null() || known->read(metadata, value))) return;
  diagnostics.add("metadata-unreadable", Severity::warning, file, Diagnostic::kNoOffset,
                  json::excerpt(std::string(key) + ": " + std::string(json.substr(0, 80)), 80));
}

}  // namespace warpscope::ingest
