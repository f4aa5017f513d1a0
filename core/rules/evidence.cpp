#include "core/rules/evidence.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::rules {

Evidence largest_bars(std::string title, ColumnKind kind, std::vector<Evidence::Bar> bars) {
  std::erase_if(bars, [](const Evidence::Bar& bar) { return !(bar.value > 0); });
  std::ranges::stable_sort(bars, std::greater(), &Evidence::Bar::value);
  if (bars.size() > kMostBars + 1) {
    const auto rest = bars.begin() + kMostBars;
    const double sum =
        std::accumulate(rest, bars.end(), 0.0, [](double all, const Evidence::Bar& bar) { return all + bar.value; });
    const std::string label = counted(bars.size() - kMostBars, "other", "others");
    bars.resize(kMostBars);
    bars.push_back({label, sum});
  }
  if (bars.size() < 2) bars.clear();
  return {std::move(title), kind, Evidence::Form::bars, std::move(bars)};
}

Evidence over_time(std::string title, ColumnKind kind, const std::vector<Ns>& times, const std::vector<double>& values,
                   Ns start) {
  Evidence evidence{std::move(title), kind, Evidence::Form::columns};
  const std::size_t columns = std::min(values.size(), kMostColumns);
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t first = values.size() * c / columns;
    const std::size_t last = values.size() * (c + 1) / columns;
    const double sum = std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first),
                                       values.begin() + static_cast<std::ptrdiff_t>(last), 0.0);
    evidence.bars.push_back(
        {format_time_at(times[first] - start, (times.back() - times.front()) / static_cast<Ns>(columns)),
         sum / static_cast<double>(last - first)});
  }
  return evidence;
}

}  // namespace warpscope::rules
