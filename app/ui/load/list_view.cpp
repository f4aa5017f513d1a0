#include "app/ui/load/list_view.hpp"

#include <chrono>
#include <filesystem>
#include <ranges>

#include "app/ui/load/start_view.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/state_members.hpp"

namespace warpscope::ui {
namespace {

Ns clock_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

}  // namespace

void ListView::update(const std::vector<std::string>& roots, const Session& session) {
  scans_.set_roots(roots);
  const bool other = roots != roots_listed_;
  roots_listed_ = roots;
  const bool rows = scans_.update() || other;
  if (rows) list_.set_rows(scans_.roots());
  std::map<std::uint64_t, const trace::Profile*> learned;
  for (const OpenProfile* one : session.all()) {
    if (!one->profile || !one->profile->complete || one->progress.running || one->progress.cancelled) continue;
    const auto before = learned_from_.find(one->id);
    learned[one->id] = one->profile.get();
    if (rows || before == learned_from_.end() || before->second != one->profile.get())
      list_.learn(one->path.string(), *one->profile, one->progress.unfinished());
  }
  learned_from_ = std::move(learned);
  std::vector<std::string> paths = chosen();
  std::erase_if(paths, [&](const std::string& path) { return session.find(std::filesystem::path(path)) != nullptr; });
  estimate_.ask(paths);
}

void ListView::set_query(std::string_view query) {
  query_ = query;
  refilter();
}

void ListView::set_status(std::optional<ingest::ProfileStatus> status) {
  status_ = status;
  refilter();
}

void ListView::set_age(ListAge age) {
  age_ = age;
  refilter();
}

void ListView::refilter() { list_.set_filter({words_to_find(query_), earliest(age_, clock_now()), status_}); }

void ListView::sort_by(ListColumn column) {
  const bool figure = column != ListColumn::name && column != ListColumn::status && column != ListColumn::source &&
                      column != ListColumn::folder;
  list_.sort_by(column, list_.sorted_by() == column ? !list_.descending() : figure);
  sorting_given_ = true;
}

void ListView::move_cursor(int by) {
  if (list_.move_cursor(by)) scroll_to_cursor_ = true;
}

void ListView::toggle_check() {
  if (!list_.cursor()) return move_cursor(1);
  const std::string& path = list_.shown()[*list_.cursor()].profile.path;
  list_.check(path, !list_.checked(path));
}

std::vector<std::string> ListView::chosen() const {
  std::vector<std::string> paths = list_.checked_paths();
  if (paths.empty())
    if (const auto cursor = list_.cursor()) paths.push_back(list_.shown()[*cursor].profile.path);
  return paths;
}

std::optional<std::string> ListView::chosen_root() const {
  const std::vector<ProfileScans::Root>& roots = scans_.roots();
  if (const auto cursor = list_.cursor()) {
    const std::size_t root = list_.shown()[*cursor].root;
    if (root < roots.size()) return roots[root].path;
  }
  return roots.size() == 1 ? std::optional(roots[0].path) : std::nullopt;
}

bool ListView::clear() {
  if (!list_.checked_paths().empty()) {
    list_.clear_checks();
    return true;
  }
  if (!list_.cursor()) return false;
  list_.clear_cursor();
  return true;
}

void ListView::write_state(JsonWriter& writer) const {
  write_objects(writer, "roots", scans_.roots(), [&](const ProfileScans::Root& root) {
    writer.member("path", root.path);
    writer.member("profiles", root.profiles.size());
    writer.member("looking", root.looking);
    writer.member("problem", root.problem);
  });
  writer.member("listed", list_.all());
  writer.member("found", list_.shown().size());
  writer.member("checked", list_.checked_paths().size());
  writer.member("sorted_by", to_string(list_.sorted_by()));
  writer.member("descending", list_.descending());
  writer.member("estimate", footer_);
  writer.member("estimate_height", static_cast<double>(footer_height_));
  writer.member("load_x", static_cast<double>(load_x_));
  writer.member("load_y", static_cast<double>(load_y_));
  const auto listed = [this](const Place& place) { return place.row < list_.shown().size(); };
  write_objects(writer, "rows", places_ | std::views::filter(listed), [&](const Place& place) {
    const ingest::FoundProfile& profile = list_.shown()[place.row].profile;
    writer.member("name", profile.name);
    writer.member("path", profile.path);
    writer.member("status", ingest::to_string(profile.status));
    writer.member("reason", profile.reason);
    writer.member("created", created_text(profile));
    const auto figure = [&](const char* name, const std::optional<std::size_t>& count) {
      writer.member(name, count ? std::to_string(*count) : std::string());
    };
    figure("nodes", profile.nodes);
    figure("ranks", profile.ranks);
    figure("gpus", profile.gpus);
    writer.member("checked", list_.checked(profile.path));
    writer.member("cursor", list_.cursor() == place.row);
    writer.member("check_x", static_cast<double>(place.check_x));
    writer.member("name_x", static_cast<double>(place.name_x));
    writer.member("y", static_cast<double>(place.y));
  });
}

}  // namespace warpscope::ui
