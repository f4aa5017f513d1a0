#include "core/analysis/critical_path/path_words.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/base/text_pattern.hpp"

namespace warpscope::analysis {
namespace {

constexpr std::array<std::string_view, 12> kLocking{
    "cudaHostAlloc",      "cudaLaunchKernel", "cudaMemcpyAsync",  // HTA's
    "cuLaunchKernel",     "cuLaunchKernelEx", "cudaLaunchKernelExC",      "hipHostMalloc",        "hipLaunchKernel",
    "hipExtLaunchKernel", "hipMemcpyAsync",   "hipExtModuleLaunchKernel", "hipModuleLaunchKernel"};
constexpr std::size_t kHtaLocking = 3;

constexpr std::array<std::string_view, 15> kBlocking{"cudaDeviceSynchronize",
                                                     "cudaStreamSynchronize",
                                                     "cudaEventQuery",
                                                     "cudaEventSynchronize",
                                                     "cudaMemcpy",
                                                     "cudaMemcpyAsync",  // HTA's
                                                     "cuCtxSynchronize",
                                                     "cuStreamSynchronize",
                                                     "cuEventSynchronize",
                                                     "hipDeviceSynchronize",
                                                     "hipStreamSynchronize",
                                                     "hipEventSynchronize",
                                                     "hipEventQuery",
                                                     "hipMemcpy",
                                                     "hipMemcpyWithStream"};
constexpr std::size_t kHtaBlocking = 6;

/// Substrings of the names of calls that may wait.
constexpr std::array<std::string_view, 5> kWaiting{"ynchronize", "WaitEvent", "Query", "Free", "Memcpy"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool contains(std::string_view name, std::string_view part) { return name.find(part) != name.npos; }

}  // namespace

PathWords::PathWords(const trace::Profile& profile, std::string_view data_loading, bool hta)
    : words_(profile.names().size()) {
  const auto locking = std::span(kLocking).first(hta ? kHtaLocking : kLocking.size());
  const auto blocking = std::span(kBlocking).first(hta ? kHtaBlocking : kBlocking.size());
  const std::vector<TextPattern> loading = parse_patterns(data_loading);
  for (NameId id = 0; id < words_.size(); ++id) {
    const std::string_view name = profile.names().view(id);
    std::uint32_t word = 0;
    if (is_one_of(name, locking)) word |= kLocks;
    if (is_one_of(name, blocking)) word |= kBlocks;
    if (std::ranges::any_of(kWaiting, [&](std::string_view part) { return contains(name, part); })) word |= kWaits;
    if (contains(name, "forward")) word |= kForward;
    if (contains(name, "autograd")) word |= kBackward;
    if (contains(name, "Query")) word |= kAsks;
    if (contains(name, "Memcpy")) word |= kCopies;
    if (contains(name, "StreamWaitEvent")) word |= kHoldsStream;
    if (name.starts_with("ProfilerStep#")) word |= kStep;
    if (contains(name, "autograd::engine")) word |= kEngine;
    if (std::ranges::any_of(loading, [&](const TextPattern& each) { return each.matches(name); })) word |= kDataLoading;
    words_[id] = static_cast<std::uint16_t>(word);
  }
}

}  // namespace warpscope::analysis
