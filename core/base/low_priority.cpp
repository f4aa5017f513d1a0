#include "core/base/low_priority.hpp"

#if defined(__linux__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace warpscope {

void lower_priority_of_this_thread() {
#if defined(__linux__)
  // On Linux both are properties of a thread; 0 means the calling thread.
  constexpr int kNice = 7;
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, kNice));
#if defined(SYS_ioprio_set)
  constexpr int kWhoProcess = 1;
  constexpr int kLeastOfBestEffort = 2 << 13 | 7;
  static_cast<void>(::syscall(SYS_ioprio_set, kWhoProcess, 0, kLeastOfBestEffort));
#endif
#endif
}

}  // namespace warpscope
