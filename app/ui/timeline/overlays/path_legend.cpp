#include "app/ui/timeline/overlays/path_legend.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/model/commands.hpp"
#include "app/ui/timeline/overlays/critical_path.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "render/plots/row_color.hpp"

namespace warpscope::ui {
namespace {

constexpr float kLeastWidth = 340;  // px at 1×, of a column
constexpr float kMostWidth = 460;
constexpr float kLegendPad = 8;
constexpr float kBar = 8;
constexpr float kSwatch = 10;
constexpr double kLeastShare = 0.0005;  // smaller shares would show as zero
constexpr std::size_t kMostRanks = 4;   // with their own line

std::string count_of(std::size_t count) { return format_count(static_cast<std::int64_t>(count)); }

std::string share_words(double share) { return share < kLeastShare ? "< 0.1 %" : format_share(share); }

double share_of_path(const scene::PathChain& chain, Ns time) {
  return static_cast<double>(time) / static_cast<double>(std::max<Ns>(1, chain.length()));
}

/// Writes lines from top to bottom; a dry run measures their height.
class Lines {
 public:
  Lines(const AppContext& app, ImDrawList* list, ImVec2 at, float width)
      : app_(app), list_(list), font_(*app.fonts.caption), at_(at), y_(at.y), width_(width) {}

  void line(std::string_view left, scene::Color color, std::string_view right = {}) {
    const float room = right.empty() ? width_ : width_ - text_width(font_, right) - app_.px(kLegendPad);
    put(at_.x, fit_text(left, room * ImGui::GetFontSize() / font_.FontSize), color);
    if (!right.empty()) put(at_.x + width_ - text_width(font_, right), right, app_.theme.text);
    next();
  }
  /// Writes a sentence, wrapped to as many lines as needed.
  void sentence(std::string_view words, scene::Color color) {
    while (!words.empty()) {
      std::size_t end = words.size();
      while (text_width(font_, words.substr(0, end)) > width_) {
        const std::size_t space = words.substr(0, end).rfind(' ');
        if (space == std::string_view::npos || space == 0) break;
        end = space;
      }
      line(words.substr(0, end), color);
      words.remove_prefix(std::min(words.size(), end + 1));
    }
  }
  void bar(const std::vector<PathShare>& shares) {
    float x = at_.x;
    y_ += app_.px(2);
    for (const PathShare& each : shares) {
      const float end = std::min(at_.x + width_, x + width_ * static_cast<float>(each.share));
      if (list_ != nullptr && end > x) list_->AddRectFilled({x, y_}, {end, y_ + app_.px(kBar)}, color_of(each.what));
      x = end;
    }
    y_ += app_.px(kBar + 4);
  }
  /// Writes percentages side by side, as many per line as fit.
  void shares(const std::vector<PathShare>& shares) {
    float x = 0;
    for (const PathShare& each : shares) {
      const std::string words = std::string(analysis::words_of(each.what).words) + " " + share_words(each.share);
      const float own = app_.px(kSwatch + 4) + text_width(font_, words);
      if (x > 0 && x + own > width_) {
        next();
        x = 0;
      }
      const float left = at_.x + x;
      const float middle = y_ + font_.FontSize / 2;
      if (list_ != nullptr)
        list_->AddRectFilled({left, middle - app_.px(kSwatch / 2)},
                             {left + app_.px(kSwatch), middle + app_.px(kSwatch / 2)}, color_of(each.what), app_.px(2));
      put(left + app_.px(kSwatch + 4), words, app_.theme.text);
      x += own + app_.px(kLegendPad + 4);
    }
    if (x > 0) next();
  }
  /// Shows the arrow styles of edges with and without duration.
  void kinds(bool changes_rank) {
    float x = at_.x;
    for (const bool takes_time : {true, false}) {
      const float middle = std::floor(y_ + font_.FontSize / 2);
      const float end = x + app_.px(24);
      for (float dash = x; list_ != nullptr && dash < end; dash += app_.px(takes_time ? 24 : 9))
        list_->AddRectFilled({dash, middle - app_.px(1)},
                             {std::min(end, dash + app_.px(takes_time ? 24 : 5)), middle + app_.px(1)},
                             app_.theme.path);
      const std::string_view words = !takes_time    ? "wait: zero duration"
                                     : changes_rank ? "latency, gap, other rank"
                                                    : "launch latency, gap";
      put(end + app_.px(4), words, app_.theme.muted);
      x = end + app_.px(4) + text_width(font_, words) + app_.px(kLegendPad + 4);
    }
    next();
  }
  [[nodiscard]] float y() const { return y_; }

