#pragma once
// "Save a report": asks for a file name and writes all of the current profile's analyses to one page on another thread.
// The caller provides the function that writes the page.
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/ui/app_context.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/widgets/path_dialog.hpp"
#include "core/base/result.hpp"

namespace warpscope::ingest {
class EventLookup;
}
namespace warpscope::trace {
class Profile;
}

namespace warpscope::ui {

struct ReportRequest {
  std::string title;  ///< page title
  std::shared_ptr<const trace::Profile> profile;
  std::shared_ptr<const ingest::EventLookup> events;  ///< arguments of its slices; may be null
  std::string kernel_rules;                           ///< user's rules from the settings
  std::filesystem::path user_folder;                  ///< see AppContext
  std::filesystem::path file;
};
/// Writes the report; leaves an existing file unchanged on failure or cancellation. Called on another thread.
using WriteReport = std::function<Failure(const ReportRequest&, const CancelToken&)>;

class ReportSaver {
 public:
  /// If `write` is empty, offered() returns false.
  explicit ReportSaver(WriteReport write);

  [[nodiscard]] bool offered() const { return write_ != nullptr; }
  /// Asks for the file name; a profile must be open.
  void ask(const AppContext& app);
  void draw(AppContext& app);
  /// Reports the result when done; cancels the report if the profile is unloaded. Call once per frame.
  void take_news(AppContext& app);
  [[nodiscard]] bool busy() const { return work_.running() || dialog_.busy(); }
  [[nodiscard]] bool is_open() const { return dialog_.is_open(); }
  void close() { dialog_.close(); }

 private:
  WriteReport write_;
  PathDialog dialog_;
  Background<Failure> work_;
  std::filesystem::path file_;  // being written
  std::uint64_t of_ = 0;        // id of the open profile
};

}  // namespace warpscope::ui
