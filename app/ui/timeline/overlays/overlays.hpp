#pragma once
// The overlays of the canvas, drawn in the order of their list; the user's toggles are in Settings::overlays.
#include <memory>
#include <span>
#include <vector>

#include "app/ui/timeline/overlays/overlay.hpp"

namespace warpscope::ui {

struct Settings;

class Overlays {
 public:
  /// Draws the overlays of a plane. `frame.input` may lack profile and layout.
  void draw(OverlaySpec::Plane plane, const OverlayFrame& frame);
  /// Releases the profile.
  void forget() { overlays_.clear(); }
  void write_state(JsonWriter& writer) const;
  /// The overlay of this class as last drawn; null if it is hidden.
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
/// True if the user wants to see the overlay.
[[nodiscard]] bool is_shown(const OverlaySpec& spec, const Settings& settings);
void set_shown(const OverlaySpec& spec, Settings& settings, bool shown);
/// Adds the commands that toggle overlays.
void add_overlay_commands(AppContext& app);

}  // namespace warpscope::ui
