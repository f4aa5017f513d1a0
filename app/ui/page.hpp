#pragma once
// A page of the rail. It draws into the window that is open: all of the space beside the rail and below the top bar,
// with no background of its own (the ground is the clear colour; fill only what must differ: full fills cost most of a
// frame where there is no GPU).
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "app/ui/app_context.hpp"
#include "core/base/time.hpp"

namespace warpscope {
class JsonWriter;
namespace trace {
class Profile;
}
}  // namespace warpscope

namespace warpscope::ui {

class Searcher;
enum class Icon;

/// What the mouse does on a page, for the help overlay: {"Zoom at the pointer", "Ctrl + wheel"}.
struct Gesture {
  std::string_view what;
  std::string_view how;
};

class Page {
 public:
  virtual ~Page() = default;
  [[nodiscard]] virtual std::string_view id() const = 0;     ///< "timeline"; also `snapshot --page`
  [[nodiscard]] virtual std::string_view label() const = 0;  ///< "Timeline"
  [[nodiscard]] virtual Icon icon() const = 0;
  /// False: greyed in the rail, cannot be shown.
  [[nodiscard]] virtual bool available() const { return true; }
  /// Takes all of ImGui::GetContentRegionAvail().
  virtual void draw(AppContext& context) = 0;
  /// Another profile came (fuller, reloaded, other, or none). Called before the next draw.
  virtual void profile_changed(AppContext& /*context*/) {}
  /// Work on other threads goes on whose result will be seen: snapshots wait for it.
  [[nodiscard]] virtual bool busy() const { return false; }
  /// Esc, when no dialog took it: true if there was something to clear.
  virtual bool escape(AppContext& /*context*/) { return false; }
  /// Restricts what it shows to a range, ns since the profile's begin; false if it has nothing to restrict.
  virtual bool restrict_to(const trace::Profile& /*profile*/, Interval /*range*/) { return false; }
  /// For the find field while this page is shown; null: there is no field.
  [[nodiscard]] virtual Searcher* searcher() { return nullptr; }
  /// Static texts.
  [[nodiscard]] virtual std::span<const Gesture> gestures() const { return {}; }
  /// What shows, for tests, into an object under the page's id.
  virtual void write_state(JsonWriter& /*writer*/) const {}
  /// The next key is for the page, which records it: no command runs.
  [[nodiscard]] virtual bool takes_keys() const { return false; }
};

/// Makes a page when the application starts; adds its commands to context.commands.
using PageFactory = std::function<std::unique_ptr<Page>(AppContext& context)>;

}  // namespace warpscope::ui
