#include "app/ui/timeline/timeline_search.hpp"

#include <algorithm>
#include <utility>

#include "app/ui/model/session.hpp"
#include "app/ui/widgets/messages.hpp"
#include "core/trace/resident_only.hpp"

namespace warpscope::ui {
namespace {

constexpr double kTypingPause = 0.12;         // s without typing before a search starts
constexpr std::size_t kMostHits = 4'000'000;  // limit on hits for stepping and highlighting: 23 bytes each

}  // namespace

TimelineSearch::TimelineSearch(AppContext& app, SearchHooks hooks) : app_(app), hooks_(std::move(hooks)) {}

void TimelineSearch::search(std::string_view query) {
  if (query == query_) return;
  query_ = query;
  restart(query_.empty() ? 0 : kTypingPause);
}

void TimelineSearch::add_filter(std::string_view query) {
  if (const auto parsed = parse_filter(query); !parsed.ok()) {
    app_.messages.error(parsed.error());
    return;
  }
  filters_.emplace_back(query);
  restart(0);
}

void TimelineSearch::set_requested(std::string_view query) {
  if (parse_filter(query).ok()) {
    drop_requested();
    requested_ = query;
    std::erase(filters_, requested_);
  }
  add_filter(query);
  goes_there_ = status_.running;
}

bool TimelineSearch::has_requested() const { return !requested_.empty() || app_.session.picked() != nullptr; }

void TimelineSearch::drop_requested() {
  if (!has_requested()) return;
  std::erase(filters_, std::exchange(requested_, {}));
  app_.session.pick(nullptr);
  picked_seen_ = app_.session.picked_generation();
  restart(0);
}

std::vector<std::string> TimelineSearch::filters() const {
  std::vector<std::string> all = filters_;
  if (const auto& picked = app_.session.picked()) all.push_back(picked->label);
  return all;
}

void TimelineSearch::remove_filter(std::size_t index) {
  if (index == filters_.size()) app_.session.pick(nullptr);
  if (index >= filters_.size()) return;
  if (filters_[index] == requested_) requested_.clear();
  filters_.erase(filters_.begin() + static_cast<std::ptrdiff_t>(index));
  restart(0);
}

void TimelineSearch::clear_filters() {
  drop_requested();
  if (filters_.empty()) return;
  filters_.clear();
  restart(0);
}

void TimelineSearch::profile_changed() {
  work_.stop();
  hits_.clear();
  restart(0);
}

Result<Filter> TimelineSearch::joined() const {
  // Parse the query separately first, so that error positions refer to the typed text.
  const auto typed = parse_filter(query_);
  if (!typed.ok()) return typed.error();
  std::string all;
  const auto add = [&all](const std::string& part) {
    if (part.find_first_not_of(' ') != std::string::npos) all += (all.empty() ? "(" : " and (") + part + ")";
  };
  for (const std::string& filter : filters_) add(filter);
  add(query_);
  return parse_filter(all);
}

void TimelineSearch::restart(double delay) {
  work_.stop();
  due_.reset();
  goes_there_ = false;
  status_ = {};
  const auto filter = joined();
  if (!filter.ok()) {
    status_.error = filter.error().message();
    return;  // keep the previous results while the query is being typed
  }
  hits_.clear();
  if ((filter->passes_all() && !app_.session.picked()) || !app_.session.profile()) {
    hooks_.show(nullptr);
    return;
  }
  status_.running = true;
  due_ = app_.now + delay;
}

void TimelineSearch::update() {
  if (picked_seen_ != app_.session.picked_generation()) {
    picked_seen_ = app_.session.picked_generation();
    restart(0);
  }
  if (due_) {
    app_.keep_drawing();
    if (app_.now >= *due_) start();
  }
  if (auto found = work_.take()) {
    status_.running = false;
    status_.count = found->total;
    status_.current = 0;
    hits_ = std::move(found->slices);
    const std::shared_ptr<const scene::Highlight> highlight = std::move(found->highlight);
    hooks_.show(highlight);
    if (std::exchange(goes_there_, false) && highlight) hooks_.show_first(*highlight);
  }
}

void TimelineSearch::start() {
  due_.reset();
  auto filter = joined();
  const std::shared_ptr<const trace::Profile> profile = app_.session.profile();
  if (!filter.ok() || !profile) return;
  work_.start(
      [profile, picked = app_.session.picked(), filter = std::move(*filter)](const CancelToken& cancel) {
        Found found;
        std::vector<trace::SliceRef> ascending;
        if (picked) {
          ascending = picked->slices;
          std::ranges::sort(ascending);
          const analysis::SliceMatcher matcher(profile, filter);
          if (!filter.passes_all()) std::erase_if(ascending, [&](auto slice) { return !matcher.matches(slice); });
          found.slices = ascending;
          std::ranges::sort(found.slices, {}, [&](auto slice) { return std::pair(profile->begin(slice), slice); });
          found.total = found.slices.size();
        } else {
          const analysis::SliceMatcher matcher(profile, filter);
          analysis::SearchResult result = analysis::search(matcher, {.limit = kMostHits, .cancel = &cancel});
          if (cancel.cancelled()) return found;
          ascending = result.slices;
          std::ranges::sort(ascending);
          found.slices = std::move(result.slices);
          found.total = result.total;
        }
        if (!cancel.cancelled()) found.highlight = std::make_shared<scene::Highlight>(*profile, ascending);
        return found;
      },
      app_.wake);
}

void TimelineSearch::step(int direction) {
  app_.when_loaded.start([this, direction] { return try_step(direction); });
}

bool TimelineSearch::try_step(int direction) {
  const std::shared_ptr<const trace::Profile>& profile = app_.session.profile();
  if (hits_.empty() || !profile || !status_.error.empty()) return true;
  const auto count = static_cast<std::ptrdiff_t>(hits_.size());
  std::ptrdiff_t next = 0;
  if (status_.current > 0) {
    next = static_cast<std::ptrdiff_t>(status_.current) - 1 + direction;
  } else {
    // Start with the first match in the visible range, in the requested direction.
    const Interval visible = hooks_.visible();
    const auto at = trace::if_resident([&] {
      return std::ranges::lower_bound(hits_, direction > 0 ? visible.begin : visible.end, {},
                                      [&](trace::SliceRef hit) { return profile->begin(hit); });
    });
    if (!at) return false;
    next = (*at - hits_.begin()) - (direction > 0 ? 0 : 1);
  }
  next = (next % count + count) % count;
  status_.current = static_cast<std::size_t>(next) + 1;
  hooks_.go_to(hits_[static_cast<std::size_t>(next)]);
  return true;
}

}  // namespace warpscope::ui
