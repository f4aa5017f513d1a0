#include "core/ingest/bytes/resume_point.hpp"

#include <zstd.h>

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "core/ingest/bytes/gzip_header.hpp"
#include "core/ingest/bytes/inflater.hpp"

namespace warpscope::ingest {
namespace {

constexpr std::size_t kBlock = std::size_t{256} << 10;
constexpr std::size_t kTried = std::size_t{64} << 10;  // bytes of text, or of the file

/// Returns the first position at or after `from` with `magic` for which is_sound(bytes from there on) is true.
template <class IsSound>
std::optional<std::uint64_t> find_sound(const FileSource& file, std::uint64_t from, std::string_view magic,
                                        std::size_t tried, const CancelToken* cancel, IsSound is_sound) {
  std::vector<char> block(kBlock);
  std::vector<char> begin(tried);
  std::size_t tries = 0;
  for (std::uint64_t at = from; at < file.stamp().size;) {
    if (cancel != nullptr && cancel->cancelled()) return std::nullopt;
    const auto got = file.read_at(at, block);
    if (!got || *got < magic.size()) return std::nullopt;
    const std::string_view bytes(block.data(), *got);
    for (std::size_t hit = bytes.find(magic); hit != std::string_view::npos; hit = bytes.find(magic, hit + 1)) {
      if (tries++ == kMostTries) return std::nullopt;
      const auto tasted = file.read_at(at + hit, begin);
      if (tasted && is_sound(std::span<const char>(begin.data(), *tasted))) return at + hit;
    }
    at += *got - magic.size() + 1;
  }
  return std::nullopt;
}

/// Writers use only a few values for the header's last two bytes.
bool is_usual_gzip_header(std::span<const char> bytes) {
  constexpr std::size_t kFlags = 3;
  constexpr std::size_t kExtraFlags = 8;
  constexpr std::size_t kSystem = 9;
  constexpr unsigned kReservedFlags = 0xe0;
  constexpr unsigned kMostSystems = 19;
  if (bytes.size() <= kSystem) return false;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  const bool fast_or_best = byte(kExtraFlags) == 0 || byte(kExtraFlags) == 2 || byte(kExtraFlags) == 4;
  return (byte(kFlags) & kReservedFlags) == 0 && fast_or_best &&
         (byte(kSystem) <= kMostSystems || byte(kSystem) == 255);
}

bool inflates(Inflater& inflater, std::span<const char> input) {
  const GzipHeader header = parse_gzip_header({input.data(), input.size()});
  if (!is_usual_gzip_header(input) || header.status != GzipHeader::Status::done) return false;
  input = input.subspan(header.length);
  inflater.reset();
  std::vector<char> text(kTried);
  for (std::size_t produced = 0; produced < kTried && !input.empty();) {
    const Inflater::Step step = inflater.decode(input, text);
    if (step.status != Inflater::Status::more) return step.status == Inflater::Status::done;
    if (step.used + step.produced == 0) return true;
    input = input.subspan(step.used);
    produced += step.produced;
  }
  return true;
}

struct FreeProbe {
  void operator()(ZSTD_DCtx* decoder) const { ZSTD_freeDCtx(decoder); }
};

/// Returns whether its first block, or all of the frame, can be decompressed.
bool decompresses(ZSTD_DCtx& decoder, std::span<const char> input, std::span<char> text) {
  ZSTD_DCtx_reset(&decoder, ZSTD_reset_session_only);
  ZSTD_inBuffer in{input.data(), input.size(), 0};
  ZSTD_outBuffer out{text.data(), text.size(), 0};
  const std::size_t status = ZSTD_decompressStream(&decoder, &out, &in);
  return ZSTD_isError(status) == 0 && (status == 0 || out.pos > 0);
}

}  // namespace

std::optional<std::uint64_t> find_gzip_member(const FileSource& file, std::uint64_t from, const CancelToken* cancel) {
  const auto inflater = make_zlib_inflater();
  return find_sound(file, from, "\x1f\x8b\x08", kTried, cancel,
                    [&](std::span<const char> input) { return inflates(*inflater, input); });
}

std::optional<std::uint64_t> find_zstd_frame(const FileSource& file, std::uint64_t from, const CancelToken* cancel) {
  constexpr std::size_t kHeaderAndBlock = std::size_t{132} << 10;
  const std::unique_ptr<ZSTD_DCtx, FreeProbe> decoder(ZSTD_createDCtx());
  if (!decoder) return std::nullopt;
  std::vector<char> text(1);
  return find_sound(file, from, "\x28\xb5\x2f\xfd", kHeaderAndBlock, cancel,
                    [&](std::span<const char> input) { return decompresses(*decoder, input, text); });
}

}  // namespace warpscope::ingest
