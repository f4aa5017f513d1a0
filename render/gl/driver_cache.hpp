#pragma once
// The graphics driver's cache of compiled shaders.

namespace warpscope::gl {

/// Keeps the driver from caching shaders in the user's cache directory, unless the user's environment configures the
/// cache. Mesa maps its cache into memory, and if the disk is full, writing to it ends the program with SIGBUS; our few
/// shaders compile in milliseconds. Call before creating a context; changes the environment.
void disable_shader_cache();

}  // namespace warpscope::gl
