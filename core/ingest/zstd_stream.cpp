// zstd. Frames follow each other, skippable ones among them; the decoder goes through them by itself.
#include <zstd.h>

#include <new>

#include "core/ingest/compressed_input.hpp"

namespace warpscope::ingest {
namespace {

/// Largest window accepted: a frame that wants more (up to 2 GiB) would make us allocate as much.
constexpr int kLargestWindowLog = 27;

struct FreeDecoder {
  void operator()(ZSTD_DCtx* decoder) const { ZSTD_freeDCtx(decoder); }
};

class ZstdStream final : public ByteStream {
 public:
  ZstdStream(FileSource file, const CancelToken* cancel)
      : input_(std::move(file), cancel), decoder_(ZSTD_createDCtx()) {
    if (!decoder_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(decoder_.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
  }

  Result<std::size_t> read(std::span<char> into) override {
    if (pending_.set()) return pending_.error();
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    while (out.pos == 0) {
      const auto input = input_.available();
      if (!input.ok()) return pending_.finish(0, input.error());
      // At the end of the file the decoder may still hold output, so it is asked with no input before giving up.
      ZSTD_inBuffer in{input->data(), input->size(), 0};
      const std::size_t status = ZSTD_decompressStream(decoder_.get(), &out, &in);
      input_.use(in.pos);
      if (ZSTD_isError(status) != 0) return pending_.finish(out.pos, damaged(ZSTD_getErrorName(status)));
      const bool stuck = in.pos == 0 && out.pos == 0;
      if (input->empty() && out.pos == 0) {
        if (in_frame_) return pending_.finish(0, truncated());
        return std::size_t{0};
      }
      if (stuck) return pending_.finish(0, damaged("no progress"));
      in_frame_ = status != 0;
    }
    return out.pos;
  }

  [[nodiscard]] std::uint64_t consumed() const override { return input_.consumed(); }
  [[nodiscard]] const FileStamp& stamp() const override { return input_.file().stamp(); }

 private:
  [[nodiscard]] Error truncated() const {
    return {input_.file().path(), "the zstd data end early, after " + std::to_string(input_.consumed()) + " bytes",
            "what could be read is shown; copy or record the file again"};
  }
  [[nodiscard]] Error damaged(const char* detail) const {
    return {input_.file().path(),
            "the zstd data are damaged near byte " + std::to_string(input_.consumed()) + " (" + detail + ")",
            "what could be read is shown; copy or record the file again"};
  }

  CompressedInput input_;
  std::unique_ptr<ZSTD_DCtx, FreeDecoder> decoder_;
  bool in_frame_ = false;
  PendingError pending_;
};

}  // namespace

std::unique_ptr<ByteStream> make_zstd_stream(FileSource file, const CancelToken* cancel) {
  return std::make_unique<ZstdStream>(std::move(file), cancel);
}

}  // namespace warpscope::ingest
