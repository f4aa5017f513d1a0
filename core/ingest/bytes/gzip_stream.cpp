// Decompresses gzip (RFC 1952). A file may contain several members, as written by pigz, bgzip and `cat`; their contents
// are concatenated. Other bytes after the last member are an error unless they are zeros (tape padding). Headers,
// checksums and lengths are checked here, so both engines accept and reject the same files.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/ingest/bytes/compressed_input.hpp"
#include "core/ingest/bytes/inflater.hpp"

namespace warpscope::ingest {
namespace {

/// Text is decompressed in blocks of this length. For a corrupt block, ISA-L's output depends on the size of its output
/// buffer, so that size must not depend on the read sizes.
constexpr std::uint64_t kTextBlock = std::uint64_t{256} << 10;
/// Length of the first block. Text pieces end this far past a multiple of kTextBlock (PieceSizes), so blocks are
/// decompressed directly into them.
constexpr std::uint64_t kFirstTextBlock = std::uint64_t{16} << 10;

// The header of a member (RFC 1952, 2.3).
constexpr std::string_view kMagic = "\x1f\x8b\x08";  // and the method: deflate
constexpr std::size_t kFixed = 10;
constexpr std::size_t kLongest = std::size_t{1} << 20;
constexpr unsigned kHasChecksum = 2;
constexpr unsigned kHasExtra = 4;
constexpr unsigned kReserved = 0xe0;

struct GzipHeader {
  enum class Status : std::uint8_t { more, done, damaged };
  Status status = Status::more;
  std::size_t length = 0;  // if done
};

/// Parses the header at the start of `bytes`, which may end within it. Headers over 1 MiB count as corrupt.
GzipHeader parse_gzip_header(std::string_view bytes) {
  constexpr GzipHeader kDamaged{GzipHeader::Status::damaged};
  const GzipHeader more{bytes.size() > kLongest ? GzipHeader::Status::damaged : GzipHeader::Status::more};
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  const auto number_at = [&](std::size_t at) { return byte(at) | static_cast<unsigned>(byte(at + 1)) << 8; };
  if (bytes.substr(0, kMagic.size()) != kMagic.substr(0, bytes.size())) return kDamaged;
  if (bytes.size() < kFixed) return more;
  const unsigned flags = byte(3);
  if ((flags & kReserved) != 0) return kDamaged;
  std::size_t at = kFixed;
  if ((flags & kHasExtra) != 0) {
    if (bytes.size() < at + 2) return more;
    at += 2 + number_at(at);
  }
  for (const unsigned has_text : {8U, 16U}) {  // a name, a comment
    if ((flags & has_text) == 0) continue;
    const std::size_t end = bytes.find('\0', at);
    if (end == std::string_view::npos) return more;
    at = end + 1;
  }
  if ((flags & kHasChecksum) != 0) {
    if (bytes.size() < at + 2) return more;
    const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), at);
    if ((crc & 0xffffU) != number_at(at)) return kDamaged;
    at += 2;
  }
  return bytes.size() < at ? more : GzipHeader{GzipHeader::Status::done, at};
}

class GzipStream final : public PackedStream {
 public:
  GzipStream(FileSource file, const OpenOptions& options)
      : PackedStream(std::move(file), options, "gzip"),
        inflater_(options.engine == GzipEngine::zlib ? nullptr : make_isal_inflater()) {
    if (!inflater_) inflater_ = make_zlib_inflater();
  }

  Result<std::size_t> read(std::span<char> into) override {
    if (cancelled()) return cancelled_error(file_.path());
    const std::size_t room =
        text_ < kFirstTextBlock ? kFirstTextBlock - text_ : kTextBlock - (text_ - kFirstTextBlock) % kTextBlock;
    if (held_.empty() && into.size() >= room) return PackedStream::read(into.first(room));
    if (held_.empty()) {
      if (block_.empty()) block_.resize(kTextBlock);
      const auto got = PackedStream::read(std::span(block_).first(room));
      if (!got.ok() || *got == 0) return got;
      held_ = std::span(block_).first(*got);
    }
    const std::size_t size = std::min(into.size(), held_.size());
    std::copy_n(held_.begin(), size, into.begin());
    held_ = held_.subspan(size);
    return size;
  }

