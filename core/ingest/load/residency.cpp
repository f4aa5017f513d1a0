#include "core/ingest/load/residency.hpp"

#include <algorithm>

namespace warpscope::ingest {

void Residency::seen(const std::string& file, std::uint64_t bytes) {
  const auto [at, fresh] = ranks_.try_emplace(file);
  if (fresh || bytes > at->second.bytes) at->second.grown = round_;
  at->second.bytes = bytes;
}

std::uint64_t Residency::total() const {
  std::uint64_t sum = 0;
  for (const auto& [file, rank] : ranks_) sum += rank.bytes;
  return sum;
}

std::vector<std::string> Residency::by_growth() const {
  std::vector<std::string> files;
  for (const auto& [file, rank] : ranks_) files.push_back(file);
  std::ranges::stable_sort(files, {}, [this](const std::string& file) { return ranks_.at(file).grown; });
  return files;
}

}  // namespace warpscope::ingest
