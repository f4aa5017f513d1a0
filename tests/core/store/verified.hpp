#pragma once
// Finds all corruption in a store.
#include "core/store/reader.hpp"

namespace warpscope::tests {

/// Reads and checks everything in a store. Empty if nothing is corrupt.
inline Failure fault_of(const store::StoreFile& file) {
  for (std::size_t source = 0; source < file.sources().size(); ++source)
    if (auto wrong = file.verify_source(source, nullptr)) return wrong;
  if (const auto nodes = file.metrics(); !nodes) return nodes.error();
  return file.damage();
}

}  // namespace warpscope::tests
