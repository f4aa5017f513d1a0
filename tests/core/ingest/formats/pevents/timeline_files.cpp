#include "tests/core/ingest/formats/pevents/timeline_files.hpp"

#include "tests/shared_dir.hpp"

namespace warpscope::tests {

std::string timeline_of(const std::string& events, const std::string& phase, std::int64_t base) {
  return R"([
{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": )" +
         std::to_string(base) + R"(}},
{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {"sort_index": 0}},
{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": ")" +
         phase + R"("}},
)" + events +
         "\n]\n";
}

std::string timeline_slice(const std::string& name, std::int64_t begin, std::int64_t length, int phase,
                           const std::string& arguments) {
  return R"({"name": ")" + name + R"(", "pid": )" + std::to_string(phase) + R"(, "ph": "X", "ts": )" +
         std::to_string(begin) + R"(, "dur": )" + std::to_string(length) + R"(, "args": {)" + arguments + "}}";
}

std::optional<std::filesystem::path> debugger_samples() {
  const auto shared = shared_dir();
  const auto folder = shared.value_or("") / "traces/sagemaker/smdebug/tests/profiler/resources";
  if (shared && std::filesystem::exists(folder)) return folder;
  WARN("skipped: no shared traces");
  return std::nullopt;
}

std::vector<ShownSlice> shown_slices(const trace::Profile& profile, const trace::Rank& rank) {
  std::vector<ShownSlice> shown;
  for (const trace::Track& track : rank.tracks)
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l)
      for (std::uint32_t i = 0; i < rank.lanes[l].size(); ++i) {
        const trace::SliceOrdinal slice = rank.ordinal({l, i});
        shown.push_back({track.label, std::string(profile.names().view(rank.name(slice))), rank.begin(slice),
                         rank.duration(slice), slice});
      }
  return shown;
}

}  // namespace warpscope::tests
