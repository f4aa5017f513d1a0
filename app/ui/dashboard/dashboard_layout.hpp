#pragma once
// The Dashboard's panels with their order and settings. A plain value type with no drawing code, stored per profile as
// one line in the settings file.
//
//   kernel_time,k=20;-cpu_active_time;step_time,log_y;histogram,name=Forward,side=gpu
//
// ";" separates panels, "," separates settings, and a leading "-" hides a panel. Unknown settings and unknown panels
// are ignored. Panels missing from the line appear at their default position.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/model/settings.hpp"
#include "core/base/time.hpp"

namespace warpscope::ui {

struct PanelState {
  std::string id;  ///< id of a panel in panel_specs(); "histogram" if created by the user
  bool hidden = false;
  std::optional<std::int64_t> k{};  ///< number of names to list; empty: default from the settings
  std::size_t choice = 0;           ///< index in the panel's choices
  bool log_x = false;
  bool log_y = false;
  Ns bin_width = 0;  ///< ns, of a histogram; 0: automatic
  // Only for user-created histograms:
  std::string annotation{};  ///< family, name or part of a name
  bool gpu = false;          ///< annotations on the GPU instead of the host
  std::string ranks{};       ///< "0,3-5"; empty: ranks of the Dashboard

  [[nodiscard]] bool made() const { return id == kMadeHistogram; }
  friend bool operator==(const PanelState&, const PanelState&) = default;

  static constexpr std::string_view kMadeHistogram = "histogram";
};

class DashboardLayout {
 public:
  /// Creates all panels from panel_specs(), in order and visible.
  DashboardLayout();
  [[nodiscard]] static DashboardLayout parse(std::string_view line);
  [[nodiscard]] std::string print() const;

  [[nodiscard]] const std::vector<PanelState>& panels() const { return panels_; }
  [[nodiscard]] PanelState& at(std::size_t index) { return panels_[index]; }
  /// Returns the indices of the visible panels.
  [[nodiscard]] std::vector<std::size_t> shown() const;
  /// Returns the index of the first panel with this id.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const;

  /// Moves a panel one position back (-1) or forward (+1). `order`: indices of the panels on the page. Returns false if
  /// the panel is already first or last.
  bool move(std::size_t index, int direction, const std::vector<std::size_t>& order);
  /// Moves a panel to another panel's position. The panels in between shift by one position.
  void place(std::size_t index, std::size_t before);
  /// Appends a histogram, or unhides an identical one if it exists. Returns the histogram's index.
  std::size_t add_histogram(std::string annotation, bool gpu, std::string ranks);
  /// Removes a user-created histogram; no-op for other panels.
  void remove(std::size_t index);

  friend bool operator==(const DashboardLayout&, const DashboardLayout&) = default;

 private:
  std::vector<PanelState> panels_;
};

/// Stored layouts as (profile path, line) pairs, newest first.
using RememberedLayouts = decltype(Settings::dashboards);

[[nodiscard]] DashboardLayout remembered_layout(const RememberedLayouts& layouts, std::string_view path);
/// Stores a layout at the front of the list unless it is the default layout. Keeps at most kMaxDashboards layouts.
void remember_layout(RememberedLayouts& layouts, std::string_view path, const DashboardLayout& layout);

}  // namespace warpscope::ui
