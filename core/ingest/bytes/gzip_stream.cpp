// Decompresses gzip (RFC 1952). A file may contain several members (pigz, bgzip and `cat` create such files); their
// contents are concatenated. Other bytes after the last member are an error unless they are zeros (tape padding).
// Headers, checksums and lengths are checked here, so that both engines accept and reject the same. After a corrupt
// member, searches for the next one (resume_point.hpp).
#include <algorithm>
#include <array>
#include <utility>

#include "core/ingest/bytes/compressed_input.hpp"
#include "core/ingest/bytes/gzip_header.hpp"
#include "core/ingest/bytes/inflater.hpp"
#include "core/ingest/bytes/resume_point.hpp"

namespace warpscope::ingest {
namespace {

/// Bytes of text between checkpoints: about 5 ms of decompression.
constexpr std::uint64_t spacing_of(GzipEngine engine) {
  return (engine == GzipEngine::isal ? std::uint64_t{16} : std::uint64_t{8}) << 20;
}

/// The middle of a member.
class GzipState final : public DecoderState {
 public:
  GzipState(std::shared_ptr<const DecoderState> inflater_state, GzipEngine of, std::uint32_t crc_before,
            std::uint64_t length_before)
      : inflater(std::move(inflater_state)), engine(of), crc(crc_before), length(length_before) {}
  [[nodiscard]] std::size_t resident_bytes() const override { return inflater->resident_bytes() + sizeof(*this); }

  const std::shared_ptr<const DecoderState> inflater;
  const GzipEngine engine;
  const std::uint32_t crc;
  const std::uint64_t length;
};

GzipEngine resolve(GzipEngine engine) {
  if (engine != GzipEngine::zlib && has_isal()) return GzipEngine::isal;
  return GzipEngine::zlib;
}

class GzipStream final : public ByteStream {
 public:
  GzipStream(FileSource file, const OpenOptions& options, const Checkpoint* from)
      : input_(std::move(file), options.cancel, from != nullptr ? from->file : 0),
        cancel_(options.cancel),
        engine_(resolve(options.engine)),
        text_(from != nullptr ? from->text : 0) {
    const auto* state = from != nullptr ? dynamic_cast<const GzipState*>(from->state.get()) : nullptr;
    if (state != nullptr) engine_ = state->engine;
    inflater_ = engine_ == GzipEngine::isal ? make_isal_inflater() : make_zlib_inflater();
    if (state != nullptr) {
      inflater_->restore(*state->inflater);
      crc_ = state->crc;
      length_ = state->length;
      part_ = Part::body;
      book_.begin(from->begin);
    }
    if (options.keep_checkpoints && from == nullptr)
      checkpoints_.emplace(stamp(), options.checkpoint_spacing > 0 ? options.checkpoint_spacing : spacing_of(engine_));
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
      if (part_ == Part::between) {
        if (input->empty()) return at_end();
        begin_member(*input);
      } else if (part_ == Part::body) {
        if (const std::size_t produced = inflate_some(*input, into); produced > 0) return produced;
        if (input->empty() && part_ == Part::body && !pending_.set()) end_early();
      } else if (input->empty() && trailer_size_ < trailer_.size()) {
        end_early();
      } else if (part_ == Part::header) {
        read_header(*input);
      } else {
        read_trailer(*input);
      }
      if (pending_.set()) return pending_.error();
    }
  }

  [[nodiscard]] std::uint64_t consumed() const override { return input_.consumed(); }
  [[nodiscard]] const FileStamp& stamp() const override { return input_.file().stamp(); }
  [[nodiscard]] std::span<const InputDamage> damage() const override { return book_.all(); }
  [[nodiscard]] std::shared_ptr<const Checkpoints> checkpoints() const override {
    return checkpoints_ ? std::make_shared<Checkpoints>(*checkpoints_) : nullptr;
  }

 private:
  enum class Part : std::uint8_t { between, header, body, trailer };

  /// Between members: skips zeros, and other bytes if a member follows them.
  void begin_member(std::span<const char> input) {
    const auto next = std::find_if(input.begin(), input.end(), [](char byte) { return byte != 0; });
    input_.use(static_cast<std::size_t>(next - input.begin()));
    if (next == input.end()) return;
    if (*next != '\x1f') {
      const std::uint64_t from = unsound_ ? search_begin() : input_.position();
      book_.begin(input_.position());
      return give_up({input_.file().path(), "other bytes follow the gzip data at " + std::to_string(input_.position()),
                      "they were ignored"},
                     from);
    }
    if (checkpoints_) checkpoints_->add_begin(text_, input_.position(), std::exchange(behind_damage_, false));
    if (unsound_) book_.read_on(input_.position(), false);
    unsound_ = false;
    book_.begin(input_.position());
    header_ = {};
    trailer_size_ = 0;
    part_ = Part::header;
  }

  Result<std::size_t> at_end() {
    if (book_.all().empty()) return std::size_t{0};
    return pending_.finish(0, book_.all().front().error);
  }

