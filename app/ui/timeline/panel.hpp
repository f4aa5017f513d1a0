#pragma once
// A tab in the timeline's bottom pane. Panels use only PanelContext and do not depend on the canvas or on other panels.
// To add a tab, write its class, define `const TabSpec kTab` in the namespace registered::NAME, and add NAME to the
// list below. The tab and its command are derived from that list.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/app_context.hpp"
#include "core/analysis/ranks/rank_comparison.hpp"
#include "core/analysis/slices/range_summary.hpp"
#include "core/trace/profile.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

using analysis::LaneRef;
struct ChosenCollective;

/// The marked range, resolved for the current profile.
struct SelectedRange {
  Interval time;               ///< ns, as in the profile's slices; never empty
  bool all_lanes = true;       ///< all lanes of all ranks; `lanes` is then empty
  std::vector<LaneRef> lanes;  ///< sorted, distinct
};

/// Valid for one frame.
struct PanelContext {
  AppContext& app;
  std::shared_ptr<const trace::Profile> profile;  ///< never null
  std::optional<trace::SliceRef> selection;       ///< in `profile`
  const SelectedRange* range = nullptr;           ///< null: no range marked
  /// Cache key for range results; changes with the profile, the marked time or the marked lanes.
  std::uint64_t range_revision = 0;
  bool save_range = false;  ///< the command to save the range was chosen
  const ChosenCollective* collective = nullptr;  ///< of the selection; null: not a communication kernel, or `matching`
  bool matching = false;                         ///< ranks are still being matched
  std::string_view unmatched{};                  ///< why the ranks could not be matched; "" on success

  std::function<void(trace::SliceRef)> go_to{};    ///< selects a slice and centers it
  std::function<void(Interval)> go_to_interval{};  ///< fits the canvas to an interval
  std::function<void(std::string_view)> find{};    ///< runs a filter expression in the find field
};

class Panel {
 public:
  virtual ~Panel() = default;
  /// Tab label, with a count if useful: "Connections 2".
  [[nodiscard]] virtual std::string label(const PanelContext& context) const = 0;
  /// Draws into the current child window, which scrolls automatically. Called only while the tab is selected.
  virtual void draw(PanelContext& context) = 0;
  /// True while background work may still change the panel.
  [[nodiscard]] virtual bool busy() const { return false; }
  /// Releases the profile, so its memory can be freed.
  virtual void forget() {}
  /// Writes the panel's state as members of the current JSON object, for tests.
  virtual void write_state(JsonWriter& /*writer*/, const PanelContext& /*context*/) const {}
};

struct TabSpec {
  std::string_view name;     ///< "connections"
  std::string_view command;  ///< name of the command that shows it: "Show the connections"
  std::unique_ptr<Panel> (*make)();
};

// One line per tab, left to right.
#define WARPSCOPE_TABS(TAB) \
  TAB(selection)            \
  TAB(connections)          \
  TAB(collective)           \
  TAB(range)

namespace registered {
#define WARPSCOPE_DECLARE(name) \
  namespace name {              \
  extern const TabSpec kTab;    \
  }
WARPSCOPE_TABS(WARPSCOPE_DECLARE)
#undef WARPSCOPE_DECLARE
}  // namespace registered

template <class Kind>
[[nodiscard]] std::unique_ptr<Panel> make_panel() {
  return std::make_unique<Kind>();
}

/// All tabs, from left to right.
[[nodiscard]] std::span<const TabSpec> tab_specs();

/// Returns a path such as "GPU-3 device / stream 7", prefixed with the rank if there is more than one.
[[nodiscard]] std::string track_path(const trace::Profile& profile, trace::SliceRef slice);

}  // namespace warpscope::ui
