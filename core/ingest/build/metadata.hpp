#pragma once
// Extracts the metadata that Warpscope uses from the raw JSON passed to an event sink.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/time.hpp"

namespace warpscope::ingest {

struct DeviceProperties {
  std::int64_t id = 0;
  std::string name;

  friend bool operator==(const DeviceProperties&, const DeviceProperties&) = default;
};

struct FileMetadata {
  std::optional<std::int64_t> rank;  ///< distributedInfo
  std::optional<std::int64_t> world_size;
  std::string backend;                    ///< "nccl"; "" if missing
  std::string host;                       ///< host_name or hostname; "" if missing
  std::optional<Ns> base_time;            ///< baseTimeNanoseconds: Unix time that all "ts" are relative to
  std::vector<DeviceProperties> devices;  ///< deviceProperties
  std::optional<std::int64_t> schema_version;
};

/// Adds one top-level key as passed to EventSink::metadata(). Ignores unused keys; repairs corrupt JSON first. Values
/// that cannot be parsed or have an unexpected type are reported as "metadata-unreadable" and ignored.
void add_metadata(FileMetadata& metadata, std::string_view key, std::string_view json, Diagnostics& diagnostics,
                  const std::string& file);

}  // namespace warpscope::ingest
