#pragma once
// The OpenGL driver, for the Information page and bug reports, because pictures differ between drivers.
#include <string>

namespace warpscope::gl {

/// Strings from the driver; a missing string is empty.
struct DeviceInfo {
  std::string vendor;
  std::string renderer;
  std::string version;
  std::string shading_language;
};

/// Reads the current context; one must be current.
DeviceInfo device_info();

}  // namespace warpscope::gl
