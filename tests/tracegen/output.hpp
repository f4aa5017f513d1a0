#pragma once
// Where a file's bytes go: plain, gzip or zstd, to disk or to memory. Bytes are passed on in blocks, so a set of any
// size needs no more memory than its buffers.
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tests/tracegen/options.hpp"

namespace warpscope::tracegen {

/// Receives the bytes of one file in order. Throws std::runtime_error when the disk does not take them.
class ByteSink {
 public:
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
  /// After the last write; a sink that was not closed leaves its file incomplete.
  virtual void close() = 0;
};

/// Makes the sink of the file with this relative path.
using OpenFile = std::function<std::unique_ptr<ByteSink>(const std::filesystem::path& relative)>;

/// Files under `folder`; missing folders are made.
[[nodiscard]] OpenFile files_under(std::filesystem::path folder);

/// A sink that appends to `target`, which must outlive it.
[[nodiscard]] std::unique_ptr<ByteSink> append_to(std::string& target);

/// Compresses what it gets into `inner`; Format::json gives `inner` itself.
[[nodiscard]] std::unique_ptr<ByteSink> compressed(Format format, std::unique_ptr<ByteSink> inner);

/// Passes on only the first two thirds of what it gets. It must hold everything back until the end, so it is for small
/// damaged files only.
[[nodiscard]] std::unique_ptr<ByteSink> without_last_third(std::unique_ptr<ByteSink> inner);

/// ".pt.trace.json" with the ending of the format.
[[nodiscard]] std::string_view file_ending(Format format);

}  // namespace warpscope::tracegen
