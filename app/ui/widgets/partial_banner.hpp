#pragma once
// The line above the Dashboard and the Timeline where files of ranks end early: figures that cover a part of the job
// must not be taken for all of it.
#include <memory>
#include <string>

#include "app/ui/app_context.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

class PartialBanner {
 public:
  /// Draws the line at the cursor, over the width that is there, and moves the cursor below it; nothing where all files
  /// are whole. A click shows the diagnostics.
  void draw(AppContext& app, const std::shared_ptr<const trace::Profile>& profile);
  [[nodiscard]] const std::string& text() const { return text_; }  ///< drawn last; "": none

 private:
  std::weak_ptr<const trace::Profile> of_;
  std::string text_;
};

}  // namespace warpscope::ui
