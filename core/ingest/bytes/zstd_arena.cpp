#include "core/ingest/bytes/zstd_arena.hpp"

#define ZSTD_STATIC_LINKING_ONLY  // for a decoder in our own memory
#include <sys/mman.h>
#include <zstd.h>

#include <array>
#include <new>

namespace warpscope::ingest {
namespace {

constexpr std::size_t kPage = 4096;
constexpr auto kLookForCancel = std::chrono::milliseconds(20);

/// Returns the `size` bytes at `at` as a little-endian number.
std::uint64_t number_at(std::span<const char> input, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) number |= std::uint64_t{static_cast<std::uint8_t>(input[at + i])} << (8 * i);
  return number;
}

#if defined(WARPSCOPE_ZSTD_MEMORY)
std::size_t needed_for(std::size_t window) { return ZSTD_estimateDStreamSize(window); }
ZSTD_DCtx* decoder_in(void* memory, std::size_t size) { return ZSTD_initStaticDCtx(memory, size); }
#else
std::size_t needed_for(std::size_t) { return 0; }
ZSTD_DCtx* decoder_in(void*, std::size_t) { return nullptr; }
#endif

}  // namespace

bool can_save_zstd() { return needed_for(1024) > 0; }

std::shared_ptr<ZstdArena> ZstdArena::reserve(std::size_t window) {
  const std::size_t needed = needed_for(window);
  if (needed == 0 || ZSTD_isError(needed) != 0) return nullptr;
  const std::size_t size = (needed + kPage - 1) / kPage * kPage;
  void* const begin = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) return nullptr;
  return std::shared_ptr<ZstdArena>(new ZstdArena(static_cast<std::byte*>(begin), size, window));
}

ZstdArena::~ZstdArena() { ::munmap(begin_, size_); }

bool ZstdArena::enter(const CancelToken* cancel) {
  std::unique_lock lock(mutex_);
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!left_.wait_for(lock, kLookForCancel, [&] { return !occupied_; }))
    if ((cancel != nullptr && cancel->cancelled()) || std::chrono::steady_clock::now() > until) return false;
  if (::mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) return false;
  occupied_ = true;
  return true;
}

void ZstdArena::leave() {
  give_back();
  const std::lock_guard lock(mutex_);
  occupied_ = false;
  left_.notify_one();
}

/// Releases the pages and keeps the addresses.
void ZstdArena::give_back() {
  (void)::mmap(begin_, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

ZSTD_DCtx_s* ZstdArena::make_decoder() { return decoder_in(begin_, size_); }

PackedBytes ZstdArena::save() const {
  // The decoder is at the start, its buffers directly after it.
  const std::size_t used = ZSTD_sizeof_DCtx(reinterpret_cast<const ZSTD_DCtx*>(begin_));
  return PackedBytes(std::span<const std::byte>(begin_, used));
}

ZSTD_DCtx_s* ZstdArena::restore(const PackedBytes& saved) {
  saved.unpack(std::span(begin_, saved.size()));
  return reinterpret_cast<ZSTD_DCtx*>(begin_);
}

ZstdFrame read_zstd_frame(std::span<const char> input) {
  constexpr std::uint64_t kMagic = 0xfd2fb528;
  constexpr std::array<std::size_t, 4> kDictionaryBytes{0, 1, 2, 4};
  constexpr std::array<std::size_t, 4> kLengthBytes{0, 2, 4, 8};
  if (input.size() < 5 || number_at(input, 0, 4) != kMagic) return {};
  const std::uint64_t descriptor = number_at(input, 4, 1);
  const bool single = (descriptor & 0x20) != 0;  // the window is the text
  const std::size_t dictionary = kDictionaryBytes[descriptor & 3];
  const std::size_t length = single && descriptor >> 6 == 0 ? 1 : kLengthBytes[descriptor >> 6];
  const std::size_t at = 5 + (single ? 0 : 1) + dictionary;
  if (input.size() < at + length) return {};
  ZstdFrame frame;
  if (length > 0) frame.text = number_at(input, at, length) + (length == 2 ? 256 : 0);
  if (single) {
    frame.window = frame.text;
  } else {
    const std::uint64_t window = number_at(input, 5, 1);
    const std::uint64_t base = std::uint64_t{1} << (10 + (window >> 3));
    frame.window = base + base / 8 * (window & 7);
  }
  return frame;
}

}  // namespace warpscope::ingest
