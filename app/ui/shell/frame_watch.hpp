#pragma once
// Measures how long frames block the UI thread, excluding OpenGL. Long frames make the window feel sluggish. Time spent
// waiting for a CPU is subtracted, so a busy machine does not make the program look slow. Time spent waiting for locks,
// files and other threads is included.
#include <string>
#include <string_view>

#include "core/base/time.hpp"

namespace warpscope::ui {

class FrameWatch {
 public:
  /// Call before a frame's work; call end() after it, on the same thread.
  void begin();
  void end(std::string_view page);

  /// Returns the duration of the longest frame, excluding the first one, which includes initialization.
  [[nodiscard]] Ns longest() const { return longest_; }
  /// Returns the page shown during the longest frame.
  [[nodiscard]] const std::string& page() const { return page_; }

 private:
  Ns began_ = 0;
  Ns waited_ = 0;  // time waiting for a CPU before the frame started
  Ns longest_ = 0;
  std::string page_;
  bool first_ = true;
};

}  // namespace warpscope::ui
