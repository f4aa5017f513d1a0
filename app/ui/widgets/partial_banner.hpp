#pragma once
// Banner above the Dashboard and the Timeline that warns about truncated rank files, so partial numbers are not
// mistaken for job totals.
#include <memory>
#include <string>

#include "app/ui/app_context.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

class PartialBanner {
 public:
  /// Draws the banner across the full width at the cursor and moves the cursor below it; draws nothing if all files are
  /// complete. Clicking the banner shows the diagnostics.
  void draw(AppContext& app, const std::shared_ptr<const trace::Profile>& profile);
  [[nodiscard]] const std::string& text() const { return text_; }  ///< last text drawn; "": none

 private:
  std::weak_ptr<const trace::Profile> of_;
  std::string text_;
};

}  // namespace warpscope::ui
