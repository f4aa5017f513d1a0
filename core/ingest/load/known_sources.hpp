#pragma once
// Finds sources already in a store, so unchanged files do not have to be read.
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/store/reader.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

class KnownSources {
 public:
  explicit KnownSources(store::StoreFile file);

  [[nodiscard]] const store::StoreFile& file() const { return file_; }
  /// Returns the numbers of `source` in the store (several for a merged file) if it is the file the store was created
  /// from: same path, size, modification time, and hash of its start and end. Reads at most 32 KiB, or nothing if path,
  /// size or modification time differ.
  [[nodiscard]] std::vector<std::size_t> find(const trace::SourceFile& source) const;

 private:
  store::StoreFile file_;
  std::unordered_map<std::string, std::vector<std::size_t>> by_file_;
};

}  // namespace warpscope::ingest
