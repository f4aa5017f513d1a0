#pragma once
// A page listed in the rail. It draws into the current window, the area next to the rail and below the top bar. It
// draws no background, because the framebuffer is already cleared to the background color. Fill only areas that need a
// different color, because large fills dominate frame time without a GPU. To add a page, write its class, define a
// `const PageSpec kPage` in namespace registered::NAME, and add a line to app/settings/page_names.hpp. The rail, the
// commands, --page and its help use that list.
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

/// A mouse gesture on a page, listed in the help overlay: {"Zoom at the pointer", "Ctrl + wheel"}.
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
  /// Returns false if the page is grayed out in the rail and cannot be shown.
  [[nodiscard]] virtual bool available() const { return true; }
  /// Draws the page, filling ImGui::GetContentRegionAvail().
  virtual void draw(AppContext& context) = 0;
  /// Called before the next draw after the profile changes (more loaded, reloaded, replaced, or closed).
  virtual void profile_changed(AppContext& /*context*/) {}
  /// True while background work may still change the page; snapshots wait for it.
  [[nodiscard]] virtual bool busy() const { return false; }
  /// Handles Esc if no dialog did. Returns true if it cleared something.
  virtual bool escape(AppContext& /*context*/) { return false; }
  /// Restricts the page to a range, in ns since the start of the profile. Returns false if the page does not support
  /// this.
  virtual bool restrict_to(const trace::Profile& /*profile*/, Interval /*range*/) { return false; }
  /// Returns the searcher for the find field while this page is shown; null if the page has no find field.
  [[nodiscard]] virtual Searcher* searcher() { return nullptr; }
  /// Returns the page's mouse gestures; the strings are static.
  [[nodiscard]] virtual std::span<const Gesture> gestures() const { return {}; }
  /// Writes the visible state into an object under the page's id, for tests.
  virtual void write_state(JsonWriter& /*writer*/) const {}

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

/// Returns all pages, in rail order.
[[nodiscard]] std::span<const PageSpec> page_specs();
/// Returns null for an unknown name.
[[nodiscard]] const PageSpec* find_page(std::string_view name);

template <class Kind>
[[nodiscard]] std::unique_ptr<Page> make_page(AppContext& context) {
  return std::make_unique<Kind>(context);
}

/// Like PageSpec::make, but also supports pages with additional constructor arguments.
using PageFactory = std::function<std::unique_ptr<Page>(AppContext& context)>;

}  // namespace warpscope::ui
