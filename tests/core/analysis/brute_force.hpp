#pragma once
// Computes the results of the analyses from the text of the trace files in the slow and obvious way, without the
// program's lanes, trees or columns. Handles valid files only.
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/tracegen/naive_reader.hpp"

namespace warpscope::tests {

using Span = std::pair<std::int64_t, std::int64_t>;

std::string plain_text_of(const std::filesystem::path& path);

/// Total length covered by the spans.
std::int64_t union_of(std::vector<Span> spans);

struct BruteTotal {
  std::int64_t total = 0;
  std::int64_t count = 0;
  friend bool operator==(const BruteTotal&, const BruteTotal&) = default;
};

struct BruteStep {
  std::string name;
  std::int64_t duration = 0;
  std::string source;
  friend auto operator<=>(const BruteStep&, const BruteStep&) = default;
};

inline bool is_kernel(const NaiveSlice& slice) {
  return slice.category == "kernel" || slice.category == "Kernel" || slice.job();
}
inline bool is_copy(const NaiveSlice& slice) { return slice.category == "gpu_memcpy" || slice.category == "Memcpy"; }
inline bool is_op(const NaiveSlice& slice) { return slice.category == "cpu_op" || slice.category == "Operator"; }
inline bool is_wait(const NaiveSlice& slice) { return slice.category == "cuda_sync"; }
inline bool is_shadow(const NaiveSlice& slice) { return slice.category == "gpu_user_annotation"; }
inline bool is_annotation(const NaiveSlice& slice) {
  return slice.category == "user_annotation" || (is_op(slice) && slice.name.starts_with("ProfilerStep#"));
}

std::string brute_family(const std::string& name);

/// A set of trace files and a scope within it.
class Brute {
 public:
  explicit Brute(const std::filesystem::path& folder);

  Span range;               ///< time range; everything by default
  std::optional<int> only;  ///< the only rank in scope
  std::int64_t impossible_kernels = 0;

  [[nodiscard]] Span whole() const { return {begin_, end_}; }
  [[nodiscard]] std::vector<const NaiveFile*> files() const;

  /// Returns the part of the slice within the range; nullopt if it does not touch the range.
  [[nodiscard]] std::optional<Span> part(const NaiveSlice& slice) const;

  template <class Is, class Key>
  [[nodiscard]] std::map<std::string, BruteTotal> totals(Is is, Key key) const {
    std::map<std::string, BruteTotal> result;
    for (const NaiveFile* file : files()) {
      for (const NaiveSlice& slice : file->slices) {
        const auto inside = part(slice);
        if (!is(slice) || !inside) continue;
        BruteTotal& sum = result[key(slice)];
        sum.total += inside->second - inside->first;
        ++sum.count;
      }
    }
    return result;
  }

  /// Bytes moved by the slices that start in the range, if recorded.
  template <class Is, class Key>
  [[nodiscard]] std::map<std::string, std::int64_t> bytes(Is is, Key key) const {
    std::map<std::string, std::int64_t> result;
    for (const NaiveFile* file : files())
      for (const NaiveSlice& slice : file->slices)
        if (is(slice) && part(slice) && slice.begin >= range.first && slice.bytes >= 0)
          result[key(slice)] += slice.bytes;
    return result;
  }

  /// Parts of these slices, by device of each file.
  template <class Is>
  [[nodiscard]] std::vector<std::vector<Span>> by_device(Is is) const {
    std::map<std::pair<const NaiveFile*, std::int64_t>, std::vector<Span>> devices;
    for (const NaiveFile* file : files()) {
      for (const NaiveSlice& slice : file->slices) {
        if (!slice.run() && !is_shadow(slice) && !is_wait(slice)) continue;
        auto& spans = devices[{file, slice.pid}];
        if (const auto inside = part(slice); inside && is(slice)) spans.push_back(*inside);
      }
    }
    std::vector<std::vector<Span>> result;
    for (auto& [key, spans] : devices) result.push_back(std::move(spans));
    return result;
  }

  template <class Is>
  [[nodiscard]] std::int64_t union_by_device(Is is) const {
    std::int64_t sum = 0;
    for (std::vector<Span>& spans : by_device(is)) sum += union_of(std::move(spans));
    return sum;
  }

  /// Parts of operators and calls, by launching thread.
  [[nodiscard]] std::vector<std::vector<Span>> by_launching_thread() const;

  /// Durations of annotations entirely within the range, by (family, side).
  [[nodiscard]] std::map<std::pair<std::string, std::string>, std::vector<std::int64_t>> annotations() const;

  /// Profiler steps, sorted.
  [[nodiscard]] std::vector<BruteStep> steps() const;

 private:
  std::vector<NaiveFile> files_;
  std::int64_t begin_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t end_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace warpscope::tests
