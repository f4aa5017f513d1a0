#include "core/base/process_memory.hpp"

#include <fstream>
#include <limits>
#include <string>

namespace warpscope {

ProcessMemory process_memory() {
  ProcessMemory memory;
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word == "VmRSS:" && status >> memory.resident)
      memory.resident *= 1024;
    else if (word == "VmHWM:" && status >> memory.peak)
      memory.peak *= 1024;
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return memory;
}

}  // namespace warpscope
