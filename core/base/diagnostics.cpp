#include "core/base/diagnostics.hpp"

#include <limits>

namespace warpscope {

namespace {

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

constexpr std::size_t kFew = 32;  // searched linearly; an index is cheaper beyond this

std::string key_of(std::string_view code, std::string_view file) {
  std::string key(code);
  return key.append(1, '\0').append(file);
}

}  // namespace

Diagnostic* Diagnostics::find(std::string_view code, std::string_view file) {
  if (entries_.size() <= kFew) {
    for (Diagnostic& entry : entries_)
      if (entry.code == code && entry.file == file) return &entry;
    return nullptr;
  }
  // A directory may contain a hundred thousand files, each with a diagnostic.
  for (std::size_t i = places_.size(); i < entries_.size(); ++i)
    places_.emplace(key_of(entries_[i].code, entries_[i].file), i);
  const auto place = places_.find(key_of(code, file));
  return place == places_.end() ? nullptr : &entries_[place->second];
}

void Diagnostics::add(std::string_view code, Severity severity, std::string_view file, std::uint64_t offset,
                      std::string_view example, std::uint64_t count) {
  if (!add_known(code, file, count))
    entries_.push_back({std::string(code), severity, count, std::string(file), offset, std::string(example)});
}

bool Diagnostics::add_known(std::string_view code, std::string_view file, std::uint64_t count) {
  Diagnostic* const known = find(code, file);
  if (known != nullptr) known->count = saturating_sum(known->count, count);
  return known != nullptr;
}

void Diagnostics::merge(const Diagnostics& other) {
  if (&other == this) return merge(Diagnostics(other));
  for (const Diagnostic& entry : other.entries_)
    add(entry.code, entry.severity, entry.file, entry.offset, entry.example, entry.count);
}

std::uint64_t Diagnostics::count(std::string_view code) const {
  std::uint64_t sum = 0;
  for (const Diagnostic& entry : entries_)
    if (entry.code == code) sum = saturating_sum(sum, entry.count);
  return sum;
}

}  // namespace warpscope
