#pragma once
// A zstd decoder whose state can be saved. zstd has no call for that, but can keep all its data in one block of memory
// (ZSTD_initStaticDCtx): its tables, the window, and input not yet decoded. A copy of those bytes, restored at the same
// addresses because they contain pointers to each other, is the decoder as it was.
//
// So the addresses stay reserved while saved states exist, and only one decoder at a time can use them: users enter and
// leave. While unused, the pages are returned to the system.
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

/// Returns whether this build of zstd accepts external memory.
[[nodiscard]] bool can_save_zstd();

class ZstdArena {
 public:
  static constexpr auto kPatience = std::chrono::milliseconds(500);

  /// Reserves room for decoding frames with windows of up to `window` bytes. Null if no addresses are available.
  static std::shared_ptr<ZstdArena> reserve(std::size_t window);
  ~ZstdArena();
  ZstdArena(const ZstdArena&) = delete;
  ZstdArena& operator=(const ZstdArena&) = delete;

  [[nodiscard]] std::size_t window() const { return window_; }

  /// Waits until the arena is free. Returns false if that takes longer than kPatience (viewing an event takes
  /// milliseconds, so a longer wait means a caller forgot to leave), `cancel` (may be null) was cancelled, or memory is
  /// exhausted.
  [[nodiscard]] bool enter(const CancelToken* cancel);
  void leave();

  // After enter():

  /// Returns a new decoder; null if the library fails.
  [[nodiscard]] ZSTD_DCtx_s* make_decoder();
  /// Saves the decoder's current state.
  [[nodiscard]] PackedBytes save() const;
  /// Restores a saved state. Throws std::bad_alloc.
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

/// The memory requirements in the header of a zstd frame (RFC 8878, 3.1.1.1).
struct ZstdFrame {
  std::uint64_t window = 0;
  std::uint64_t text = ~std::uint64_t{0};  ///< length of the text; all bits set: unknown
};

/// Parses the first bytes of a frame; a window of 0 if they are too few (18 suffice) or no such frame starts there.
[[nodiscard]] ZstdFrame read_zstd_frame(std::span<const char> input);

}  // namespace warpscope::ingest
