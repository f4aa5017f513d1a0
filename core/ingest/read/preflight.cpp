#include "core/ingest/read/preflight.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "core/base/counted.hpp"
#include "core/base/file_group.hpp"
#include "core/base/format.hpp"
#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

namespace {

/// Returns the text length of a gzip file's last member modulo 2^32, from the trailer; nullopt if the file is too short
/// to have a trailer.
std::optional<std::uint32_t> gzip_text_length(const FileSource& file) {
  constexpr std::uint64_t kLeast = 18;  // header and trailer of a member
  constexpr std::size_t kLength = 4;
  const std::uint64_t size = file.stamp().size;
  if (size < kLeast) return std::nullopt;
  const auto bytes = file.text_at(size - kLength, kLength);
  std::uint32_t length = 0;
  for (std::size_t i = bytes && bytes->size() == kLength ? kLength : 0; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>((*bytes)[i]);
  return length;
}

constexpr std::uint64_t kTextPerSlice = 450;
constexpr std::uint64_t kCompression = 20;
constexpr std::uint64_t kResidentPerSlice = 28;
constexpr std::uint64_t kPeakPerSlice = 64;
constexpr double kTextPerSecond = 300e6;  // per core

std::uint64_t text_of(const trace::SourceFile& source) {
  if (is_group(source.path)) return source.size;
  const std::uint64_t usual = source.size * kCompression;
  if (source.path.ends_with(".zst")) return usual;
  if (!source.path.ends_with(".gz")) return source.size;
  const auto file = FileSource::open(source.path);
  const auto length = file ? gzip_text_length(*file) : std::nullopt;
  if (!length) return usual;
  // The trailer has the length of the last member modulo 2^32.
  const std::uint64_t wraps = usual > *length ? (usual - *length + (std::uint64_t{1} << 31)) >> 32 : 0;
  const std::uint64_t text = *length + (wraps << 32);
  return text >= source.size ? text : usual;
}

/// Rounds to two digits, because estimates are no more accurate than that.
std::string about(std::uint64_t count) {
  std::uint64_t unit = 1;
  while (count / unit >= 100) unit *= 10;
  const auto near = static_cast<std::int64_t>((count + unit / 2) / unit * unit);
  if (near < 1'000'000) return format_count(near);
  return (near < 10'000'000 ? format_decimal(near / 100'000, 1) : format_count(near / 1'000'000)) + " million";
}

std::string bytes(std::uint64_t count) { return format_bytes(static_cast<std::int64_t>(count)); }

}  // namespace

std::string describe(const Preflight& preflight, std::uint64_t memory_limit) {
  std::string text = counted(preflight.files, "file", "files") + ", " + bytes(preflight.disk_bytes);
  if (preflight.text_bytes > preflight.disk_bytes) text += " (" + bytes(preflight.text_bytes) + " of text)";
  text += ": about " + about(preflight.slices) + " slices, " + bytes(preflight.resident_bytes) + " of memory, " +
          bytes(preflight.peak_bytes) + " while loading, " +
          std::to_string(static_cast<std::int64_t>(std::ceil(preflight.seconds))) + " s";
  if (memory_limit > 0 && preflight.resident_bytes > memory_limit)
    text += "; limit " + bytes(memory_limit) + ": ranks will stay on disk";
  else if (memory_limit > 0 && preflight.peak_bytes > memory_limit)
    text += "; limit " + bytes(memory_limit) + ": may be exceeded while loading";
  return text;
}

Preflight preflight(std::span<const trace::SourceFile> sources, unsigned threads) {
  Preflight result;
  for (const trace::SourceFile& source : sources) {
    result.files += is_group(source.path) ? files_of_group(source.path).size() : 1;
    result.disk_bytes += source.size;
    result.text_bytes += text_of(source);
  }
  result.slices = result.text_bytes / kTextPerSlice;
  result.resident_bytes = kResidentBase + result.slices * kResidentPerSlice;
  result.peak_bytes = kResidentBase + result.slices * kPeakPerSlice;
  const unsigned cores = std::max(1u, threads > 0 ? threads : std::thread::hardware_concurrency());
  result.seconds = static_cast<double>(result.text_bytes) / kTextPerSecond / cores;
  return result;
}

}  // namespace warpscope::ingest