 private:
  enum class Part : std::uint8_t { between, header, body, trailer };

  std::size_t decompress(std::span<const char> input, std::span<char> into) override {
    if (part_ == Part::body) {
      const std::size_t produced = inflate_some(input, into);
      if (produced == 0 && input.empty() && part_ == Part::body) end(true);
      return produced;
    }
    if (input.empty() && part_ == Part::between)
      end(false);
    else if (input.empty() && trailer_size_ < trailer_.size())
      end(true);
    else if (part_ == Part::between)
      begin_member(input);
    else if (part_ == Part::header)
      read_header(input);
    else
      read_trailer(input);
    return 0;
  }

  /// Between members: skips zeros.
  void begin_member(std::span<const char> input) {
    const auto next = std::find_if(input.begin(), input.end(), [](char byte) { return byte != 0; });
    use(static_cast<std::size_t>(next - input.begin()));
    if (next == input.end()) return;
    if (*next != '\x1f')
      return give_up(
          {file_.path(), "extra data after the gzip stream at " + std::to_string(position()), "it was ignored"});
    header_.clear();
    trailer_size_ = 0;
    part_ = Part::header;
  }

  void read_header(std::span<const char> input) {
    const std::string_view block(input.data(), input.size());
    const std::size_t before = header_.size();
    const GzipHeader header = parse_gzip_header(before == 0 ? block : std::string_view(header_.append(block)));
    if (header.status == GzipHeader::Status::damaged) return give_up(damaged("header"));
    if (header.status == GzipHeader::Status::more) {
      if (before == 0) header_ = block;
      return use(block.size());
    }
    use(header.length - before);
    inflater_->reset();
    crc_ = 0;
    length_ = 0;
    part_ = Part::body;
  }

  std::size_t inflate_some(std::span<const char> input, std::span<char> into) {
    const Inflater::Step step = inflater_->decode(input, into);
    use(step.used);
    crc_ = inflater_->checksum(crc_, into.first(step.produced));
    length_ += step.produced;
    text_ += step.produced;
    const bool stuck = step.status == Inflater::Status::more && step.used + step.produced == 0 && !input.empty();
    if (step.status == Inflater::Status::damaged || stuck) {
      give_up(damaged("block", inflater_->surplus().size()));
    } else if (step.status == Inflater::Status::done) {
      const std::string_view surplus = inflater_->surplus();
      std::copy(surplus.begin(), surplus.end(), trailer_.begin());
      trailer_size_ = surplus.size();
      part_ = Part::trailer;
    }
    return step.produced;
  }

  /// Reads the member's CRC-32 and length, little-endian.
  void read_trailer(std::span<const char> input) {
    const std::size_t size = std::min(trailer_.size() - trailer_size_, input.size());
    std::copy_n(input.begin(), size, trailer_.begin() + static_cast<std::ptrdiff_t>(trailer_size_));
    trailer_size_ += size;
    use(size);
    if (trailer_size_ < trailer_.size()) return;
    part_ = Part::between;
    if (number_at(0) != crc_)
      note(damaged("checksum"));
    else if (number_at(4) != static_cast<std::uint32_t>(length_))
      note(damaged("length"));
  }

  [[nodiscard]] std::uint32_t number_at(std::size_t at) const {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) number |= std::uint32_t{static_cast<std::uint8_t>(trailer_[at + i])} << (8 * i);
    return number;
  }

  std::unique_ptr<Inflater> inflater_;
  Part part_ = Part::between;
  std::string header_;        // start of the header, if in an earlier block
  std::uint32_t crc_ = 0;     // of the member so far
  std::uint64_t length_ = 0;  // of the member so far
  std::array<char, 8> trailer_{};
  std::size_t trailer_size_ = 0;
  std::vector<char> block_;  // for reads of less than a block
  std::span<char> held_;     // the part of block_ not read yet
};

}  // namespace

std::unique_ptr<ByteStream> make_gzip_stream(FileSource file, const OpenOptions& options) {
  return std::make_unique<GzipStream>(std::move(file), options);
}

}  // namespace warpscope::ingest
