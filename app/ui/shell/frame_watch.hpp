#pragma once
// How long frames hold the window's thread, apart from OpenGL: what makes a window feel stuck. A stretch counts as what
// passed less what the thread waited for a processor, so that a busy machine is not taken for a slow program; waiting
// for locks, files and other threads counts.
#include <string>
#include <string_view>

#include "core/base/time.hpp"

namespace warpscope::ui {

class FrameWatch {
 public:
  /// Around the work of a frame, on one thread.
  void begin();
  void end(std::string_view page);

  /// The longest frame but the first, which sets everything up.
  [[nodiscard]] Ns longest() const { return longest_; }
  /// The page that it showed.
  [[nodiscard]] const std::string& page() const { return page_; }

 private:
  Ns began_ = 0;
  Ns waited_ = 0;  // for a processor, until the frame began
  Ns longest_ = 0;
  std::string page_;
  bool first_ = true;
};

}  // namespace warpscope::ui
