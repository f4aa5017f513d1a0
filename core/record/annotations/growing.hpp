#pragma once
// A growable array of values that need no destructor. Reports allocation failures instead of throwing: the library does
// not use the C++ runtime, and its host program must keep running.
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace warpscope::annotations {

template <class T>
class Growing {
 public:
  Growing() = default;
  ~Growing() { std::free(items_); }
  Growing(const Growing&) = delete;
  Growing& operator=(const Growing&) = delete;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const T* data() const { return items_; }
  [[nodiscard]] const T& back() const { return items_[size_ - 1]; }
  void shrink(std::size_t size) { size_ = size; }

  /// Returns the place for `count` more items; null if out of memory. Call grow() after writing them.
  T* room_for(std::size_t count) {
    if (size_ + count > room_) {
      const std::size_t room = (size_ + count) * 2;
      void* const larger = std::realloc(static_cast<void*>(items_), room * sizeof(T));
      if (larger == nullptr) return nullptr;
      items_ = static_cast<T*>(larger);
      room_ = room;
    }
    return items_ + size_;
  }
  void grow(std::size_t count) { size_ += count; }
  /// Returns false and adds nothing if out of memory.
  bool append(const T* items, std::size_t count) {
    T* const at = room_for(count);
    if (at == nullptr) return count == 0;
    if (count > 0) std::memcpy(static_cast<void*>(at), items, count * sizeof(T));
    grow(count);
    return true;
  }
  bool append(const T& item) { return append(&item, 1); }

 private:
  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

}  // namespace warpscope::annotations