  void end_early() {
    book_.note_end(truncated(), text_);
    (void)pending_.finish(0, book_.all().front().error);
  }

  /// Returns where to search for a member after corruption found here.
  [[nodiscard]] std::uint64_t search_begin() const {
    const std::uint64_t here = input_.position();
    return std::max(book_.begin_in_file() + 1, here - std::min(here, kLookBack));
  }

  /// Handles an error in the member if no next member is at hand: continues with the first one found from `from` on.
  void give_up(Error error, std::uint64_t from) {
    book_.note(std::move(error), text_);
    part_ = Part::between;
    unsound_ = false;
    const auto next = book_.full() ? std::nullopt : find_gzip_member(input_.file(), from, cancel_);
    if (!next) return (void)pending_.finish(0, book_.all().front().error);
    book_.read_on(*next, true);
    behind_damage_ = true;
    input_.go_to(*next);
  }

  void read_header(std::span<const char> input) {
    std::size_t used = 0;
    const GzipHeader::Status status = header_.take(input, used);
    input_.use(used);
    if (status == GzipHeader::Status::damaged) give_up(damaged("header", 0), search_begin());
    if (status != GzipHeader::Status::done) return;
    inflater_->reset();
    crc_ = 0;
    length_ = 0;
    part_ = Part::body;
  }

  std::size_t inflate_some(std::span<const char> input, std::span<char> into) {
    if (checkpoints_) {
      if (text_ >= checkpoints_->next_due())
        checkpoints_->add({text_, input_.position(),
                           std::make_shared<GzipState>(inflater_->save(), engine_, crc_, length_),
                           book_.begin_in_file()});
      into =
          into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), checkpoints_->next_due() - text_)));
    }
    const Inflater::Step step = inflater_->decode(input, into);
    input_.use(step.used);
    crc_ = inflater_->checksum(crc_, into.first(step.produced));
    length_ += step.produced;
    text_ += step.produced;
    const bool stuck = step.status == Inflater::Status::more && step.used + step.produced == 0 && !input.empty();
    if (step.status == Inflater::Status::damaged || stuck) {
      give_up(damaged("block", inflater_->surplus().size()), search_begin());
    } else if (step.status == Inflater::Status::done) {
      const std::string_view surplus = inflater_->surplus();
      std::copy(surplus.begin(), surplus.end(), trailer_.begin());
      trailer_size_ = surplus.size();
      part_ = Part::trailer;
    }
    return step.produced;
  }

  /// Reads CRC-32 and length of the member, little-endian.
  void read_trailer(std::span<const char> input) {
    const std::size_t size = std::min(trailer_.size() - trailer_size_, input.size());
    std::copy_n(input.begin(), size, trailer_.begin() + static_cast<std::ptrdiff_t>(trailer_size_));
    trailer_size_ += size;
    input_.use(size);
    if (trailer_size_ < trailer_.size()) return;
    part_ = Part::between;
    unsound_ = number_at(0) != crc_ || number_at(4) != static_cast<std::uint32_t>(length_);
    if (unsound_) book_.note(damaged(number_at(0) != crc_ ? "checksum" : "length", 0), text_);
  }

  [[nodiscard]] std::uint32_t number_at(std::size_t at) const {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) number |= std::uint32_t{static_cast<std::uint8_t>(trailer_[at + i])} << (8 * i);
    return number;
  }

  [[nodiscard]] Error truncated() const {
    return {input_.file().path(), "truncated: the gzip data end after " + std::to_string(input_.position()) + " bytes",
            "what could be read is shown; copy or record the file again"};
  }
  /// Returns an error about `what`; `ahead`: bytes consumed beyond it.
  [[nodiscard]] Error damaged(const char* what, std::size_t ahead) const {
    return {input_.file().path(),
            "the gzip data are corrupt near byte " + std::to_string(input_.position() - ahead) + " of " +
                std::to_string(stamp().size) + " (" + what + ")",
            "what could be read is shown; copy or record the file again"};
  }

  CompressedInput input_;
  const CancelToken* cancel_;
  GzipEngine engine_;
  std::unique_ptr<Inflater> inflater_;
  Part part_ = Part::between;
  GzipHeader header_;
  std::uint32_t crc_ = 0;     // of the member so far
  std::uint64_t length_ = 0;  // of the member so far
  std::uint64_t text_ = 0;    // of all members so far
  std::array<char, 8> trailer_{};
  std::size_t trailer_size_ = 0;
  bool behind_damage_ = false;  // the next member follows corrupt data, see Checkpoints
  bool unsound_ = false;        // the last member's checksum or length does not match its text
  DamageBook book_;
  std::optional<Checkpoints> checkpoints_;
  PendingError pending_;
};

}  // namespace

std::unique_ptr<ByteStream> make_gzip_stream(FileSource file, const OpenOptions& options, const Checkpoint* from) {
  return std::make_unique<GzipStream>(std::move(file), options, from);
}

}  // namespace warpscope::ingest
