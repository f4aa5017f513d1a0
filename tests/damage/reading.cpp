#include "tests/damage/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/trace/system_metrics.hpp"
#include "tests/load_profile.hpp"
#include "tests/test_folder.hpp"

namespace warpscope::damage {
namespace {

/// Codes that concern the whole file: nothing that follows is reliable or complete.
constexpr std::string_view kWholeFile[] = {"input-damaged", "unreadable-file",  "truncated",
                                           "not-a-trace",   "array-not-closed", "metrics-line-cut-off"};

/// Returns the length of the JSON object at `at`.
std::uint64_t object_length(std::string_view text, std::uint64_t at) {
  int depth = 0;
  bool inside = false;
  for (std::size_t i = at; i < text.size(); ++i) {
    const char c = text[i];
    if (inside && c == '\\')
      ++i;
    else if (c == '"')
      inside = !inside;
    else if (!inside && c == '{')
      ++depth;
    else if (!inside && c == '}' && --depth == 0)
      return i + 1 - at;
  }
  return 0;
}

/// Names the track. Timelines number their tracks in order of appearance, so a lost event may change the numbers.
std::string name_of(const trace::Track& track, Format format) {
  return format == Format::pevents ? track.label
                                   : fmt::format("{} {} {}", static_cast<int>(track.kind), track.process, track.id);
}

void add_rank(const trace::Profile& profile, const trace::Rank& rank, Format format, std::string_view text,
              Reading& reading) {
  std::vector<std::string> slices;
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    const trace::Lane& lane = rank.lanes[l];
    const std::string track = name_of(rank.tracks[rank.track_of_lane(l)], format);
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
      // In timelines, the category of an operator depends on the kernels that it launches.
      const std::string_view category = format == Format::pevents ? "" : profile.categories().name(lane.category(i));
      const std::string slice = fmt::format("{} {} {} {} {}", track, profile.names().view(lane.name(i)), category,
                                            lane.time().begin(i), lane.time().duration(i));
      ++reading.contents[slice];
      if (!text.empty()) reading.lengths[slice] = object_length(text, lane.event(i));
      slices.push_back(slice);
    }
  }
  for (const trace::Connections* all : {&rank.launches, &rank.forward_backward})
    for (const trace::Connection& each : all->all()) ++reading.contents[slices[each.from] + " -> " + slices[each.to]];
}

}  // namespace

Reading read(const Input& input, const std::string& bytes) {
  const tests::TestFolder folder;
  std::filesystem::create_directories((folder.path() / input.path).parent_path());
  folder.write(input.path, bytes);
  ingest::LoadOptions options;
  options.threads = 1;
  const auto loaded = tests::load_profile(folder.path().string(), options);
  Reading reading;
  reading.failed = !loaded.ok();
  if (reading.failed) return reading;
  const trace::Profile& profile = **loaded;
  for (const Diagnostic& each : profile.diagnostics.all())
    if (each.severity != Severity::info || each.code == "duplicate-key" ||
        std::ranges::find(kWholeFile, each.code) != std::end(kWholeFile))
      reading.warnings[each.code] += each.count;
  const bool text = input.format == Format::json || input.format == Format::pevents;
  for (const auto& rank : profile.ranks)
    add_rank(profile, *rank, input.format, text ? std::string_view(bytes) : "", reading);
  for (const auto& node : profile.metrics) {
    for (const trace::MetricColumn& column : node->columns()) {
      for (const auto& series : column.series) {
        for (std::size_t i = 0; i < column.times.size(); ++i) {
          const std::string sample = fmt::format("{} {} {} {} {}", series.type, series.name, series.dimension,
                                                 column.times[i], series.values[i]);
          ++reading.contents[sample];
          reading.lengths[sample] = sample.size();  // a line is longer
        }
      }
    }
  }
  return reading;
}

Loss compare(const Reading& whole, const Reading& now, std::uint64_t gone) {
  Loss loss;
  std::vector<std::uint64_t> lost;  // lengths
  const auto count_in = [](const Reading& reading, const std::string& what) {
    const auto found = reading.contents.find(what);
    return found == reading.contents.end() ? 0 : found->second;
  };
  for (const auto& [what, count] : whole.contents) {
    const int fewer = std::max(0, count - count_in(now, what));
    loss.lost += fewer;
    if (const auto length = whole.lengths.find(what); length != whole.lengths.end())
      lost.insert(lost.end(), static_cast<std::size_t>(fewer), length->second);
  }
  for (const auto& [what, count] : now.contents) loss.added += std::max(0, count - count_in(whole, what));

  std::uint64_t skipped = 0;
  bool of_whole_file = now.failed;
  for (const auto& [code, count] : now.warnings) {
    const auto before = whole.warnings.find(code);
    const std::uint64_t more = count - std::min(count, before == whole.warnings.end() ? 0 : before->second);
    of_whole_file |= more > 0 && std::ranges::find(kWholeFile, code) != std::end(kWholeFile);
    (code == "skipped-bytes" ? skipped : loss.diagnostics) += more;
  }
  if (of_whole_file) {
    ++loss.diagnostics;
    return loss;
  }
  // Each occurrence accounts for one event; the bytes skipped account for as many as they contain.
  const bool reported = loss.diagnostics + skipped > 0;
  skipped += gone;
  std::ranges::sort(lost, std::greater<>());
  // The events at both ends of a gap become one.
  for (std::size_t i = loss.diagnostics + (gone > 0 ? 1 : 0); i < lost.size(); ++i) {
    if (lost[i] > skipped)
      ++loss.events;
    else
      skipped -= lost[i];
  }
  loss.diagnostics = std::max<std::uint64_t>(loss.diagnostics, reported ? 1 : 0);
  return loss;
}

}  // namespace warpscope::damage
