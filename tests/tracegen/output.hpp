#pragma once
// Output of a file: plain, gzip or zstd, to disk or memory. Bytes are written in blocks, so memory use is limited to
// the buffers, however large the set is.
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tests/tracegen/options.hpp"

namespace warpscope::tracegen {

/// Receives the bytes of one file in order. Throws std::runtime_error if writing fails.
class ByteSink {
 public:
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
  /// Call after the last write; without it the file is incomplete.
  virtual void close() = 0;
};

/// Opens the sink of a file by relative path.
using OpenFile = std::function<std::unique_ptr<ByteSink>(const std::filesystem::path& relative)>;

/// Writes files under `folder`; creates missing folders.
[[nodiscard]] OpenFile files_under(std::filesystem::path folder);

/// Returns a sink that appends to `target`, which must outlive it.
[[nodiscard]] std::unique_ptr<ByteSink> append_to(std::string& target);

/// Returns a sink that compresses into `inner`; for Format::json, `inner` itself.
[[nodiscard]] std::unique_ptr<ByteSink> compressed(Format format, std::unique_ptr<ByteSink> inner);

/// Returns a sink that writes only the first two thirds of its input. It buffers the whole input, so use it only for
/// small files.
[[nodiscard]] std::unique_ptr<ByteSink> without_last_third(std::unique_ptr<ByteSink> inner);

/// ".pt.trace.json" with the format's extension.
[[nodiscard]] std::string_view file_ending(Format format);

}  // namespace warpscope::tracegen
