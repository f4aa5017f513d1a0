#pragma once
// Which panels the dashboard shows, in which order and how each is set: a value without any drawing, kept for each
// profile as one line of the settings file.
//
//   kernel_time,k=20;-cpu_active_time;step_time,log_y;histogram,name=Forward,side=gpu
//
// Panels are parted by ";", their settings by ","; "-" in front hides one. What is none of a panel's settings is passed
// over, a panel that this version does not know too; one that the line does not name stands where it stands by default.
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
  std::string id;  ///< of a panel of panel_specs(); a histogram that the user made: "histogram"
  bool hidden = false;
  std::optional<std::int64_t> k{};  ///< how many by name; else the settings' default
  std::size_t choice = 0;           ///< index of the panel's choices
  bool log_x = false;
  bool log_y = false;
  Ns bin_width = 0;  ///< of a histogram; 0: automatic
  // Of a histogram that the user made:
  std::string annotation{};  ///< family, name or part of a name
  bool gpu = false;          ///< its shadows on the device instead of the host's
  std::string ranks{};       ///< "0,3-5"; empty: the dashboard's

  [[nodiscard]] bool made() const { return id == kMadeHistogram; }
  friend bool operator==(const PanelState&, const PanelState&) = default;

  static constexpr std::string_view kMadeHistogram = "histogram";
};

class DashboardLayout {
 public:
  /// All panels of panel_specs() in their order, none hidden.
  DashboardLayout();
  [[nodiscard]] static DashboardLayout parse(std::string_view line);
  [[nodiscard]] std::string print() const;

  [[nodiscard]] const std::vector<PanelState>& panels() const { return panels_; }
  [[nodiscard]] PanelState& at(std::size_t index) { return panels_[index]; }
  /// Indices of those that show.
  [[nodiscard]] std::vector<std::size_t> shown() const;
  /// Index of the first panel with that id.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const;

  /// Moves a panel by `direction` (-1, +1) among those that show; false if it is at the end.
  bool move(std::size_t index, int direction);
  /// Puts a panel where another one stands; those between move up or down by one.
  void place(std::size_t index, std::size_t before);
  /// Adds a histogram at the end and returns its index; if the same one is there, that one's, shown.
  std::size_t add_histogram(std::string annotation, bool gpu, std::string ranks);
  /// Only of histograms that the user made.
  void remove(std::size_t index);

  friend bool operator==(const DashboardLayout&, const DashboardLayout&) = default;

 private:
  std::vector<PanelState> panels_;
};

/// The layouts that are remembered: path of a profile and its line, latest first.
using RememberedLayouts = decltype(Settings::dashboards);

[[nodiscard]] DashboardLayout remembered_layout(const RememberedLayouts& layouts, std::string_view path);
/// Puts it first; the default layout is not kept. At most kMaxDashboards are.
void remember_layout(RememberedLayouts& layouts, std::string_view path, const DashboardLayout& layout);

}  // namespace warpscope::ui
