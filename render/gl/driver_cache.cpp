#include "render/gl/driver_cache.hpp"

#include <cstdlib>

namespace warpscope::gl {

void disable_shader_cache() {
  ::setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
  ::setenv("MESA_GLSL_CACHE_DISABLE", "true", 0);  // the same in older versions
  ::setenv("__GL_SHADER_DISK_CACHE", "0", 0);      // NVIDIA
}

}  // namespace warpscope::gl
