#pragma once
// Saves the marked range as traces (core/ingest/write/trace_writer.hpp): asks for a file, or a folder if the range
// covers several ranks, and writes on another thread. Never replaces a file.
#include <string>

#include "app/ui/model/background.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/path_dialog.hpp"

namespace warpscope::ui {

class RangeSaver {
 public:
  /// Opens the dialog for the marked range.
  void ask(const PanelContext& context);
  /// Draws the dialog while it is open, and reports the result when it is there.
  void draw(PanelContext& context);
  [[nodiscard]] bool writing() const { return work_.running(); }
  /// True while background work may still change the dialog or the result.
  [[nodiscard]] bool busy() const { return writing() || dialog_.busy(); }
  /// Cancels writing.
  void stop();

 private:
  PathDialog dialog_{"##save_range"};
  bool anonymize_ = false;
  Background<Result<std::string>> work_;
};

}  // namespace warpscope::ui
