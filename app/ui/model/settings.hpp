#pragma once
// What the program remembers between runs: a small text file, "key = value" lines, made to be read and edited by hand.
// Keys that this version does not know are kept as they are. A file that cannot be read, or has lines that cannot be
// heeded, is kept as "settings.damaged", "settings.damaged-2", …, never one over another, before it is written.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/settings/load_settings.hpp"
#include "app/settings/settings_text.hpp"
#include "app/ui/model/key_bindings.hpp"
#include "core/base/result.hpp"
#include "core/base/table_format.hpp"
#include "render/scene/palette.hpp"

namespace warpscope::ui {

enum class ThemeChoice { system, dark, light };  ///< system: dark where the system does not tell
enum class RowDensity { compact, normal, roomy };

/// Sizes are in units of the 4 px grid's px, before scaling.
struct Settings : settings::LoadSettings {
  ThemeChoice theme = ThemeChoice::system;
  float scale = 0;  ///< of the whole interface; 0: as the display asks
  RowDensity density = RowDensity::normal;
  bool wheel_zooms = false;        ///< the plain wheel zooms instead of scrolling the tracks
  bool curve_tracks = false;       ///< queue lengths and copy rates stand among the tracks
  bool all_launch_arrows = false;  ///< draw the arrows of all launches in view when they are few enough
  float rail_width = 132;
  bool rail_folded = false;
  float label_width = 304;    ///< the timeline's label column
  float bottom_height = 216;  ///< the timeline's bottom pane
  bool bottom_folded = false;
  std::int64_t default_k = 15;  ///< kernels that a panel of the dashboard tells by name
  int window_width = 1600;
  int window_height = 1000;
  std::vector<std::string> recents;  ///< paths, latest first
  /// How the dashboard of a profile is laid out: path and line (dashboard_layout.hpp), latest first.
  std::vector<std::pair<std::string, std::string>> dashboards;
  std::vector<std::string> roots;                      ///< folders whose profiles the Load page lists
  std::map<std::string, std::string> other;            ///< what this version does not know
  FigureStyle figures;                                 ///< how figures look in tables
  float font_size = 15;                                ///< of words, px before scaling; other sizes follow it
  std::string font_words;                              ///< family; empty: what the program brings
  std::string font_figures;                            ///< same
  scene::Hues hues = scene::Hues::standard;            ///< of the families of slices
  scene::Strength strength = scene::Strength::normal;  ///< of their colours
  bool close_when_idle = false;                        ///< the window closes itself when it is not used
  double idle_hours = 2;                               ///< after so long
  KeyBindings keys;                                    ///< that the user gave to commands

  friend bool operator==(const Settings&, const Settings&) = default;
};

inline constexpr std::size_t kMaxRecents = 10;
inline constexpr std::size_t kMaxDashboards = 50;
inline constexpr std::int64_t kMostK = 1'000'000;
inline constexpr std::size_t kMaxRoots = 50;
inline constexpr float kMinFontSize = 11;
inline constexpr float kMaxFontSize = 20;
inline constexpr double kLeastIdleHours = 0.05;
inline constexpr double kMostIdleHours = 168;
inline constexpr float kMinScale = 0.5f;
inline constexpr float kMaxScale = 4.0f;

/// Height of a timeline row in px before scaling: 12, 20 or 28.
[[nodiscard]] float row_height(RowDensity density);
[[nodiscard]] std::string_view to_string(ThemeChoice choice);
[[nodiscard]] std::string_view to_string(RowDensity density);

/// Puts `path` first among the recents.
void remember_recent(Settings& settings, const std::string& path);
/// Puts `path` last among the folders that are listed, if it is not there.
void remember_root(Settings& settings, const std::string& path);

/// Values out of range are clamped, words that are no value leave the default; an Error only if the text is no settings
/// file at all (bytes that are no text, lines without "=").
[[nodiscard]] Result<Settings> parse_settings(std::string_view text);
[[nodiscard]] std::string print_settings(const Settings& settings);

/// Keeps a Settings value in a file. Writes are atomic (a new file, then a rename) and wait until the value has not
/// changed for half a second, so that dragging a splitter is one write.
class SettingsFile {
 public:
  /// An empty path: nothing is read or written.
  explicit SettingsFile(std::filesystem::path path);

  struct Loaded {
    Settings settings;
    std::optional<Error> problem;  ///< the file, or lines of it, are damaged; where it is kept
  };
  [[nodiscard]] Loaded load();
  /// What load() would give, without keeping anything; the defaults if it is damaged.
  [[nodiscard]] Settings peek() const;

  using Clock = std::chrono::steady_clock;
  /// Call once a frame. Writes if a change has settled. An error is reported once.
  std::optional<Error> update(const Settings& settings, Clock::time_point now);
  /// Seconds until update() wants to be called again, if a change waits.
  [[nodiscard]] std::optional<double> due_in(Clock::time_point now) const;
  /// Writes at once what was not yet written.
  std::optional<Error> flush(const Settings& settings);

 private:
  std::filesystem::path path_;
  Settings saved_;
  Settings seen_;
  std::optional<Clock::time_point> changed_at_;
};

}  // namespace warpscope::ui
