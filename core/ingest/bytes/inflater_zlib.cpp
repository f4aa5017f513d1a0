// Inflates with zlib. A saved state is a copy made by zlib itself (about 40 KB: the window of 32 KiB and the tables).
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "core/ingest/bytes/inflater.hpp"

namespace warpscope::ingest {
namespace {

constexpr int kRawDeflate = -15;  // a window of 32 KiB and no framing

class ZlibState final : public DecoderState {
 public:
  explicit ZlibState(const z_stream& from) {
    // inflateCopy only reads its source; its interface lacks const.
    if (inflateCopy(&copy_, const_cast<z_stream*>(&from)) != Z_OK) throw std::bad_alloc();
  }
  ZlibState(const ZlibState&) = delete;
  ZlibState& operator=(const ZlibState&) = delete;
  ~ZlibState() override { inflateEnd(&copy_); }

  [[nodiscard]] std::size_t resident_bytes() const override { return kBytes; }
  [[nodiscard]] const z_stream& stream() const { return copy_; }

 private:
  static constexpr std::size_t kBytes = (std::size_t{32} << 10) + 7400 + sizeof(z_stream);
  z_stream copy_{};
};

class ZlibInflater final : public Inflater {
 public:
  ZlibInflater() {
    if (inflateInit2(&state_, kRawDeflate) != Z_OK) throw std::bad_alloc();
  }
  ZlibInflater(const ZlibInflater&) = delete;
  ZlibInflater& operator=(const ZlibInflater&) = delete;
  ~ZlibInflater() override { inflateEnd(&state_); }

  void reset() override { inflateReset(&state_); }

  Step decode(std::span<const char> input, std::span<char> into) override {
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    const auto given = static_cast<uInt>(std::min(input.size(), kMost));
    const auto room = static_cast<uInt>(std::min(into.size(), kMost));
    // zlib's interface lacks const in some versions; it does not write to its input.
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    state_.avail_in = given;
    state_.next_out = reinterpret_cast<Bytef*>(into.data());
    state_.avail_out = room;
    const int code = inflate(&state_, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    const Status status = code == Z_STREAM_END                  ? Status::done
                          : code == Z_OK || code == Z_BUF_ERROR ? Status::more
                                                                : Status::damaged;
    return {given - state_.avail_in, room - state_.avail_out, status};
  }

  [[nodiscard]] std::string_view surplus() const override { return {}; }

  [[nodiscard]] std::uint32_t checksum(std::uint32_t crc, std::span<const char> text) const override {
    return static_cast<std::uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef*>(text.data()), text.size()));
  }

  [[nodiscard]] std::shared_ptr<const DecoderState> save() const override {
    return std::make_shared<ZlibState>(state_);
  }
  void restore(const DecoderState& state) override {
    inflateEnd(&state_);
    state_ = {};
    z_stream& saved = const_cast<z_stream&>(dynamic_cast<const ZlibState&>(state).stream());
    if (inflateCopy(&state_, &saved) != Z_OK) throw std::bad_alloc();
  }

 private:
  z_stream state_{};
};

}  // namespace

std::unique_ptr<Inflater> make_zlib_inflater() { return std::make_unique<ZlibInflater>(); }

}  // namespace warpscope::ingest
