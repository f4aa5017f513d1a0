#include "core/record/gpu/shared_library.hpp"

#include <dlfcn.h>

namespace warpscope::record {

SharedLibrary::SharedLibrary(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (handle_ == nullptr) handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

SharedLibrary::~SharedLibrary() {
  if (handle_ != nullptr) ::dlclose(handle_);
}

void* SharedLibrary::symbol(const char* name) const { return ::dlsym(handle_, name); }

}  // namespace warpscope::record
