#include "core/store/partial_copy.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/files/new_file.hpp"
#include "core/store/format.hpp"

namespace warpscope::store {

namespace {

/// Never returns 0, because 0 marks a missing block.
std::uint64_t hash_of(std::span<const std::uint8_t> bytes) { return std::max<std::uint64_t>(fnv1a(bytes), 1); }

}  // namespace

PartialCopy::PartialCopy(std::string name, Descriptor file, std::uint64_t size)
    : file_(std::move(name), std::move(file)), size_(size), states_((size + kBlock - 1) / kBlock) {}

Result<std::unique_ptr<PartialCopy>> PartialCopy::open(const std::string& path, std::uint64_t size) {
  const std::uint64_t blocks = (size + kBlock - 1) / kBlock;
  const auto whole = static_cast<::off_t>(blocks * (kBlock + kHash));
  if (!path.empty())
    if (auto file = open_regular(path, Writing::update); file && ::ftruncate(file->get(), whole) == 0) {
      static_cast<void>(::fchmod(file->get(), S_IRUSR | S_IWUSR));  // as stores
      return std::make_unique<PartialCopy>(path, std::move(*file), size);
    }
  Descriptor memory(::memfd_create("warpscope", MFD_CLOEXEC));
  if (!memory || ::ftruncate(memory.get(), whole) != 0)
    return Error{path, std::string("no room for a copy: ") + std::strerror(errno), "free memory or disk space"};
  return std::make_unique<PartialCopy>("memory", std::move(memory), size);
}

bool PartialCopy::has(std::uint64_t block) const {
  State state = states_[block].load(std::memory_order_acquire);
  if (state != State::unknown) return state == State::here;
  std::array<std::uint8_t, kHash> expected{};
  std::array<std::uint8_t, kBlock> bytes{};
  const auto content = std::span(bytes).first(length_of(block));
  std::uint64_t hash = 0;
  state = State::missing;
  if (file_.read(place_of_hash(block), expected)) {
    std::memcpy(&hash, expected.data(), kHash);
    if (hash != 0 && file_.read(block * kBlock, content) && hash_of(content) == hash) state = State::here;
  }
  State unknown = State::unknown;  // another thread may have fetched it meanwhile
  states_[block].compare_exchange_strong(unknown, state, std::memory_order_acq_rel);
  return states_[block].load(std::memory_order_acquire) == State::here;
}

bool PartialCopy::put(std::uint64_t block, std::span<const std::uint8_t> bytes) const {
  std::array<std::uint8_t, kHash> hash{};
  const std::uint64_t value = hash_of(bytes);
  std::memcpy(hash.data(), &value, kHash);
  if (!file_.write(block * kBlock, bytes) || !file_.write(place_of_hash(block), hash)) return false;
  states_[block].store(State::here, std::memory_order_release);
  return true;
}

}  // namespace warpscope::store
