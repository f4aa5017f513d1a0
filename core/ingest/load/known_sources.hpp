#pragma once
// The sources that a store has, found by the files themselves: one that was not touched since need not be read.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/store/reader.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// The trace at `path` that `file` was made of, if it is still there as it was then. Reads at most 32 KiB.
[[nodiscard]] std::optional<trace::SourceFile> unchanged_trace(const store::StoreFile& file, const std::string& path);

class KnownSources {
 public:
  explicit KnownSources(store::StoreFile file);

  [[nodiscard]] const store::StoreFile& file() const { return file_; }
  /// Number of `source` in the store, if the file is the one that the store was made from: path, size and modification
  /// time, and a hash of its begin and end. Reads at most 32 KiB, and nothing where the former differ.
  [[nodiscard]] std::optional<std::size_t> find(const trace::SourceFile& source) const;
  /// What the store has of this file is of no use: from here on it has none.
  void forget(const std::string& path) { by_path_.erase(path); }
  /// The same as find() without looking into the file: good enough to guess what is left to read.
  [[nodiscard]] bool seems_to_have(const trace::SourceFile& source) const { return candidate(source).has_value(); }

 private:
  [[nodiscard]] std::optional<std::size_t> candidate(const trace::SourceFile& source) const;

  store::StoreFile file_;
  std::unordered_map<std::string, std::size_t> by_path_;
};

}  // namespace warpscope::ingest
