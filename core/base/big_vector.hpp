#pragma once
// A vector for columns with millions of values. resize() leaves new values uninitialized, so the caller must fill them.
// Large buffers use huge pages when available.
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/large_memory.hpp"

namespace warpscope {

template <class T>
struct BigAllocator {
  static_assert(std::is_trivially_copyable_v<T>);
  using value_type = T;

  BigAllocator() = default;
  template <class U>
  BigAllocator(const BigAllocator<U>&) {}

  T* allocate(std::size_t count) {
    T* memory = std::allocator<T>().allocate(count);
    if (count * sizeof(T) >= kHugePage) prefer_huge_pages(memory, count * sizeof(T));
    return memory;
  }
  void deallocate(T* memory, std::size_t count) { std::allocator<T>().deallocate(memory, count); }
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
  friend bool operator==(const BigAllocator&, const BigAllocator&) { return true; }
};

template <class T>
using BigVector = std::vector<T, BigAllocator<T>>;

}  // namespace warpscope
