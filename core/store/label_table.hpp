#pragma once
// The labels (name, category, family) of a rank's slices, sorted by descending frequency, then by first appearance. A
// column of label numbers takes a byte or two per slice and replaces three columns. There are about as many labels as
// names.
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/trace/lane.hpp"

namespace warpscope::store {

struct Label {
  NameId name = 0;
  trace::CategoryId category = 0;
  std::uint8_t family = 0;
};

class LabelTable {
 public:
  /// Collects the labels of all lanes. O(slices).
  explicit LabelTable(std::span<const trace::Lane> lanes);

  [[nodiscard]] std::size_t size() const { return labels_.size(); }
  [[nodiscard]] const Label& operator[](std::size_t number) const { return labels_[number]; }
  /// Returns a slice's label number. `lane`: one of the lanes passed to the constructor.
  [[nodiscard]] std::uint32_t number(const trace::Lane& lane, std::uint32_t i) const;

 private:
  static std::uint64_t key_of(const trace::Lane& lane, std::uint32_t i);

  std::vector<Label> labels_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace warpscope::store
