#pragma once
// What a listing knows of one file: what kind of source it is, by its name, and what its first and last bytes tell.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.hpp"
#include "core/ingest/format/recording_time.hpp"
#include "core/ingest/format/trace_format.hpp"
#include "core/ingest/listing/profile_listing.hpp"

namespace warpscope::ingest {

enum class ListedRole : std::uint8_t {
  nothing,    ///< of no use to a listing
  candidate,  ///< named like a trace; its begin tells
  trace,      ///< of any format that formats/format_list.hpp has
  metrics,    ///< system metrics
  timeline,   ///< framework timelines
  open_file,  ///< a framework timeline that is still being written
  span,       ///< a name that says when a TensorFlow profile began
  converted,
  report,
  sealed,
  end_marker,   ///< the job has ended
  description,  ///< what tells of the job (see job_documents.hpp)
};

struct ListedFile : FileSummary {
  std::string path;
  ListedRole role = ListedRole::nothing;
  std::uint64_t bytes = 0;
  Ns modified = 0;                  ///< since the Unix epoch
  std::optional<Ns> in_name;        ///< a time in its name
  std::vector<std::string> gpus{};  ///< names of sampled GPUs
  bool truncated = false;           ///< its text ends too early, for certain
};

/// What the name alone tells, the names of the folders it lies in included: role, node and time.
[[nodiscard]] ListedFile file_by_name(const std::string& path);

/// Looks into a candidate: it becomes a trace, a description or nothing.
void look_into(ListedFile& file);
/// Looks into the first samples of a metrics file or the first events of a timeline: when it begins, which GPUs.
void look_at_begin(ListedFile& file);

/// The base that the times of a trace count from ("baseTimeNanoseconds"), which stands at its end. Plain text: from the
/// last bytes. Compressed: all of it is read if it has at most `most` bytes on disk; nothing once cancelled.
[[nodiscard]] std::optional<Ns> base_time_at_end(const ListedFile& file, std::uint64_t most, const CancelToken* cancel);

/// A time in a file name: 10 digits of seconds, 13 of milliseconds, 16 of microseconds or 19 of nanoseconds since the
/// Unix epoch, between the years 2001 and 2100.
[[nodiscard]] std::optional<Ns> time_in_name(std::string_view name);
/// True for names as "rank-0", "algo-1", "node_3", "worker7": a part of a job that lies in a folder of its own.
[[nodiscard]] bool names_a_part(std::string_view folder);

}  // namespace warpscope::ingest
