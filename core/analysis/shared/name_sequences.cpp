#include "core/analysis/shared/name_sequences.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpscope::analysis {

std::uint32_t NameSequences::intern(std::span<const NameId> names) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a, an id at a time
  for (const NameId name : names) hash = (hash ^ name) * 1099511628211u;
  const auto [known, fresh] = last_of_hash_.try_emplace(hash, kEnd);
  for (std::uint32_t sequence = known->second; sequence != kEnd; sequence = next_[sequence])
    if (std::ranges::equal(view(sequence), names)) return sequence;
  names_.insert(names_.end(), names.begin(), names.end());
  starts_.push_back(names_.size());
  next_.push_back(known->second);
  known->second = size() - 1;
  return known->second;
}

std::string text_of(const StringTable& names, std::span<const NameId> sequence, std::string_view separator,
                    std::size_t most) {
  const std::size_t told = most == 0 ? sequence.size() : std::min(most, sequence.size());
  std::string text;
  for (std::size_t i = 0; i < told; ++i) {
    if (i > 0) text += separator;
    text += names.view(sequence[i]);
  }
  if (told < sequence.size()) text += fmt::format("{}… ({} more)", separator, sequence.size() - told);
  return text;
}

}  // namespace warpscope::analysis
