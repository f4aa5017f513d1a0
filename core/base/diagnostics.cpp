#include "core/base/diagnostics.hpp"

#include <limits>
#include <unordered_map>

namespace warpscope {

namespace {

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

bool is_of(const Diagnostic& entry, std::string_view code, std::string_view file) {
  return entry.code == code && entry.file == file;
}

}  // namespace

void Diagnostics::add(std::string_view code, Severity severity, std::string_view file, std::uint64_t offset,
                      std::string_view example, std::uint64_t count) {
  // Oddities come in runs of one kind, so the newest entries are looked at first.
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (is_of(entries_[i], code, file)) {
      entries_[i].count = saturating_sum(entries_[i].count, count);
      return;
    }
  }
  entries_.push_back({std::string(code), severity, count, std::string(file), offset, std::string(example)});
}

void Diagnostics::merge(const Diagnostics& other) {
  constexpr std::size_t kFew = 1024;  // pairs to compare; beyond, an index is cheaper
  if (entries_.size() * other.entries_.size() <= kFew) {
    for (const Diagnostic& entry : std::vector<Diagnostic>(other.entries_))
      add(entry.code, entry.severity, entry.file, entry.offset, entry.example, entry.count);
    return;
  }
  const auto key = [](const Diagnostic& entry) { return entry.code + '\0' + entry.file; };
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < entries_.size(); ++i) places.emplace(key(entries_[i]), i);
  for (const Diagnostic& entry : std::vector<Diagnostic>(other.entries_)) {
    const auto [place, is_new] = places.emplace(key(entry), entries_.size());
    if (is_new) {
      entries_.push_back(entry);
    } else {
      Diagnostic& known = entries_[place->second];
      known.count = saturating_sum(known.count, entry.count);
    }
  }
}

std::uint64_t Diagnostics::count(std::string_view code) const {
  std::uint64_t sum = 0;
  for (const Diagnostic& entry : entries_)
    if (entry.code == code) sum = saturating_sum(sum, entry.count);
  return sum;
}

}  // namespace warpscope
