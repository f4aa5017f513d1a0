#pragma once
// The section of the Load page that lists the profiles below the user's folders: the folders, choices of status and
// time, the table, and the line that tells what loading the checked ones would cost.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/load/load_estimate.hpp"
#include "app/ui/load/profile_list.hpp"
#include "app/ui/load/profile_scans.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

class Session;

/// How long ago a profile was created, at most.
enum class ListAge : std::uint8_t { any, day, week, month, year };
inline constexpr std::size_t kListAges = 5;
[[nodiscard]] std::string_view to_string(ListAge age);

class ListView {
 public:
  explicit ListView(std::function<void()> wake) : scans_(wake), estimate_(wake) {}

  /// Brings the list up to date with the folders, what was found, and what loads know better. Call once a frame.
  void update(const std::vector<std::string>& roots, const Session& session);
  /// Takes the room that there is. Returns the paths to load, once.
  std::vector<std::string> draw(AppContext& context);

  /// What is typed into the find field.
  void set_query(std::string_view query);
  [[nodiscard]] const std::string& problem() const { return problem_; }
  void set_status(std::optional<ingest::ProfileStatus> status);
  void set_age(ListAge age);
  void sort_by(ListColumn column);
  void look_again() { scans_.look_again(); }
  void move_cursor(int by);
  /// Checks what the cursor is at, or takes the check away.
  void toggle_check();
  [[nodiscard]] ProfileList& list() { return list_; }
  [[nodiscard]] const ProfileList& list() const { return list_; }
  /// What "Load" loads: what is checked, else what the cursor is at.
  [[nodiscard]] std::vector<std::string> chosen() const;
  /// The folder that the cursor's profile lies below, or the only one.
  [[nodiscard]] std::optional<std::string> chosen_root() const;
  /// True if there was anything.
  bool clear();
  [[nodiscard]] bool busy() const { return scans_.looking() || estimate_.busy(); }
  void write_state(JsonWriter& writer) const;

 private:
  static constexpr float kRow = 28;  ///< px at scale 1

  struct Place {
    std::size_t row = 0;
    float check_x = 0, name_x = 0, y = 0;
  };

  void refilter();
  void draw_roots(AppContext& context);
  void draw_choices(AppContext& context);
  void draw_table(AppContext& context, float height);
  void draw_row(AppContext& context, std::size_t index);
  void tell_cost(const AppContext& context);
  void draw_footer(AppContext& context);
  void take_sorting();

  ProfileScans scans_;
  LoadEstimate estimate_;
  ProfileList list_;
  std::string query_;
  std::string problem_;  // of the query
  std::optional<ingest::ProfileStatus> status_;
  ListAge age_ = ListAge::any;
  std::vector<std::string> roots_listed_;
  std::vector<std::string> wanted_;  // to be loaded, asked for in this frame
  bool scroll_to_cursor_ = false;
  bool sorting_given_ = true;  // the table is to show another order than the one clicked
  std::string footer_;         // what the load takes, or how to choose
  bool beyond_limit_ = false;  // … more memory than may be taken
  float footer_height_ = 0;    // of its lines, px
  std::map<std::uint64_t, const trace::Profile*> learned_from_;  // by id of the session
  std::vector<Place> places_;
  float load_x_ = 0;
  float load_y_ = 0;
};

}  // namespace warpscope::ui
