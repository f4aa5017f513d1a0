#include "core/ingest/read/preflight.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/counted.hpp"
#include "core/base/file_group.hpp"
#include "core/base/format.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/read/sample.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kSamples = 4;
constexpr std::size_t kSampleText = std::size_t{1} << 20;
constexpr std::size_t kSampleDepth = std::size_t{12} << 20;  // of text decompressed, over all samples of a kind

// Text bytes per slice, excluding white space (which depends on formatting) and including flow arrows and a share of
// marks and counters. Eleven traces from PyTorch 1.9 to 2.6 on NVIDIA, AMD and MTIA range from 260 to 610 bytes.
constexpr double kUsualSlice = 340;
// Weight of a compressed file's start relative to the typical value.
constexpr double kBeginWeight = 0.2;

// Ratio of total load time to parsing time; lanes, trees and connections take the rest.
constexpr double kWholeLoad = 1.4;

/// Files that are probably alike, based on their names. (How they are read depends on their content. A wrong guess only
/// makes the estimate less accurate, and inspecting each file would take the time the estimate saves.)
struct Group {
  std::string_view ending;
  std::vector<std::size_t> members{};  ///< indices of sources
  std::uint64_t bytes = 0;
  std::map<std::size_t, Sample> samples{};  ///< by source
  double text_per_byte = 1;
  double slices_per_text = 0;
};

/// Returns the files to sample, spread so that each represents the same number of bytes.
std::vector<std::size_t> chosen(const Group& group, std::span<const trace::SourceFile> sources) {
  std::vector<std::size_t> picks;
  std::uint64_t passed = 0;
  for (const std::size_t member : group.members) {
    if (picks.size() == kSamples) break;
    passed += sources[member].size;
    if (passed > group.bytes / (2 * kSamples) * (2 * picks.size() + 1)) picks.push_back(member);
  }
  return picks;
}

void sum_up(Group& group, std::span<const trace::SourceFile> sources) {
  double bytes = 0;
  double whole = 0;
  double text = 0;
  double solid = 0;
  double slices = 0;
  double share = 1;
  for (const auto& [member, sample] : group.samples) {
    bytes += static_cast<double>(sources[member].size);
    whole += static_cast<double>(sample.text_total);
    text += static_cast<double>(sample.text_bytes);
    solid += static_cast<double>(sample.solid_bytes);
    slices += static_cast<double>(sample.slices);
    share = std::min(share, sample.share);
  }
  if (bytes > 0) group.text_per_byte = whole / bytes;
  if (text <= 0 || slices <= 0) return;
  // The larger the sampled share of the files, the more weight the sample has relative to the typical value.
  const double weight = share + (1 - share) * kBeginWeight;
  const double slice = std::pow(kUsualSlice, 1 - weight) * std::pow(solid / slices, weight);
  group.slices_per_text = solid / text / slice;
}

struct Pace {
  double seconds = 0;
  double bytes = 0;

  void add(double more_seconds, std::uint64_t more_bytes) {
    seconds += more_seconds;
    bytes += static_cast<double>(more_bytes);
  }
  [[nodiscard]] double of(std::uint64_t work) const {
    return bytes > 0 ? seconds / bytes * static_cast<double>(work) : 0;
  }
};

std::uint64_t rounded(double value) { return static_cast<std::uint64_t>(std::llround(value)); }

struct SourceEstimate {
  std::uint64_t text_bytes = 0;
  std::uint64_t slices = 0;
};

SourceEstimate estimate(const Group& group, std::size_t member, const trace::SourceFile& source) {
  const auto sample = group.samples.find(member);
  const bool known = sample != group.samples.end();
  if (known && is_whole(sample->second)) return {sample->second.text_total, sample->second.slices};
  const double text =
      known ? static_cast<double>(sample->second.text_total) : group.text_per_byte * static_cast<double>(source.size);
  return {rounded(text), rounded(text * group.slices_per_text)};
}

// Rounds to two digits, because estimates are no more accurate than that.
std::string about(std::uint64_t count) {
  if (count < 1000) return "about " + format_count(static_cast<std::int64_t>(count));
  std::uint64_t unit = 1;
  while (count / unit >= 100) unit *= 10;
  const std::uint64_t near = (count + unit / 2) / unit * unit;
  if (near < 1'000'000) return "about " + format_count(static_cast<std::int64_t>(near));
  const auto tenths = static_cast<std::int64_t>((near + 50'000) / 100'000);
  return "about " + (tenths < 100 ? format_decimal(tenths, 1) : format_count((tenths + 5) / 10)) + " million";
}

std::string bytes(std::uint64_t count) { return format_bytes(static_cast<std::int64_t>(count)); }

}  // namespace

std::string describe(const Preflight& preflight, std::uint64_t memory_limit) {
  std::string text = counted(preflight.files, "file", "files");
  text += ", " + bytes(preflight.disk_bytes);
  if (preflight.text_bytes > preflight.disk_bytes) text += " (" + bytes(preflight.text_bytes) + " of text)";
  if (preflight.slices > 0) text += ", " + about(preflight.slices) + " slices";
  text +=
      ": at most " + bytes(preflight.resident_bytes) + " of memory, " + bytes(preflight.peak_bytes) + " while loading";
  if (preflight.seconds > 0)
    text += ", about " + std::to_string(static_cast<std::int64_t>(std::ceil(preflight.seconds))) + " s";
  if (memory_limit > 0 && preflight.resident_bytes > memory_limit)
    text += "; limit " + bytes(memory_limit) + ": ranks will stay on disk";
  else if (memory_limit > 0 && preflight.peak_bytes > memory_limit)
    text += "; limit " + bytes(memory_limit) + ": may be exceeded while loading";
  return text;
}

Preflight preflight(std::span<const trace::SourceFile> sources, unsigned threads) {
  Preflight result;
  std::array<Group, 3> groups{Group{".gz"}, Group{".zst"}, Group{""}};
  double other_memory = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const trace::SourceFile& source = sources[i];
    result.files += is_group(source.path) ? files_of_group(source.path).size() : 1;
    result.disk_bytes += source.size;
    if (const double each = memory_per_byte(source.path); each > 0) {
      other_memory += each * static_cast<double>(source.size);
      result.text_bytes += source.size;
      continue;
    }
    Group& group = *std::ranges::find_if(groups, [&](const Group& one) { return source.path.ends_with(one.ending); });
    group.members.push_back(i);
    group.bytes += source.size;
  }

  Pace reading;
  Pace parsing;
  for (Group& group : groups) {
    const std::vector<std::size_t> picks = chosen(group, sources);
    for (const std::size_t member : picks) {
      const auto sample = take_sample(sources[member], kSampleText, kSampleDepth / picks.size());
      if (!sample) continue;
      group.samples.emplace(member, *sample);
      reading.add(sample->read_seconds, sample->read_bytes);
      parsing.add(sample->parse_seconds, sample->text_bytes);
    }
    sum_up(group, sources);
    for (const std::size_t member : group.members) {
      const SourceEstimate source = estimate(group, member, sources[member]);
      result.text_bytes += source.text_bytes;
      result.slices += source.slices;
    }
  }
  result.resident_bytes = kResidentBase + result.slices * kResidentPerSlice + rounded(other_memory);
  result.peak_bytes = kPeakBase + result.slices * kPeakPerSlice + rounded(2 * other_memory);
  const unsigned cores = std::max(1u, threads > 0 ? threads : std::thread::hardware_concurrency());
  result.seconds = (reading.of(result.text_bytes) + parsing.of(result.text_bytes) * kWholeLoad) / cores;
  return result;
}

}  // namespace warpscope::ingest
