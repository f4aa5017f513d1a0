#pragma once
// A tab of the timeline's bottom pane. What it may see and do stands in PanelContext, so that a panel knows neither the
// canvas nor the other panels. A new one is a class of this interface and a line in make_panels().
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/app_context.hpp"
#include "core/analysis/slices/range_summary.hpp"
#include "core/trace/profile.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

using analysis::LaneRef;

/// The marked range, resolved for the profile at hand.
struct SelectedRange {
  Interval time;               ///< ns, as the profile's slices; never empty
  bool all_lanes = true;       ///< every lane of every rank; `lanes` is empty then
  std::vector<LaneRef> lanes;  ///< sorted, distinct
};

/// Valid during one frame.
struct PanelContext {
  AppContext& app;
  std::shared_ptr<const trace::Profile> profile;  ///< never null
  std::optional<trace::SliceRef> selection;       ///< in `profile`
  const SelectedRange* range = nullptr;           ///< null: none is marked
  /// Another value whenever profile, marked time or marked lanes are others: for what a panel keeps about the range.
  std::uint64_t range_revision = 0;
  Interval visible;  ///< what the canvas shows, ns

  std::function<void(trace::SliceRef)> go_to;    ///< selects it and moves it to the middle of the canvas
  std::function<void(Interval)> go_to_interval;  ///< fits the canvas to it
  std::function<void(Interval)> mark;            ///< marks a range on all tracks
  std::function<void(std::string_view)> find;    ///< runs a filter expression as the find field would
};

class Panel {
 public:
  virtual ~Panel() = default;
  [[nodiscard]] virtual std::string_view id() const = 0;  ///< "connections"; also `snapshot --bottom`
  /// For the tab, with a count if one is worth it: "Connections 2".
  [[nodiscard]] virtual std::string label(const PanelContext& context) const = 0;
  /// Into the child window that is open; it scrolls by itself. Only called while the tab is chosen.
  virtual void draw(PanelContext& context) = 0;
  /// Work on other threads goes on whose result will be seen.
  [[nodiscard]] virtual bool busy() const { return false; }
  /// Lets go of the profile that was shown, so that its memory can be given back.
  virtual void forget() {}
  /// Keys and values into the object that is open.
  virtual void write_state(JsonWriter& /*writer*/, const PanelContext& /*context*/) const {}
};

/// All tabs, in order.
[[nodiscard]] std::vector<std::unique_ptr<Panel>> make_panels(AppContext& app);

/// "GPU-3 device / stream 7", and the rank before it where there are several.
[[nodiscard]] std::string track_path(const trace::Profile& profile, trace::SliceRef slice);

}  // namespace warpscope::ui
