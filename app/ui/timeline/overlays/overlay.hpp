#pragma once
// An overlay of the canvas: arrows, outlines, lines and labels drawn below or above the slices. To add an overlay,
// create a file that defines `const OverlaySpec kOverlay` in the namespace registered::NAME, and add NAME to the list
// below. Drawing, the legend, the command, the settings page and the setting are derived from this list. Overlays do
// not depend on the page or on each other.
#include <imgui.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/overlays/shown_path.hpp"
#include "core/trace/profile.hpp"
#include "render/scene/palette.hpp"
#include "render/scene/ribbon_scene.hpp"
#include "render/scene/steps_strip.hpp"
#include "render/scene/timeline_scene.hpp"

// Names of all overlays, in drawing order. Each is defined by registered::NAME::kOverlay.
#define WARPSCOPE_OVERLAYS(OVERLAY) \
  OVERLAY(row_lines)                \
  OVERLAY(step_boundaries)          \
  OVERLAY(marked_range)             \
  OVERLAY(pointer_line)             \
  OVERLAY(ribbons)                  \
  OVERLAY(launch_arrows)            \
  OVERLAY(critical_path)            \
  OVERLAY(counterparts)             \
  OVERLAY(selection)

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

/// The marked range, prepared for drawing.
struct DrawnRange {
  Interval time;  ///< ns, absolute
  bool all_rows = true;
  std::function<bool(const scene::Row&)> covers{};  ///< if not all_rows
  bool edge_hot = false;                            ///< the pointer is on an edge
};

/// Per-frame input from the Timeline.
struct OverlayInput {
  std::optional<trace::SliceRef> selection;
  std::optional<trace::SliceRef> hover;
  std::optional<double> pointer_x;  ///< px on the canvas
  std::optional<DrawnRange> range;
  const std::vector<scene::StepBox>* steps = nullptr;
  const ShownPath* path = nullptr;                    ///< the visible critical path, if any
  std::optional<std::uint32_t> path_link{};           ///< edge under the pointer
  std::shared_ptr<const scene::RibbonSet> ribbons{};  ///< collectives matched across ranks; null: none or not yet
  std::optional<scene::RibbonChoice> collective{};    ///< the collective of the selection
  bool has_launches = false;                          ///< the profile connects GPU activity to its launches
};

struct OverlayFrame {
  const AppContext& app;
  const scene::TimelineInput& input;  ///< its profile and layout are not null
  ImDrawList& list;
  ImVec2 at;  ///< top left corner of the canvas on the screen
  const OverlayInput& over;
};

class Overlay {
 public:
  virtual ~Overlay() = default;
  /// Draws in screen px, clipped to the canvas. Hiding an overlay destroys it together with its caches.
  virtual void draw(const OverlayFrame& frame) = 0;
  /// Draws the part of an overlay that appears below the slices. Called before draw_under_names() and draw().
  virtual void draw_below(const OverlayFrame& /*frame*/) {}
  /// Draws the part of an overlay that appears between the slices and their names. Called before draw().
  virtual void draw_under_names(const OverlayFrame& /*frame*/) {}
  /// Writes the state of the last draw as members of the Timeline's JSON object, for tests.
  virtual void write_state(JsonWriter& /*writer*/) const {}
};

struct OverlaySpec {
  enum class Plane : std::uint8_t { below, names, above };  ///< of the slices; names: between them and their names
  enum class Default : std::uint8_t { fixed, off, on };     ///< fixed: always shown; otherwise the user can toggle it

  std::string_view id;  ///< stable: "row-lines"; the key of its setting is "overlay.ID"
  Plane plane = Plane::above;
  std::unique_ptr<Overlay> (*make)() = nullptr;
  Default shown = Default::fixed;
  std::string_view name{};     ///< in the legend: "step boundaries"; empty: not in the legend
  std::string_view command{};  ///< id of the command that toggles it
  std::string_view title{};  ///< name of that command: "Toggle step boundaries"; empty: the command is added elsewhere
  std::string_view key{};    ///< default key of the command
  scene::Color scene::ThemeColors::*color = nullptr;   ///< in the legend
  bool (*active)(const OverlayInput& over) = nullptr;  ///< whether the legend currently contains it; null: always
};

/// Returns a factory for OverlaySpec::make.
template <class Kind>
[[nodiscard]] std::unique_ptr<Overlay> make_overlay() {
  return std::make_unique<Kind>();
}

namespace registered {
#define WARPSCOPE_DECLARE(name)      \
  namespace name {                   \
  extern const OverlaySpec kOverlay; \
  }
WARPSCOPE_OVERLAYS(WARPSCOPE_DECLARE)
#undef WARPSCOPE_DECLARE
}  // namespace registered

/// The overlays of the canvas, drawn in the order of their list; the user's toggles are in Settings::overlays.
class Overlays {
 public:
  /// Draws the overlays in one plane. `frame.input` may have no profile or layout.
  void draw(OverlaySpec::Plane plane, const OverlayFrame& frame);
  /// Releases the profile.
  void forget() { overlays_.clear(); }
  void write_state(JsonWriter& writer) const;
  /// Returns the overlay of this type as last drawn; null if it is hidden.
  template <class Kind>
  [[nodiscard]] const Kind* find() const {
    for (const std::unique_ptr<Overlay>& one : overlays_)
      if (const auto* found = dynamic_cast<const Kind*>(one.get())) return found;
    return nullptr;
  }

 private:
  std::vector<std::unique_ptr<Overlay>> overlays_;  // by position in the list; null: hidden
};

/// All overlays, in drawing order.
[[nodiscard]] std::span<const OverlaySpec> overlay_specs();
/// True if the user has enabled the overlay.
[[nodiscard]] bool is_shown(const OverlaySpec& spec, const Settings& settings);
void set_shown(const OverlaySpec& spec, Settings& settings, bool shown);
/// Adds the commands that toggle overlays.
void add_overlay_commands(AppContext& app);

}  // namespace warpscope::ui
