#include "core/ingest/read/sample.hpp"

#include <zstd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/bytes/early_end.hpp"
#include "core/ingest/formats/format_list.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kPlaces = 6;  // of a plain file

/// Adds its lifetime to `seconds`.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - began_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point began_ = Clock::now();
};

void count(Sample& sample, const TraceFormat& format, std::string_view piece, bool from_begin) {
  const Stopwatch parsing(sample.parse_seconds);
  const auto [slices, text] = format.count_slices(piece, from_begin);
  sample.slices += slices;
  sample.text_bytes += text.size();
  sample.solid_bytes += static_cast<std::uint64_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) > ' '; }));
}

/// Positions of the pieces in `size` bytes of text, from start to end.
struct SampledPlaces {
  SampledPlaces(std::uint64_t size, std::size_t budget)
      : whole(size <= budget), length(whole ? size : budget / kPlaces) {
    const std::uint64_t room = size - length;
    for (std::size_t i = 0; i < (whole ? 1 : kPlaces); ++i) at.push_back(room * i / (kPlaces - 1));
  }
  bool whole;
  std::size_t length;
  std::vector<std::uint64_t> at;
};

Failure sample_plain(const FileSource& file, const TraceFormat& format, std::size_t budget, Sample& sample) {
  sample.text_total = file.stamp().size;
  sample.share = 1;
  const SampledPlaces places(file.stamp().size, budget);
  std::string piece(places.length, '\0');
  for (const std::uint64_t at : places.at) {
    std::string_view text;
    {
      const Stopwatch reading(sample.read_seconds);
      const auto got = file.read_at(at, piece);
      if (!got) return got.error();
      text = {piece.data(), *got};
    }
    sample.read_bytes += text.size();
    count(sample, format, text, at == 0);
  }
  return {};
}

/// Returns the text's length from the first frame's header; 0 if it has none.
std::uint64_t zstd_length(const FileSource& file) {
  const auto header = file.text_at(0, 32);
  if (!header) return 0;
  const unsigned long long length = ZSTD_getFrameContentSize(header->data(), header->size());
  return length == ZSTD_CONTENTSIZE_UNKNOWN || length == ZSTD_CONTENTSIZE_ERROR ? 0 : length;
}

/// Returns `said`, the length stored in the file, if it is consistent with the sample; 0 otherwise. For gzip, first
/// adds the multiple of 2^32 missing from the stored length.
std::uint64_t believable(std::uint64_t said, ContentKind kind, double expected) {
  if (kind == ContentKind::gzip) {
    constexpr double kWrap = 4294967296.0;
    const double wraps = std::max(0.0, (expected - static_cast<double>(said)) / kWrap + 0.5);
    said += static_cast<std::uint64_t>(wraps) << 32;
  }
  // The start's compression ratio differs from the rest, but not by more than this.
  const double share = static_cast<double>(said) / expected;
  return said > 0 && share > 0.33 && share < 6 ? said : 0;
}

/// Appends up to `depth` bytes from the start of the stream to `text`. Returns whether the stream ended.
Result<bool> read_begin(ByteStream& stream, std::size_t depth, std::string& text, Sample& sample) {
  const Stopwatch reading(sample.read_seconds);
  bool ended = false;
  while (text.size() < depth && !ended) {
    const std::size_t filled = text.size();
    text.resize(std::min(depth, filled + kInputBlock));
    const auto got = stream.read({text.data() + filled, text.size() - filled});
    text.resize(filled + (got ? *got : 0));
    if (!got && filled == 0) return got.error();
    ended = !got || *got == 0;
  }
  sample.read_bytes = text.size();
  return ended;
}

Failure sample_compressed(const FileSource& file, std::size_t budget, std::size_t depth, Sample& sample) {
  auto stream = open_byte_stream(file.path());
  if (!stream) return stream.error();
  std::string text;
  const auto ended = read_begin(**stream, depth, text, sample);
  if (!ended) return ended.error();
  const std::size_t filled = text.size();
  const std::uint64_t consumed = (*stream)->consumed();
  const TraceFormat& format = format_of(FileHead{file.path(), std::string_view(text).substr(0, kFormatHead)});
  const SampledPlaces places(filled, budget);
  for (const std::uint64_t at : places.at) {
    const std::string_view piece(text.data() + at, places.length);
    count(sample, format, piece, at == 0);
  }
  if (*ended) {
    sample.text_total = filled;
    sample.share = 1;
  } else if (consumed > 0) {
    const double seen = static_cast<double>(consumed) / static_cast<double>(file.stamp().size);
    const double expected = static_cast<double>(filled) / seen;
    const std::uint64_t said =
        sample.kind == ContentKind::gzip ? gzip_text_length(file).value_or(0) : zstd_length(file);
    sample.text_total = believable(said, sample.kind, expected);
    if (sample.text_total == 0) sample.text_total = static_cast<std::uint64_t>(expected);
    sample.share = static_cast<double>(filled) / static_cast<double>(sample.text_total);
  }
  return {};
}

/// Samples the largest file, because all files in a group are alike.
Result<Sample> sample_group(const trace::SourceFile& source, std::size_t budget, std::size_t depth) {
  const auto files = files_of_group(source.path);
  const auto largest = std::ranges::max_element(files, {}, &GroupFile::size);
  if (largest == files.end()) return Error{source.path, "no such files", "check the path"};
  const trace::SourceFile file{largest->path, largest->size, largest->modified_ns, largest->inode, 0};
  auto sample = take_sample(file, budget, depth);
  if (!sample || files.size() == 1) return sample;
  sample->text_total = source.size;
  sample->share *= static_cast<double>(file.size) / static_cast<double>(std::max<std::uint64_t>(1, source.size));
  return sample;
}

}  // namespace

Result<Sample> take_sample(const trace::SourceFile& source, std::size_t budget, std::size_t depth) {
  if (is_group(source.path)) return sample_group(source, budget, depth);
  auto file = FileSource::open(source.path);
  if (!file) return file.error();
  const auto head = file->text_at(0, kFormatHead);
  if (!head) return head.error();
  Sample sample;
  sample.kind = content_kind(*head);
  const TraceFormat& format = format_of(FileHead{source.path, *head});
  const Failure failure = sample.kind == ContentKind::text ? sample_plain(*file, format, budget, sample)
                                                           : sample_compressed(*file, budget, depth, sample);
  if (failure) return *failure;
  return sample;
}

}  // namespace warpscope::ingest
