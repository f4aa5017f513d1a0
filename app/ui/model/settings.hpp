#pragma once
// Settings saved between runs in a small text file of "key = value" lines, editable by hand. Unknown keys are
// preserved. A file that cannot be read or has invalid lines is never overwritten.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/settings/load_settings.hpp"
#include "app/settings/settings_text.hpp"
#include "core/base/result.hpp"
#include "render/scene/palette.hpp"

namespace warpscope::ui {

enum class ThemeChoice { dark, light };
enum class RowDensity { compact, normal, roomy };

/// Sizes are in px on the 4 px grid, before scaling.
struct Settings : settings::LoadSettings {
  ThemeChoice theme = ThemeChoice::dark;
  float scale = 0;  ///< whole interface; 0: use the display's scale
  RowDensity density = RowDensity::normal;
  bool wheel_zooms = false;   ///< the wheel without modifiers zooms instead of scrolling tracks
  bool curve_tracks = false;  ///< show queue depth and memcpy bandwidth as tracks
  /// Visibility of Timeline overlays that the user toggled, by id (timeline/overlays/overlay.hpp).
  std::map<std::string, bool, std::less<>> overlays;
  bool rail_folded = false;
  float label_width = 304;    ///< label column of the timeline
  float bottom_height = 216;  ///< bottom pane of the timeline
  bool bottom_folded = false;
  float query_height = 148;   ///< editor of the Query page
  int window_width = 1600;
  int window_height = 1000;
  std::vector<std::string> recents;          ///< paths, most recent first
  std::vector<std::string> roots;            ///< folders listed on the Load page
  std::map<std::string, std::string> other;  ///< keys unknown to this version
  scene::Hues hues = scene::Hues::standard;  ///< colors of slice families

  friend bool operator==(const Settings&, const Settings&) = default;
};

inline constexpr std::size_t kMaxRecents = 10;
inline constexpr std::size_t kMaxRoots = 50;
inline constexpr float kMinScale = 0.5f;
inline constexpr float kMaxScale = 4.0f;

/// Moves `path` to the front of the recent paths.
void remember_recent(Settings& settings, const std::string& path);
/// Adds `path` to the Load page's folders unless it is already listed.
void remember_root(Settings& settings, const std::string& path);

/// Clamps out-of-range numbers and uses defaults for other invalid values. Appends an Error to `wrong` (may be null)
/// for each such line. Fails only if the text is not a settings file (binary data, lines without "=").
[[nodiscard]] Result<Settings> parse_settings(std::string_view text, std::vector<Error>* wrong = nullptr);
[[nodiscard]] std::string print_settings(const Settings& settings);

/// Saves the settings to a file. Writes are atomic (new file, then rename) and delayed until the settings have been
/// stable for half a second, so dragging a splitter causes only one write.
class SettingsFile {
 public:
  /// With an empty path, nothing is read or written.
  explicit SettingsFile(std::filesystem::path path);

  struct Loaded {
    Settings settings;
    std::optional<Error> problem;  ///< the file or some lines are invalid; nothing is saved then
  };
  [[nodiscard]] Loaded load();
  /// Like load(), but returns defaults if the file is invalid, and changes nothing.
  [[nodiscard]] Settings peek() const;

  using Clock = std::chrono::steady_clock;
  /// Call once per frame. Writes changes after they settle. Reports each error once.
  std::optional<Error> update(const Settings& settings, Clock::time_point now);
  /// Returns the number of seconds until the next update() is needed, if a change is pending.
  [[nodiscard]] std::optional<double> due_in(Clock::time_point now) const;
  /// Writes pending changes immediately.
  std::optional<Error> flush(const Settings& settings);

 private:
  std::filesystem::path path_;
  Settings saved_;
  Settings seen_;
  std::optional<Clock::time_point> changed_at_;
};

}  // namespace warpscope::ui
