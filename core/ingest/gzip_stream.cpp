// gzip by zlib. A file may hold several members one after the other (pigz, bgzip and `cat` make such); their contents
// follow each other. Bytes after the last member that are no member are an error unless they are zeros (tape padding).
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "core/ingest/compressed_input.hpp"

namespace warpscope::ingest {
namespace {

constexpr int kGzipWindow = 15 + 16;  // 32 KiB of history, gzip framing

class GzipStream final : public ByteStream {
 public:
  GzipStream(FileSource file, const CancelToken* cancel) : input_(std::move(file), cancel) {
    if (inflateInit2(&state_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream() override { inflateEnd(&state_); }

  Result<std::size_t> read(std::span<char> into) override {
    if (pending_.set()) return pending_.error();
    std::size_t produced = 0;
    while (produced == 0) {
      const auto input = input_.available();
      if (!input.ok()) return pending_.finish(produced, input.error());
      if (input->empty()) return in_member_ ? pending_.finish(produced, truncated()) : Result<std::size_t>(produced);
      if (!in_member_ && !begin_member(*input)) {
        if (pending_.set()) return pending_.error();
        continue;
      }
      const int status = inflate_some(*input, into, produced);
      if (status == Z_STREAM_END) {
        in_member_ = false;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        return pending_.finish(produced, damaged());
      }
    }
    return produced;
  }

  [[nodiscard]] std::uint64_t consumed() const override { return input_.consumed(); }
  [[nodiscard]] const FileStamp& stamp() const override { return input_.file().stamp(); }

 private:
  /// Between members: skips zeros; false if there is nothing to inflate in this block or an error became pending.
  bool begin_member(std::span<const char> input) {
    const auto next = std::find_if(input.begin(), input.end(), [](char byte) { return byte != 0; });
    input_.use(static_cast<std::size_t>(next - input.begin()));
    if (next == input.end()) return false;
    if (next != input.begin()) return false;
    if (*next != '\x1f') {
      (void)pending_.finish(
          0, {input_.file().path(), "other bytes follow the gzip data at " + std::to_string(input_.consumed()),
              "they were ignored"});
      return false;
    }
    inflateReset(&state_);
    in_member_ = true;
    return true;
  }

  int inflate_some(std::span<const char> input, std::span<char> into, std::size_t& produced) {
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    const auto given = static_cast<uInt>(std::min(input.size(), kMost));
    const auto room = static_cast<uInt>(std::min(into.size(), kMost));
    // zlib's interface has no const in all its versions; it does not write to its input.
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    state_.avail_in = given;
    state_.next_out = reinterpret_cast<Bytef*>(into.data());
    state_.avail_out = room;
    const int status = inflate(&state_, Z_NO_FLUSH);
    input_.use(given - state_.avail_in);
    produced = room - state_.avail_out;
    return status;
  }

  [[nodiscard]] Error truncated() const {
    return {input_.file().path(), "the gzip data end early, after " + std::to_string(input_.consumed()) + " bytes",
            "what could be read is shown; copy or record the file again"};
  }
  [[nodiscard]] Error damaged() const {
    const std::string detail = state_.msg != nullptr ? std::string(" (") + state_.msg + ")" : "";
    return {input_.file().path(), "the gzip data are damaged near byte " + std::to_string(input_.consumed()) + detail,
            "what could be read is shown; copy or record the file again"};
  }

  CompressedInput input_;
  z_stream state_{};
  bool in_member_ = false;
  PendingError pending_;
};

}  // namespace

std::unique_ptr<ByteStream> make_gzip_stream(FileSource file, const CancelToken* cancel) {
  return std::make_unique<GzipStream>(std::move(file), cancel);
}

}  // namespace warpscope::ingest
