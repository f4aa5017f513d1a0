#include "app/ui/session.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace warpscope::ui {

Session::Session(LoaderFactory loader, std::function<void()> wake)
    : make_loader_(std::move(loader)), wake_(std::move(wake)) {
  if (!wake_) wake_ = [] {};
}

Session::~Session() = default;

void Session::open(const std::filesystem::path& path) {
  close();
  identity_.reset();
  start(path);
}

void Session::open_made(std::string what, std::function<Result<std::filesystem::path>()> make) {
  if (making_.valid()) return;
  making_what_ = std::move(what);
  making_ = std::async(std::launch::async, [make = std::move(make), wake = wake_] {
    Result<std::filesystem::path> made = make();
    wake();
    return made;
  });
}

void Session::reload() {
  if (path_.empty()) return;
  choices_.watch = progress_.watching;
  loader_.reset();  // what is shown stays until the first part of the new one is there
  ++opened_;
  start(std::filesystem::path(path_));
}

void Session::start(const std::filesystem::path& path) {
  path_ = path;
  error_reported_ = false;
  loader_ = make_loader_(path, choices_, wake_);
  choices_.watch = false;
  progress_ = loader_->progress();
}

void Session::close() {
  loader_.reset();
  path_.clear();
  progress_ = {};
  growing_.clear();
  ++opened_;
  if (profile_) {
    profile_.reset();
    ++generation_;
  }
  if (identity_) clear_selection();
}

void Session::cancel() {
  if (loader_) loader_->cancel();
}

void Session::watch(bool on) {
  if (!on) error_reported_ = true;  // who stops waiting knows that nothing came
  if (loader_) loader_->watch(on);
}

Result<ingest::Kept> Session::keep_store() {
  return loader_ ? loader_->keep_store() : Result<ingest::Kept>(ingest::Kept{});
}

std::shared_ptr<const ingest::EventLookup> Session::events() const { return loader_ ? loader_->events() : nullptr; }

bool Session::update() {
  if (making_.valid() && making_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    Result<std::filesystem::path> made = making_.get();
    making_what_.clear();
    if (made) {
      open(*made);
    } else {
      error_ = made.error();
    }
  }
  if (loader_) {
    progress_ = loader_->progress();  // before the profile: "not running" then means the profile is the last one
    growing_.clear();
    for (const FileProgress& file : progress_.files)
      if (file.growing) growing_.push_back(file.path);
    std::ranges::sort(growing_);
    std::shared_ptr<const trace::Profile> latest = loader_->profile();
    if (latest && latest != profile_) {
      profile_ = std::move(latest);
      ++generation_;
      resolve_selection();
    }
    if (progress_.error && !std::exchange(error_reported_, true)) error_ = progress_.error;
  }
  return std::exchange(last_seen_, generation_) != generation_;
}

bool Session::growing(const std::string& path) const { return std::ranges::binary_search(growing_, path); }

std::string Session::name() const {
  const std::filesystem::path clean = path_.lexically_normal();
  const std::filesystem::path last = clean.has_filename() ? clean.filename() : clean.parent_path().filename();
  if (!last.empty() && last != "." && last != "..") return last.string();
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(path_, failed);
  return failed || whole.filename().empty() ? path_.string() : whole.filename().string();
}

void Session::select(trace::SliceRef slice) {
  if (!profile_) return;
  trace::SliceIdentity identity = profile_->identity(slice);
  if (identity_ == identity && selection_) return;
  identity_ = std::move(identity);
  selection_ = slice;
  ++selection_generation_;
}

void Session::select(trace::SliceIdentity identity) {
  if (identity_ == identity) return;
  identity_ = std::move(identity);
  ++selection_generation_;
  resolve_selection();
}

void Session::clear_selection() {
  if (!identity_) return;
  identity_.reset();
  selection_.reset();
  ++selection_generation_;
}

std::optional<Error> Session::take_error() { return std::exchange(error_, std::nullopt); }

void Session::resolve_selection() {
  selection_.reset();
  if (identity_ && profile_) selection_ = profile_->find(*identity_);
}

}  // namespace warpscope::ui
