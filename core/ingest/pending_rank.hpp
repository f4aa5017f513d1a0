#pragma once
// What has been read of one file so far, before it is put in order: slices by thread and stream in the order of the
// file. The collector fills it, build_rank() empties it.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/ingest/interner.hpp"
#include "core/trace/category.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// 32 bytes while a file is read.
struct PendingSlice {
  Ns begin = 0;
  Ns duration = 0;
  std::uint32_t name = 0;         ///< in PendingRank::names
  std::uint32_t correlation = 0;  ///< 1 + index into PendingRank::correlations; 0: none
  std::uint32_t offset_low = 0;
  std::uint8_t offset_high = 0;
  trace::CategoryId category = 0;
  std::uint8_t flags = 0;

  static constexpr std::uint8_t kDamaged = 1;     ///< impossible whatever the others look like
  static constexpr std::uint8_t kInstant = 2;     ///< a mark, not a slice
  static constexpr std::uint8_t kIncomplete = 4;  ///< a begin without an end, or an asynchronous range: not counted

  [[nodiscard]] std::uint64_t offset() const { return offset_low | static_cast<std::uint64_t>(offset_high) << 32; }
  void set_offset(std::uint64_t offset) {
    offset_low = static_cast<std::uint32_t>(offset);
    offset_high = static_cast<std::uint8_t>(offset >> 32);
  }
};

struct PendingTrack {
  trace::TrackKind kind = trace::TrackKind::thread;
  std::int64_t process = 0;  ///< pid; device of a stream
  std::int64_t id = 0;       ///< tid; number of a stream
  std::string process_text;  ///< as the file writes them
  std::string thread_text;
  std::vector<PendingSlice> slices;
  std::vector<std::uint32_t> open;  ///< B events without their E so far: indices into slices
};

/// One end of a forward → backward arrow.
struct PendingFlow {
  std::uint64_t id = 0;
  Ns time = 0;
  std::uint32_t track = 0;
  bool start = false;
};

struct PendingCounter {
  std::string name;
  std::vector<std::pair<Ns, float>> samples;
};

struct PendingRank {
  std::string file;
  Interner names;
  std::vector<PendingTrack> tracks;
  std::vector<std::int64_t> correlations;
  std::vector<PendingFlow> flows;
  std::vector<PendingCounter> counters;
  std::map<std::pair<std::string, std::string>, std::string> thread_names;  ///< (pid, tid) as text → name
  std::map<std::string, std::string> process_names;
  std::map<std::string, std::string> process_labels;
  std::map<std::string, std::string> metadata;  ///< top-level keys → raw JSON
  std::uint64_t events = 0;
  Diagnostics diagnostics;
};

}  // namespace warpscope::ingest
