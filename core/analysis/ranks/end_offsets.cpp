#include "core/analysis/ranks/end_offsets.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace warpscope::analysis {

namespace {

constexpr std::size_t kPositions = 256;
constexpr std::size_t kVoters = 400;
constexpr Ns kWindow = 60'000;
constexpr std::size_t kCandidates = 12;
constexpr std::size_t kWindowsTried = 4000;

struct Window {
  Ns offset = 0;
  std::size_t votes = 0;
};

/// Finds the densest windows of sorted votes, at least a window apart.
std::vector<Window> densest(const std::vector<Ns>& votes) {
  std::vector<std::uint32_t> last(votes.size());
  for (std::size_t first = 0, end = 0; first < votes.size(); ++first) {
    while (end < votes.size() && saturating_difference(votes[end], votes[first]) <= kWindow) ++end;
    last[first] = static_cast<std::uint32_t>(end);
  }
  std::vector<std::uint32_t> order(votes.size());
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t tried = std::min(kWindowsTried, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(tried), [&](auto a, auto b) {
    const auto of_a = last[a] - a;
    const auto of_b = last[b] - b;
    return of_a != of_b ? of_a > of_b : a < b;
  });
  std::vector<Window> windows;
  for (std::size_t i = 0; i < tried && windows.size() < kCandidates; ++i) {
    const std::uint32_t first = order[i];
    const Ns offset = votes[first + (last[first] - first) / 2];
    if (std::ranges::none_of(windows, [&](const Window& each) {
          return std::abs(saturating_difference(each.offset, offset)) <= kWindow;
        }))
      windows.push_back({offset, last[first] - first});
  }
  return windows;
}

std::size_t count_within(std::span<const EndMark> marks, Ns from, Ns to) {
  const auto first = std::ranges::lower_bound(marks, from, {}, &EndMark::end);
  const auto end = std::ranges::upper_bound(marks, to, {}, &EndMark::end);
  return end > first ? static_cast<std::size_t>(end - first) : 0;
}

}  // namespace

std::optional<EndOffset> find_end_offset(std::span<const EndMark> own, std::span<const EndMark> reference) {
  const std::size_t stride = std::max<std::size_t>(1, (own.size() + kVoters - 1) / kVoters);
  std::vector<Ns> votes;
  for (std::size_t i = 0; i < own.size(); i += stride) {
    const std::size_t first = i > kPositions ? i - kPositions : 0;
    const std::size_t last = std::min(reference.size(), i + kPositions + 1);
    for (std::size_t j = first; j < last; ++j)
      if (own[i].signature == reference[j].signature)
        votes.push_back(saturating_difference(own[i].end, reference[j].end));
  }
  if (votes.empty()) return std::nullopt;
  std::ranges::sort(votes);
  const auto runs = static_cast<double>(own.size());
  std::vector<EndOffset::Candidate> candidates;
  double most = 0;
  for (const Window& window : densest(votes)) {
    const Ns from = std::max(saturating_difference(own.front().end, window.offset), reference.front().end) - kWindow;
    const Ns to = std::min(saturating_difference(own.back().end, window.offset), reference.back().end) + kWindow;
    const std::size_t in_own =
        count_within(own, saturating_add(from, window.offset), saturating_add(to, window.offset));
    const double partners = static_cast<double>(window.votes * stride);
    const double misses =
        std::max(0.0, static_cast<double>(std::max(in_own, count_within(reference, from, to))) - partners);
    candidates.push_back({window.offset, std::round((partners - misses) / runs * 100) / 100});
    most = std::max(most, partners);
  }
  std::ranges::stable_sort(candidates, [](const auto& a, const auto& b) {
    return a.score != b.score ? a.score > b.score : std::abs(a.offset) < std::abs(b.offset);
  });
  EndOffset found{.best = candidates.front()};
  if (candidates.size() > 1) found.runner_up = candidates[1];
  // Use the votes of the best window; the densest one is nearly always the best.
  const auto from = std::ranges::lower_bound(votes, found.best.offset - kWindow / 2);
  const auto to = std::ranges::upper_bound(votes, found.best.offset + kWindow / 2);
  const auto agreeing = static_cast<double>(to - from) * static_cast<double>(stride);
  found.agreement = std::min(1.0, agreeing / static_cast<double>(std::min(own.size(), reference.size())));
  return found;
}

}  // namespace warpscope::analysis
