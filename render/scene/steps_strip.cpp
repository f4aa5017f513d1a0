#include "render/scene/steps_strip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace warpscope::scene {

namespace {

constexpr double kLeastBoxPx = 6;  // narrower steps share a box
constexpr double kPaddingPx = 8;   // of a label, left plus right

// "ProfilerStep#12" → "12"; a name without a number is returned unchanged.
std::string_view number_of(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  return begin == name.size() ? name : name.substr(begin);
}

std::string label_of(const trace::Profile& profile, const StepBox& box, double char_px) {
  const double room = std::min(box.x1 - box.x0, box.x1) - kPaddingPx;
  const auto fits = [&](std::size_t characters) { return static_cast<double>(characters) * char_px <= room; };
  const std::string_view first = profile.names().view(profile.steps[box.first].name);
  const std::string_view number = number_of(first);
  if (box.last - box.first == 1) {
    std::string word = number.size() == first.size() ? std::string(first) : fmt::format("step {}", number);
    if (fits(word.size())) return word;
    return fits(number.size()) ? std::string(number) : std::string();
  }
  const std::string_view last = number_of(profile.names().view(profile.steps[box.last - 1].name));
  const std::string range = fmt::format("{}–{}", number, last);
  return fits(range.size() - 2) ? range : std::string();
}

}  // namespace

std::vector<StepBox> make_steps_strip(const trace::Profile& profile, const TimeView& view, double char_px) {
  std::vector<StepBox> boxes;
  const auto count = static_cast<std::uint32_t>(profile.steps.size());
  const Interval visible = view.visible();
  // Ranks differ, so a step may end after the next one starts; each box ends where the next one starts.
  std::uint32_t i = step_at(profile, visible.begin, true).value_or(0);
  while (i < count && profile.steps[i].time.begin < visible.end) {
    StepBox box{.x0 = view.to_px(profile.steps[i].time.begin), .x1 = 0, .first = i, .last = i + 1, .label = {}};
    const auto end_px = [&](std::uint32_t step) {
      const double own = view.to_px(profile.steps[step].time.end);
      return step + 1 < count ? std::min(own, view.to_px(profile.steps[step + 1].time.begin)) : own;
    };
    box.x1 = end_px(i);
    while (box.x1 - box.x0 < kLeastBoxPx && box.last < count &&
           view.to_px(profile.steps[box.last].time.begin) - box.x0 < kLeastBoxPx)
      box.x1 = end_px(box.last++);
    i = box.last;
    if (box.x1 <= 0 || box.x0 >= view.width()) continue;
    box.x0 = std::max(box.x0, 0.0);
    box.x1 = std::clamp(box.x1, box.x0 + 1, std::max(box.x0 + 1, view.width()));
    box.label = label_of(profile, box, char_px);
    boxes.push_back(std::move(box));
  }
  return boxes;
}

std::optional<std::uint32_t> step_at(const trace::Profile& profile, Ns t, bool nearest) {
  const auto after = std::upper_bound(profile.steps.begin(), profile.steps.end(), t,
                                      [](Ns at, const trace::StepGroup& step) { return at < step.time.begin; });
  if (after == profile.steps.begin()) return std::nullopt;
  const trace::StepGroup& step = *(after - 1);
  if (!nearest && t >= step.time.end) return std::nullopt;
  return static_cast<std::uint32_t>(after - profile.steps.begin()) - 1;
}

}  // namespace warpscope::scene
