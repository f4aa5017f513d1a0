#include "tests/core/analysis/brute_force.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace warpscope::tests {

std::string plain_text_of(const std::filesystem::path& path) {
  std::string text;
  gzFile file = gzopen(path.c_str(), "rb");
  std::vector<char> block(1 << 20);
  for (int got = 0; (got = gzread(file, block.data(), static_cast<unsigned>(block.size()))) > 0;)
    text.append(block.data(), static_cast<std::size_t>(got));
  gzclose(file);
  return text;
}

std::int64_t union_of(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end());
  std::int64_t sum = 0;
  std::optional<std::int64_t> reached;
  for (const auto& [begin, end] : spans) {
    const std::int64_t from = reached ? std::max(begin, *reached) : begin;
    if (end > from) sum += end - from;
    reached = reached ? std::max(*reached, end) : end;
  }
  return sum;
}

std::string brute_family(const std::string& name) {
  std::size_t digits = 0;
  while (digits < name.size() && name[name.size() - 1 - digits] >= '0' && name[name.size() - 1 - digits] <= '9')
    ++digits;
  if (digits == 0 || digits == name.size()) return name;
  std::string family = name.substr(0, name.size() - digits);
  if (family.size() > 1 && std::string("_#-:./ ").find(family.back()) != std::string::npos) family.pop_back();
  return family;
}

Brute::Brute(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".json") && !path.ends_with(".json.gz")) continue;
    files_.push_back(naive_read(plain_text_of(entry.path())));
    std::vector<NaiveSlice>& slices = files_.back().slices;
    impossible_kernels +=
        std::count_if(slices.begin(), slices.end(), [](const NaiveSlice& s) { return is_kernel(s) && !s.possible(); });
    std::erase_if(slices, [](const NaiveSlice& slice) { return !slice.possible(); });
    for (const NaiveSlice& slice : slices) {
      begin_ = std::min(begin_, slice.begin);
      end_ = std::max(end_, slice.end());
    }
  }
  range = {begin_, end_};
}

std::vector<const NaiveFile*> Brute::files() const {
  std::vector<const NaiveFile*> result;
  for (const NaiveFile& file : files_)
    if (!only || file.rank == *only) result.push_back(&file);
  return result;
}

std::optional<Span> Brute::part(const NaiveSlice& slice) const {
  const bool touches = slice.duration == 0 ? range.first <= slice.begin && slice.begin < range.second
                                           : slice.begin < range.second && slice.end() > range.first;
  if (range != whole() && !touches) return std::nullopt;
  return Span{std::max(slice.begin, range.first), std::min(slice.end(), range.second)};
}

std::vector<std::vector<Span>> Brute::by_launching_thread() const {
  std::vector<std::vector<Span>> result;
  for (const NaiveFile* file : files()) {
    std::set<std::int64_t> ran;
    for (const NaiveSlice& slice : file->slices)
      if (slice.run()) ran.insert(slice.correlation);
    std::set<std::pair<std::int64_t, std::int64_t>> launching;
    for (const NaiveSlice& slice : file->slices)
      if (slice.call() && slice.correlation > 0 && ran.contains(slice.correlation))
        launching.insert({slice.pid, slice.tid});
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Span>> threads;
    for (const NaiveSlice& slice : file->slices) {
      if (!launching.contains({slice.pid, slice.tid}) || (!is_op(slice) && !slice.call())) continue;
      if (const auto inside = part(slice)) threads[{slice.pid, slice.tid}].push_back(*inside);
    }
    for (const auto& thread : launching) result.push_back(threads[thread]);
  }
  return result;
}

std::map<std::pair<std::string, std::string>, std::vector<std::int64_t>> Brute::annotations() const {
  std::map<std::pair<std::string, std::string>, std::vector<std::int64_t>> result;
  for (const NaiveFile* file : files()) {
    for (const NaiveSlice& slice : file->slices) {
      if (!is_annotation(slice) && !is_shadow(slice)) continue;
      if (slice.begin < range.first || slice.end() > range.second) continue;
      result[{brute_family(slice.name), is_shadow(slice) ? "gpu" : "cpu"}].push_back(slice.duration);
    }
  }
  for (auto& [key, durations] : result) std::sort(durations.begin(), durations.end());
  return result;
}

std::vector<BruteStep> Brute::steps() const {
  std::vector<BruteStep> result;
  for (const NaiveFile* file : files()) {
    std::map<std::int64_t, std::int64_t> launches;  // starts, by correlation
    std::vector<const NaiveSlice*> steps;
    for (const NaiveSlice& slice : file->slices) {
      if (slice.call() && slice.correlation > 0) launches.emplace(slice.correlation, slice.begin);
      if (is_annotation(slice) && slice.name.starts_with("ProfilerStep#")) steps.push_back(&slice);
    }
    if (steps.empty()) continue;
    std::ranges::sort(steps, {}, &NaiveSlice::begin);
    std::vector<std::int64_t> ends(steps.size(), std::numeric_limits<std::int64_t>::min());
    std::optional<std::int64_t> before;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t first_launched = first;
    std::int64_t first_launch = first;
    for (const NaiveSlice& slice : file->slices) {
      if (!slice.run()) continue;
      const auto launch = launches.find(slice.correlation);
      first = std::min(first, slice.begin);
      if (launch == launches.end()) continue;
      if (launch->second < steps.front()->begin) {
        before = std::max(before.value_or(slice.end()), slice.end());
        continue;
      }
      std::size_t s = steps.size() - 1;
      while (steps[s]->begin > launch->second) --s;
      if (launch->second >= steps.back()->end()) continue;
      ends[s] = std::max(ends[s], slice.end());
      first_launched = std::min(first_launched, slice.begin);
      first_launch = std::min(first_launch, launch->second);
    }
    if (!before && first < first_launch)
      before = first_launched;
    else if (!before)
      ends.back() = std::max(ends.back(), steps.back()->end());
    std::int64_t at = before.value_or(steps.front()->begin);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const std::int64_t from = std::exchange(at, std::max(at, ends[s]));
      if (steps[s]->begin < range.first || steps[s]->end() > range.second) continue;
      result.push_back(at > from ? BruteStep{steps[s]->name, at - from, "gpu"}
                                 : BruteStep{steps[s]->name, steps[s]->duration, "host"});
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace warpscope::tests
