#pragma once
// "Save a report": everything that is told of the profile shown, as one page in a file. It is asked for where, then
// written on another thread; how a page is made is not this layer's business.
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/ui/app_context.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/widgets/save_dialog.hpp"
#include "core/base/result.hpp"

namespace warpscope::ingest {
class EventLookup;
}
namespace warpscope::trace {
class Profile;
}

namespace warpscope::ui {

struct ReportWish {
  std::string title;  ///< of the page
  std::shared_ptr<const trace::Profile> profile;
  std::shared_ptr<const ingest::EventLookup> events;  ///< its slices' arguments; may be null
  std::string kernel_rules;                           ///< the user's, as in the settings
  std::filesystem::path file;
};
/// Writes the report; what was there before stays if it fails or is cancelled. Called on another thread.
using WriteReport = std::function<Failure(const ReportWish&, const CancelToken&)>;

class ReportSaver {
 public:
  /// `write` may be empty: then no report is offered.
  explicit ReportSaver(WriteReport write);

  [[nodiscard]] bool offered() const { return write_ != nullptr; }
  /// Asks where; there must be a profile.
  void ask(const AppContext& app);
  void draw(AppContext& app);
  /// Says what came of it, once it is done; stops it if the profile was unloaded. Call each frame.
  void take_news(AppContext& app);
  [[nodiscard]] bool busy() const { return work_.running(); }
  [[nodiscard]] bool is_open() const { return dialog_.is_open(); }
  void close() { dialog_.close(); }

 private:
  WriteReport write_;
  SaveDialog dialog_;
  Background<Failure> work_;
  std::filesystem::path file_;  // that is being written
  std::uint64_t of_ = 0;        // of which open profile
};

}  // namespace warpscope::ui
