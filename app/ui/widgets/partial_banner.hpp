#pragma once
// Banner above the Dashboard and the Timeline that warns of truncated rank files, so numbers for part of a job are not
// mistaken for the whole job.
#include <memory>
#include <string>

#include "app/ui/app_context.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

class PartialBanner {
 public:
  /// Draws the banner at the cursor, full width, and moves the cursor below it; draws nothing if all files are
  /// complete. A click shows the diagnostics.
  void draw(AppContext& app, const std::shared_ptr<const trace::Profile>& profile);
  [[nodiscard]] const std::string& text() const { return text_; }  ///< last text drawn; "": none

 private:
  std::weak_ptr<const trace::Profile> of_;
  std::string text_;
};

}  // namespace warpscope::ui
