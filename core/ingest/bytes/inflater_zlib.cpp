// Inflates with zlib.
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "core/ingest/bytes/inflater.hpp"

namespace warpscope::ingest {
namespace {

constexpr int kRawDeflate = -15;  // 32 KiB window, no framing

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
    // zlib's interface lacks const in some versions, but zlib never writes to its input.
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

 private:
  z_stream state_{};
};

}  // namespace

std::unique_ptr<Inflater> make_zlib_inflater() { return std::make_unique<ZlibInflater>(); }

}  // namespace warpscope::ingest
