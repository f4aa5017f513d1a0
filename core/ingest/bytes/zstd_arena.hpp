#pragma once
// A zstd decoder whose state can be saved. zstd has no call for that, but can be told to keep all it needs in one piece
// of memory (ZSTD_initStaticDCtx): its tables, the window and what it has read and not decoded. A copy of those bytes,
// put back at the same addresses, since they point at each other, is the decoder as it was.
//
// So the addresses stay reserved for as long as there are saved states, and only one decoder at a time can live there:
// whoever uses the memory enters and leaves. While nobody is in, the pages belong to the system again.
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "core/base/progress.hpp"
#include "core/ingest/bytes/checkpoints.hpp"
#include "core/ingest/bytes/packed_bytes.hpp"

struct ZSTD_DCtx_s;

namespace warpscope::ingest {

/// Whether this build of zstd can be given memory.
[[nodiscard]] bool can_save_zstd();

class ZstdArena {
 public:
  static constexpr auto kPatience = std::chrono::milliseconds(500);

  /// Room for decoding frames with windows of up to `window` bytes. Null if the addresses cannot be had.
  static std::shared_ptr<ZstdArena> reserve(std::size_t window);
  ~ZstdArena();
  ZstdArena(const ZstdArena&) = delete;
  ZstdArena& operator=(const ZstdArena&) = delete;

  [[nodiscard]] std::size_t window() const { return window_; }

  /// Waits until nobody else is in; false if that takes longer than kPatience (looking at an event takes milliseconds,
  /// so somebody forgot to leave), `cancel` (may be null) stopped it, or there is no memory.
  [[nodiscard]] bool enter(const CancelToken* cancel);
  void leave();

  // While in:

  /// A new decoder; null if the library refuses.
  [[nodiscard]] ZSTD_DCtx_s* make_decoder();
  /// The decoder as it is now.
  [[nodiscard]] PackedBytes save() const;
  /// Puts it back. Throws std::bad_alloc.
  [[nodiscard]] ZSTD_DCtx_s* restore(const PackedBytes& saved);

 private:
  ZstdArena(std::byte* begin, std::size_t size, std::size_t window) : begin_(begin), size_(size), window_(window) {}
  void give_back();

  std::byte* begin_;
  std::size_t size_;
  std::size_t window_;
  std::mutex mutex_;
  std::condition_variable left_;
  bool occupied_ = false;
};

/// The middle of a frame.
class ZstdState final : public DecoderState {
 public:
  ZstdState(std::shared_ptr<ZstdArena> of, PackedBytes saved) : arena(std::move(of)), bytes(std::move(saved)) {}
  [[nodiscard]] std::size_t resident_bytes() const override { return bytes.resident_bytes() + sizeof(*this); }

  const std::shared_ptr<ZstdArena> arena;
  const PackedBytes bytes;
};

/// What the header of a zstd frame (RFC 8878, 3.1.1.1) says about its memory.
struct ZstdFrame {
  std::uint64_t window = 0;
  std::uint64_t text = ~std::uint64_t{0};  ///< length; all bits set: not told
};

/// From the first bytes of a frame; a window of 0 if they are too few (18 suffice) or no such frame begins there.
[[nodiscard]] ZstdFrame read_zstd_frame(std::span<const char> input);

}  // namespace warpscope::ingest
