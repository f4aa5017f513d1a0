#pragma once
// A page of the rail. It draws into the current window: the space next to the rail and below the top bar, without a
// background of its own: the framebuffer is already cleared to the background color. Fill only where the color must
// differ, because large fills dominate frame time without a GPU. To add one, write its class with a `const PageSpec
// kPage` in the namespace registered::NAME and add its line in app/settings/page_names.hpp. The rail, the commands,
// --page and its help use that list.
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "app/settings/page_names.hpp"
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

/// A mouse gesture of a page, for the help overlay: {"Zoom at the pointer", "Ctrl + wheel"}.
struct Gesture {
  std::string_view what;
  std::string_view how;
};

class Page;

struct PageSpec {
  std::string_view name;   ///< "timeline"; also `--page`
  std::string_view title;  ///< "Timeline"
  Icon icon;
  /// Creates the page at startup; its constructor adds its commands to context.commands.
  std::unique_ptr<Page> (*make)(AppContext& context);
  bool needs_profile = true;
};

class Page {
 public:
  explicit Page(const PageSpec& spec) : spec_(spec) {}
  virtual ~Page() = default;
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  [[nodiscard]] const PageSpec& spec() const { return spec_; }
  [[nodiscard]] std::string_view id() const { return spec_.name; }
  /// False: grayed out in the rail and cannot be shown.
  [[nodiscard]] virtual bool available() const { return true; }
  /// Uses all of ImGui::GetContentRegionAvail().
  virtual void draw(AppContext& context) = 0;
  /// The profile changed (more loaded, reloaded, replaced, or closed). Called before the next draw.
  virtual void profile_changed(AppContext& /*context*/) {}
  /// True while background work will still change the page; snapshots wait for it.
  [[nodiscard]] virtual bool busy() const { return false; }
  /// Handles Esc if no dialog did; true if something was cleared.
  virtual bool escape(AppContext& /*context*/) { return false; }
  /// Restricts the page to a range, in ns since the start of the profile; false if the page cannot be restricted.
  virtual bool restrict_to(const trace::Profile& /*profile*/, Interval /*range*/) { return false; }
  /// Searcher for the find field while this page is shown; null: no find field.
  [[nodiscard]] virtual Searcher* searcher() { return nullptr; }
  /// Static strings.
  [[nodiscard]] virtual std::span<const Gesture> gestures() const { return {}; }
  /// Writes the visible state for tests into an object under the page's id.
  virtual void write_state(JsonWriter& /*writer*/) const {}
  /// True while the page records the next key; commands do not run then.
  [[nodiscard]] virtual bool takes_keys() const { return false; }

 private:
  const PageSpec& spec_;
};

namespace registered {
#define WARPSCOPE_DECLARE(name) \
  namespace name {              \
  extern const PageSpec kPage;  \
  }
WARPSCOPE_PAGES(WARPSCOPE_DECLARE)
#undef WARPSCOPE_DECLARE
}  // namespace registered

/// All pages, in the order of the rail.
[[nodiscard]] std::span<const PageSpec> page_specs();
/// Null for an unknown name.
[[nodiscard]] const PageSpec* find_page(std::string_view name);

template <class Kind>
[[nodiscard]] std::unique_ptr<Page> make_page(AppContext& context) {
  return std::make_unique<Kind>(context);
}

/// Like PageSpec::make, but also for pages whose constructors take more arguments.
using PageFactory = std::function<std::unique_ptr<Page>(AppContext& context)>;

}  // namespace warpscope::ui
