#pragma once
// Owns a file descriptor.
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace warpscope {

class Descriptor {
 public:
  /// Takes ownership of `number`; a negative number means no descriptor.
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  explicit operator bool() const { return number_ >= 0; }
  [[nodiscard]] int get() const { return number_; }
  /// True if `path` still refers to the open file.
  [[nodiscard]] bool is_at(const char* path) const {
    struct stat own {};
    struct stat there {};
    return ::fstat(number_, &own) == 0 && ::stat(path, &there) == 0 && own.st_ino == there.st_ino &&
           own.st_dev == there.st_dev;
  }

 private:
  int number_;
};

}  // namespace warpscope
