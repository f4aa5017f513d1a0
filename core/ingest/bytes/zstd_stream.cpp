// Decompresses zstd (RFC 8878). A file may contain several frames, including skippable ones; the decoder processes all
// of them.
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>

#include "core/ingest/bytes/compressed_input.hpp"

namespace warpscope::ingest {
namespace {

/// Largest window accepted. Frames can request up to 2 GiB, which the decoder would have to allocate.
constexpr int kLargestWindowLog = 27;

/// Input is passed to the decoder block by block, because a failing call discards its output. The decoder first gets
/// the bytes that determine the length of a frame's header. After that, it gets the amount it requests, minus the next
/// block's header, which it requests along with each block.
constexpr std::size_t kFirstBytes = 5;
constexpr std::size_t kBlockHeader = 3;

struct FreeDecoder {
  void operator()(ZSTD_DCtx* decoder) const { ZSTD_freeDCtx(decoder); }
};

class ZstdStream final : public PackedStream {
 public:
  ZstdStream(FileSource file, const OpenOptions& options) : PackedStream(std::move(file), options, "zstd") {
    if (!decoder_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(decoder_.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
  }

 private:
  std::size_t decompress(std::span<const char> input, std::span<char> into) override {
    // The decoder may still hold output at the end of the file, so call it without input before giving up.
    const bool draining = holds_output_;
    ZSTD_inBuffer in{input.data(), draining ? 0 : std::min(input.size(), wanted_), 0};
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    const std::size_t status = ZSTD_decompressStream(decoder_.get(), &out, &in);
    use(in.pos);
    text_ += out.pos;
    holds_output_ = status != 0 && out.pos == out.size;
    if (wants_too_much(status)) {
      fail(too_much_wanted());
    } else if (ZSTD_isError(status) != 0) {
      give_up(damaged(ZSTD_getErrorName(status)));
    } else if (out.pos > 0 || in.pos > 0 || draining) {
      in_frame_ = status != 0;
      wanted_ = !in_frame_ ? kFirstBytes : status > kBlockHeader ? status - kBlockHeader : status;
    } else if (input.empty()) {
      end(in_frame_);
    } else {
      give_up(damaged("no progress"));
    }
    return out.pos;
  }

  static bool wants_too_much(std::size_t status) {
    return ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge;
  }
  [[nodiscard]] Error too_much_wanted() const {
    return {file_.path(), "its zstd data requires more than 128 MiB of memory to decompress",
            "compress it again with --long=27 or less"};
  }

  std::unique_ptr<ZSTD_DCtx, FreeDecoder> decoder_{ZSTD_createDCtx()};
  bool in_frame_ = false;
  bool holds_output_ = false;         // the decoder may hold output that did not fit: read it first
  std::size_t wanted_ = kFirstBytes;  // bytes of input to pass at once
};

}  // namespace

std::unique_ptr<ByteStream> make_zstd_stream(FileSource file, const OpenOptions& options) {
  return std::make_unique<ZstdStream>(std::move(file), options);
}

}  // namespace warpscope::ingest