 private:
  [[nodiscard]] scene::Color color_of(analysis::TimeLabel what) const {
    return plots::label_color(what, app_.theme.kind);
  }
  void put(float x, std::string_view words, scene::Color color) const {
    if (list_ != nullptr) draw_text(*list_, font_, {std::floor(x), std::floor(y_)}, color, words);
  }
  void next() { y_ += font_.FontSize + app_.px(3); }

  const AppContext& app_;
  ImDrawList* list_;
  ImFont& font_;
  ImVec2 at_;
  float y_;
  float width_;
};

}  // namespace

std::vector<PathShare> path_shares(const scene::PathChain& chain) {
  std::vector<PathShare> shares;
  for (std::size_t s = 0; s < analysis::kTimeLabels; ++s) {
    const auto what = static_cast<analysis::TimeLabel>(s);
    const Ns time = chain.time_of(what);
    if (time > 0) shares.push_back({what, share_of_path(chain, time)});
  }
  std::ranges::stable_sort(shares, std::greater(), &PathShare::share);
  return shares;
}

std::string segment_words(const ShownPath& shown, std::string_view keys) {
  const auto segments = shown.chain->segments();
  if (!shown.segment)
    return count_of(segments.size()) + (segments.size() == 1 ? " segment" : " segments") +
           (keys.empty() ? ""
                         : "; " + std::string(keys) + (segments.size() == 1 ? " goes there" : " steps through them"));
  const scene::PathSegment& segment = segments[*shown.segment];
  const double share =
      static_cast<double>(segment.weight) / static_cast<double>(std::max<Ns>(1, shown.chain->length()));
  return "Segment " + count_of(*shown.segment + 1) + " of " + count_of(segments.size()) + ": " +
         std::string(analysis::words_of(segment.what).words) + ", " + format_duration(segment.weight) + ", " +
         share_words(share);
}

std::string count_words(const scene::PathInView& in_view) {
  if (!in_view.thinned()) return "";
  return count_of(in_view.arrows.size()) + " of " + count_of(in_view.links) + " edges shown; zoom in to see the rest";
}

float draw_path_legend(const AppContext& app, const trace::Profile& profile, ImDrawList* list, ImVec2 at, float width,
                       const ShownPath& shown, const scene::PathInView& in_view) {
  const float pad = app.px(kLegendPad);
  const bool by_rank = shown.request.all_ranks;
  const int columns = std::clamp(static_cast<int>(width / app.px(kLeastWidth)), 1, by_rank ? 3 : 2);
  const float column = std::min(app.px(kMostWidth), std::floor((width - pad) / static_cast<float>(columns)) - pad);
  float bottom = at.y + pad;
  // Each part starts below the one before, or in a column of its own.
  const auto part = [&](int place, auto write) {
    Lines lines(app, list, {at.x + pad + static_cast<float>(place) * (column + pad), place > 0 ? at.y + pad : bottom},
                column);
    write(lines);
    bottom = std::max(bottom, lines.y());
  };
  part(0, [&](Lines& lines) {
    const std::vector<PathShare> shares = path_shares(*shown.chain);
    lines.line("Critical path of " + shown.request.of, app.theme.text, format_duration(shown.chain->length()));
    lines.bar(shares);
    lines.shares(shares);
  });
  if (by_rank)
    part(columns == 3 ? 1 : 0, [&](Lines& lines) {
      const std::span<const scene::PathRank> ranks = shown.chain->ranks();
      for (const scene::PathRank& each : ranks.first(std::min(ranks.size(), kMostRanks)))
        lines.line("Rank " + std::to_string(profile.ranks[each.rank]->number), app.theme.text,
                   format_duration(each.time) + ", " + share_words(share_of_path(*shown.chain, each.time)));
      if (ranks.size() <= kMostRanks) return;
      Ns rest = 0;
      for (const scene::PathRank& each : ranks.subspan(kMostRanks)) rest += each.time;
      lines.line(counted(ranks.size() - kMostRanks, "other rank", "other ranks"), app.theme.muted,
                 format_duration(rest) + ", " + share_words(share_of_path(*shown.chain, rest)));
    });
  part(columns - 1, [&](Lines& lines) {
    lines.sentence(shown.clocks, app.theme.muted);
    lines.kinds(shown.chain->changes_rank());
    lines.line(segment_words(shown, app.commands.keys_text("path.next", 1)),
               shown.segment ? app.theme.text : app.theme.muted);
    lines.line(count_words(in_view), app.theme.warning);
  });
  return bottom - at.y;
}

}  // namespace warpscope::ui
