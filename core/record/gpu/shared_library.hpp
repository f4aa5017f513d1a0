#pragma once
// A library loaded at run time because it ships with a driver that may not be installed on this machine.
#include <dlfcn.h>

#include <initializer_list>
#include <utility>

namespace warpscope::record {

class SharedLibrary {
 public:
  /// Loads the first library in `names` that can be opened.
  explicit SharedLibrary(std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (handle_ == nullptr) handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  ~SharedLibrary() {
    if (handle_ != nullptr) ::dlclose(handle_);
  }
  SharedLibrary(SharedLibrary&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  SharedLibrary& operator=(SharedLibrary&&) = delete;

  explicit operator bool() const { return handle_ != nullptr; }

  /// Sets `function` to the function with this name. Returns false if the library does not export it.
  template <class Function>
  bool find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(::dlsym(handle_, name));
    return function != nullptr;
  }

 private:
  void* handle_ = nullptr;
};

}  // namespace warpscope::record
