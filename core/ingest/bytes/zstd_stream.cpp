// Decompresses zstd (RFC 8878). Frames follow each other, skippable ones among them; the decoder walks through them by
// itself. After a corrupt frame, searches for the next one (resume_point.hpp).
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>

#include "core/ingest/bytes/compressed_input.hpp"
#include "core/ingest/bytes/resume_point.hpp"

namespace warpscope::ingest {
namespace {

/// Largest window accepted: a frame that requests more (up to 2 GiB) would make us allocate as much.
constexpr int kLargestWindowLog = 27;
/// Bytes of text between checkpoints, which are starts of frames: about 8 ms of decompression.
constexpr std::uint64_t kSpacing = std::uint64_t{24} << 20;

/// Input is passed to the decoder block by block, because a failing call discards its output. The decoder first gets
/// the bytes that determine the length of a frame's header, and then as much as it requests, except the header of the
/// next block, which it requests together with a block.
constexpr std::size_t kFirstBytes = 5;
constexpr std::size_t kBlockHeader = 3;

struct FreeDecoder {
  void operator()(ZSTD_DCtx* decoder) const { ZSTD_freeDCtx(decoder); }
};

class ZstdStream final : public ByteStream {
 public:
  ZstdStream(FileSource file, const OpenOptions& options, const Checkpoint* from)
      : input_(std::move(file), options.cancel, from != nullptr ? from->file : 0),
        cancel_(options.cancel),
        text_(from != nullptr ? from->text : 0) {
    if (!decoder_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(decoder_.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
    if (options.keep_checkpoints && from == nullptr)
      checkpoints_.emplace(stamp(), options.checkpoint_spacing > 0 ? options.checkpoint_spacing : kSpacing);
  }

  Result<std::size_t> read(std::span<char> into) override {
    if (pending_.set()) return pending_.error();
    if (auto stop = input_.cancelled()) return pending_.finish(0, std::move(*stop));
    for (;;) {
      if (const std::size_t zeros = book_.zeros(into); zeros > 0) {
        text_ += zeros;
        return zeros;
      }
      const auto input = input_.available();
      if (!input.ok()) return pending_.finish(0, input.error());
      if (!in_frame_ && !input->empty()) begin_frame();
      // At the end of the file the decoder may still hold output, so call it without input before giving up.
      const bool draining = holds_output_;
      ZSTD_inBuffer in{input->data(), draining ? 0 : std::min(input->size(), wanted_), 0};
      ZSTD_outBuffer out{into.data(), into.size(), 0};
      const std::size_t status = ZSTD_decompressStream(decoder_.get(), &out, &in);
      input_.use(in.pos);
      text_ += out.pos;
      if (ZSTD_isError(status) != 0) {
        if (wants_too_much(status)) return pending_.finish(out.pos, too_much_wanted());
        give_up(damaged(ZSTD_getErrorName(status)));
        if (out.pos > 0) return out.pos;
        if (pending_.set()) return pending_.error();
        continue;
      }
      holds_output_ = status != 0 && out.pos == out.size;
      if (out.pos == 0 && in.pos == 0 && !draining) {
        if (input->empty()) return at_end();
        give_up(damaged("no progress"));
        if (pending_.set()) return pending_.error();
        continue;
      }
      in_frame_ = status != 0;
      wanted_ = !in_frame_ ? kFirstBytes : status > kBlockHeader ? status - kBlockHeader : status;
      if (out.pos > 0) return out.pos;
    }
  }

  [[nodiscard]] std::uint64_t consumed() const override { return input_.consumed(); }
  [[nodiscard]] const FileStamp& stamp() const override { return input_.file().stamp(); }
  [[nodiscard]] std::span<const InputDamage> damage() const override { return book_.all(); }
  [[nodiscard]] std::shared_ptr<const Checkpoints> checkpoints() const override {
    return checkpoints_ ? std::make_shared<Checkpoints>(*checkpoints_) : nullptr;
  }

 private:
  Result<std::size_t> at_end() {
    if (in_frame_) book_.note_end(truncated(), text_);
    if (book_.all().empty()) return std::size_t{0};
    return pending_.finish(0, book_.all().front().error);
  }

  /// Handles an error in the frame: continues with the next one found.
  void give_up(Error error) {
    book_.note(std::move(error), text_);
    in_frame_ = false;
    holds_output_ = false;
    wanted_ = kFirstBytes;
    const std::uint64_t here = input_.position();
    const std::uint64_t from = std::max(book_.begin_in_file() + 1, here - std::min(here, kLookBack));
    const auto next = book_.full() ? std::nullopt : find_zstd_frame(input_.file(), from, cancel_);
    if (!next) return (void)pending_.finish(0, book_.all().front().error);
    book_.read_on(*next, true);
    behind_damage_ = true;
    input_.go_to(*next);
    ZSTD_DCtx_reset(decoder_.get(), ZSTD_reset_session_only);
  }

  void begin_frame() {
    book_.begin(input_.position());
    if (checkpoints_) checkpoints_->add_begin(text_, input_.position(), std::exchange(behind_damage_, false));
  }

  [[nodiscard]] Error truncated() const {
    return {input_.file().path(), "truncated: the zstd data end after " + std::to_string(input_.position()) + " bytes",
            "what could be read is shown; copy or record the file again"};
  }
  static bool wants_too_much(std::size_t status) {
    return ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge;
  }
  [[nodiscard]] Error too_much_wanted() const {
    return {input_.file().path(), "its zstd data need more than 128 MiB of memory to decompress",
            "compress it again with --long=27 or less"};
  }
  [[nodiscard]] Error damaged(const char* detail) const {
    return {input_.file().path(),
            "the zstd data are corrupt near byte " + std::to_string(input_.position()) + " of " +
                std::to_string(stamp().size) + " (" + detail + ")",
            "what could be read is shown; copy or record the file again"};
  }

  CompressedInput input_;
  const CancelToken* cancel_;
  std::unique_ptr<ZSTD_DCtx, FreeDecoder> decoder_{ZSTD_createDCtx()};
  bool behind_damage_ = false;  // the next frame follows corrupt data, see Checkpoints
  bool in_frame_ = false;
  bool holds_output_ = false;         // the decoder may hold output that did not fit: read it first
  std::size_t wanted_ = kFirstBytes;  // bytes of input to pass at once
  std::uint64_t text_ = 0;            // of all frames so far
  DamageBook book_;
  std::optional<Checkpoints> checkpoints_;
  PendingError pending_;
};

}  // namespace

std::unique_ptr<ByteStream> make_zstd_stream(FileSource file, const OpenOptions& options, const Checkpoint* from) {
  return std::make_unique<ZstdStream>(std::move(file), options, from);
}

}  // namespace warpscope::ingest
