#include "core/store/store_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace warpscope::store {

Failure StoreBytes::damage() const {
  const MutexLock lock(mutex_);
  return damage_;
}

void StoreBytes::note_damage(const Error& error) const {
  const MutexLock lock(mutex_);
  if (!damage_) damage_ = error;
}

void FreeDecoder::operator()(ZSTD_DCtx_s* decoder) const { ZSTD_freeDCtx(decoder); }

Decoder StoreBytes::take_decoder() const {
  {
    const MutexLock lock(mutex_);
    if (!decoders_.empty()) {
      Decoder decoder = std::move(decoders_.back());
      decoders_.pop_back();
      return decoder;
    }
  }
  Decoder decoder(ZSTD_createDCtx());
  if (!decoder) throw std::bad_alloc();
  return decoder;
}

void StoreBytes::give_back(Decoder decoder) const {
  constexpr std::size_t kKept = 4;
  const MutexLock lock(mutex_);
  if (decoders_.size() < kKept) decoders_.push_back(std::move(decoder));
}

FileBytes::FileBytes(std::string name, int descriptor) : StoreBytes(std::move(name)), descriptor_(descriptor) {}

FileBytes::~FileBytes() { ::close(descriptor_); }

bool FileBytes::read(std::uint64_t offset, std::span<std::uint8_t> into) const {
  while (!into.empty()) {
    const ::ssize_t got = ::pread(descriptor_, into.data(), into.size(), static_cast<::off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    into = into.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return true;
}

std::uint64_t FileBytes::size() const {
  struct stat status {};
  return ::fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(std::max<::off_t>(0, status.st_size)) : 0;
}

Result<std::shared_ptr<const StoreBytes>> open_file_bytes(const std::string& path) {
  // O_NONBLOCK: do not wait for the other end if the path is a pipe.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return Error{path, std::string("cannot be opened: ") + std::strerror(errno), ""};
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return Error{path, "is not a regular file", ""};
  }
  return std::shared_ptr<const StoreBytes>(std::make_shared<FileBytes>(path, descriptor));
}

bool MemoryBytes::read(std::uint64_t offset, std::span<std::uint8_t> into) const {
  if (offset > bytes_.size() || bytes_.size() - offset < into.size()) return false;
  if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
  return true;
}

}  // namespace warpscope::store
