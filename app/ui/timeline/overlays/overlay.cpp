#include "app/ui/timeline/overlays/overlay.hpp"

#include <array>
#include <string>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/settings.hpp"

namespace warpscope::ui {

std::span<const OverlaySpec> overlay_specs() {
#define WARPSCOPE_LIST(name) registered::name::kOverlay,
  static const std::array kAll{WARPSCOPE_OVERLAYS(WARPSCOPE_LIST)};
#undef WARPSCOPE_LIST
  return kAll;
}

bool is_shown(const OverlaySpec& spec, const Settings& settings) {
  if (spec.shown == OverlaySpec::Default::fixed) return true;
  const auto chosen = settings.overlays.find(spec.id);
  return chosen != settings.overlays.end() ? chosen->second : spec.shown == OverlaySpec::Default::on;
}

void set_shown(const OverlaySpec& spec, Settings& settings, bool shown) {
  settings.overlays.insert_or_assign(std::string(spec.id), shown);
}

void add_overlay_commands(AppContext& app) {
  const CommandGroup add(app.commands, "View");
  for (const OverlaySpec& spec : overlay_specs()) {
    if (spec.title.empty()) continue;
    const auto toggle = [&spec, &settings = app.settings] { set_shown(spec, settings, !is_shown(spec, settings)); };
    if (spec.key.empty())
      add(std::string(spec.command), std::string(spec.title), {}, toggle);
    else
      add(std::string(spec.command), std::string(spec.title), {spec.key}, toggle);
  }
}

void Overlays::draw(OverlaySpec::Plane plane, const OverlayFrame& frame) {
  if (!frame.input.profile || !frame.input.layout) return forget();
  const std::span<const OverlaySpec> specs = overlay_specs();
  overlays_.resize(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (!is_shown(specs[i], frame.app.settings)) {
      overlays_[i].reset();
      continue;
    }
    if (!overlays_[i]) overlays_[i] = specs[i].make();
    if (specs[i].plane == plane)
      overlays_[i]->draw(frame);
    else if (plane == OverlaySpec::Plane::below)
      overlays_[i]->draw_below(frame);
    else if (plane == OverlaySpec::Plane::names)
      overlays_[i]->draw_under_names(frame);
  }
}

void Overlays::write_state(JsonWriter& writer) const {
  for (const std::unique_ptr<Overlay>& one : overlays_)
    if (one) one->write_state(writer);
}

}  // namespace warpscope::ui
