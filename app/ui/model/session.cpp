#include "app/ui/model/session.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>
#include <variant>

#include "core/base/threads/caught.hpp"
#include "core/ingest/load/load_options.hpp"

namespace warpscope::ui {
namespace {

/// Normalizes a path for comparison: "runs/" equals "runs".
std::filesystem::path compared(const std::filesystem::path& path) {
  const std::filesystem::path clean = path.lexically_normal();
  return clean.has_filename() || !clean.has_relative_path() ? clean : clean.parent_path();
}

}  // namespace

Session::Session(LoaderFactory loader, std::function<void()> wake)
    : make_loader_(std::move(loader)), wake_(wake ? std::move(wake) : [] {}), unloading_(wake_) {}

Session::~Session() = default;

void Session::open(const std::filesystem::path& path) {
  if (const OpenProfile* known = find(path)) {
    make_current(known->id);
    if (known->progress.error && !known->profile) reload();
    return;
  }
  OpenProfile& one = take_in(path);
  show(&one);
  start(one);
}

std::uint64_t Session::add(const std::filesystem::path& path) {
  if (const OpenProfile* known = find(path)) return known->id;
  OpenProfile& one = take_in(path);
  if (current_ == nullptr) show(&one);
  start(one);
  return one.id;
}

void Session::open_made(std::string what, std::function<Result<std::filesystem::path>()> make) {
  if (making_.valid()) return;
  making_what_ = std::move(what);
  making_ = std::async(std::launch::async, [make = std::move(make), wake = wake_] {
    Result<std::filesystem::path> made = Error{};
    try {
      made = make();
    } catch (...) {
      made = caught("");
    }
    wake();
    return made;
  });
}

OpenProfile& Session::take_in(const std::filesystem::path& path) {
  open_.push_back(std::make_unique<OpenProfile>());
  open_.back()->id = ++last_id_;
  open_.back()->path = path;
  return *open_.back();
}

void Session::start(OpenProfile& one) {
  LoadChoices choices = choices_;
  choices_.watch = false;
  if (choices.memory_limit > 0) {
    std::uint64_t taken = 0;
    for (const auto& other : open_)
      if (other.get() != &one) taken += other->resident_bytes();
    const std::uint64_t left = choices.memory_limit > taken ? choices.memory_limit - taken : 0;
    if (taken > 0) choices.memory_limit = std::max(left, ingest::kLeastMemoryLimit);
  }
  one.error_reported = false;
  one.clocks.align_with(align_clocks_);
  one.clocks.show_recorded(recorded_clocks_);
  one.loader = make_loader_(one.path, choices, wake_);
  one.progress = one.loader->progress();
}

void Session::show(OpenProfile* one) {
  if (one == current_) return;
  const bool had_profile = profile() != nullptr;
  const bool had_selection = has_selection();
  current_ = one;
  marked_.reset();
  request_.reset();
  if (one != nullptr) one->shown = ++shown_;
  ++opened_;
  if (had_profile || profile()) profile_changed();
  if (had_selection || has_selection()) ++selection_generation_;
}

void Session::profile_changed() {
  ++generation_;
  pick(nullptr);  // the picked slices belong to the previous profile
}

void Session::make_current(std::uint64_t id) {
  if (OpenProfile* one = mutable_find(id)) show(one);
}

void Session::unload(std::uint64_t id) {
  const auto found = std::ranges::find(open_, id, [](const auto& one) { return one->id; });
  if (found == open_.end()) return;
  std::unique_ptr<OpenProfile> closed = std::move(*found);
  open_.erase(found);
  if (closed.get() == current_) {
    const auto last = std::ranges::max_element(open_, {}, [](const auto& one) { return one->shown; });
    show(last == open_.end() ? nullptr : last->get());
  }
  unloading_.add(std::move(closed));
}

void Session::reload() {
  if (current_ == nullptr) return;
  choices_.watch = progress().watching;
  // The old profile stays visible until the first part of the new one is loaded.
  auto before = std::make_unique<OpenProfile>();
  before->loader = std::move(current_->loader);
  unloading_.add(std::move(before));
  ++opened_;
  start(*current_);
}

void Session::close() { unload(current_id()); }

void Session::cancel() { cancel(current_id()); }

void Session::cancel(std::uint64_t id) {
  if (OpenProfile* one = mutable_find(id); one != nullptr && one->loader) one->loader->cancel();
}

void Session::watch(bool on) {
  if (current_ == nullptr) return;
  if (!on) current_->error_reported = true;  // a user who stops the load needs no error message
  current_->loader->watch(on);
}

void Session::mend() {
  if (current_ != nullptr) current_->loader->mend();
}

std::shared_ptr<const ingest::EventLookup> Session::events() const {
  return current_ != nullptr ? current_->loader->events() : nullptr;
}

bool Session::update() {
  if (making_.valid() && making_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    Result<std::filesystem::path> made = making_.get();
    making_what_.clear();
    if (made) {
      open(*made);
    } else {
      errors_.push_back(made.error());
    }
  }
  for (const auto& one : open_) {
    if (one->update(wake_) && one.get() == current_) profile_changed();
    if (one->progress.error && !std::exchange(one->error_reported, true)) errors_.push_back(*one->progress.error);
  }
  unloading_.update();
  if (last_seen_ == generation_) return false;
  last_seen_ = generation_;
  return true;
}

bool Session::growing(const std::string& path) const { return std::ranges::binary_search(current().growing, path); }

bool Session::unfinished(const std::string& path) const {
  return std::ranges::binary_search(current().unfinished, path);
}

std::vector<const OpenProfile*> Session::all() const {
  std::vector<const OpenProfile*> profiles;
  profiles.reserve(open_.size());
  for (const auto& one : open_) profiles.push_back(one.get());
  return profiles;
}

OpenProfile* Session::mutable_find(std::uint64_t id) const {
  const auto found = std::ranges::find(open_, id, [](const auto& one) { return one->id; });
  return found == open_.end() ? nullptr : found->get();
}

const OpenProfile* Session::find(const std::filesystem::path& path) const {
  const auto found =
      std::ranges::find_if(open_, [wanted = compared(path)](const auto& one) { return compared(one->path) == wanted; });
  return found == open_.end() ? nullptr : found->get();
}

bool Session::busy() const {
  return making_.valid() || unloading_.busy() ||
         std::ranges::any_of(open_, [](const auto& one) { return one->progress.running || one->clocks.busy(); });
}

void Session::select(trace::SliceRef slice) {
  if (current_ != nullptr && current_->select(slice)) ++selection_generation_;
}

void Session::select(trace::SliceIdentity identity) {
  if (current_ != nullptr && current_->select(std::move(identity))) ++selection_generation_;
}

void Session::go_to(TimelineRequest request) {
  if (const auto* slice = std::get_if<trace::SliceRef>(&request)) select(*slice);
  request_ = std::move(request);
}

void Session::pick(std::shared_ptr<const PickedSlices> slices) {
  if (slices == picked_) return;
  picked_ = std::move(slices);
  ++picked_generation_;
}

void Session::clear_selection() {
  if (!has_selection()) return;
  current_->clear_selection();
  ++selection_generation_;
}

std::vector<StatusNote> Session::status_notes() const {
  std::vector<StatusNote> notes = ui::status_notes(progress());
  if (auto clocks = current().clocks.note()) notes.push_back(std::move(*clocks));
  return notes;
}

void Session::show_recorded_clocks(bool recorded) {
  recorded_clocks_ = recorded;
  for (const auto& one : open_) one->clocks.show_recorded(recorded);
  wake_();
}

std::optional<Error> Session::take_error() {
  if (errors_.empty()) return std::nullopt;
  Error first = std::move(errors_.front());
  errors_.erase(errors_.begin());
  return first;
}

}  // namespace warpscope::ui
