#include "app/ui/shell/frame_watch.hpp"

#include <chrono>
#include <cstdio>

namespace warpscope::ui {
namespace {

Ns now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Returns how long this thread has been runnable but not running since it started; 0 if the system does not report
/// this.
Ns waited_for_processor() {
  std::FILE* file = std::fopen("/proc/thread-self/schedstat", "re");
  if (file == nullptr) return 0;
  long long ran = 0;
  long long waited = 0;
  const int read = std::fscanf(file, "%lld %lld", &ran, &waited);
  std::fclose(file);
  return read == 2 ? waited : 0;
}

}  // namespace

void FrameWatch::begin() {
  waited_ = waited_for_processor();
  began_ = now();
}

void FrameWatch::end(std::string_view page) {
  const Ns whole = now() - began_;
  if (first_) {
    first_ = false;
    return;
  }
  if (whole <= longest_) return;
  const Ns held = whole - (waited_for_processor() - waited_);
  if (held <= longest_) return;
  longest_ = held;
  page_ = page;
}

}  // namespace warpscope::ui
