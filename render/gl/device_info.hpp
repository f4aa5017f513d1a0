#pragma once
// What draws: the Information page and bug reports name it, because pictures differ between drivers.
#include <string>

namespace warpscope::gl {

/// As the driver names itself; a string that it does not give is empty.
struct DeviceInfo {
  std::string vendor;
  std::string renderer;
  std::string version;
  std::string shading_language;
};

/// Of the current context; one must be current.
DeviceInfo device_info();

}  // namespace warpscope::gl
