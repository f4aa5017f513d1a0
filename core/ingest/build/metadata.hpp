#pragma once
// What the program uses of a trace's metadata, out of the raw texts that the parser hands to its sink.
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
  std::string backend;                    ///< "nccl"; "" if not told
  std::string host;                       ///< host_name or hostname; "" if not told
  std::optional<Ns> base_time;            ///< baseTimeNanoseconds: the zero of all "ts", since the Unix epoch
  std::vector<DeviceProperties> devices;  ///< deviceProperties
  std::optional<std::int64_t> schema_version;
  std::string display_time_unit;  ///< "ms", "ns"; "" if not told
  std::string trace_name;         ///< "" if not told
};

/// Takes one top-level key as EventSink::metadata() gives it. Keys the program does not use are not looked into;
/// damaged JSON is mended first. A value that does not parse, or is of another type than expected, counts as
/// "metadata-unreadable" and changes nothing.
void add_metadata(FileMetadata& metadata, std::string_view key, std::string_view json, Diagnostics& diagnostics,
                  const std::string& file);

}  // namespace warpscope::ingest
