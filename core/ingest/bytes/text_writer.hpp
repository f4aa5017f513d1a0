#pragma once
// Writes a text file piece by piece, plain or gzip-compressed. Replaces the old file only when the new one is complete
// and synced to disk (NewFile).
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace warpscope::ingest {

class TextWriter {
 public:
  enum class Packing : std::uint8_t { none, gzip };

  /// Starts writing the file `path`. Errors: the file cannot be created.
  static Result<TextWriter> create(const std::string& path, Packing packing);

  TextWriter(TextWriter&&) noexcept;
  TextWriter& operator=(TextWriter&&) noexcept;
  ~TextWriter();

  /// Errors: disk full, no permission. After an error, all later calls fail too.
  [[nodiscard]] Failure write(std::string_view text);
  /// Writes the remaining data and renames the file into place. Call once.
  [[nodiscard]] Failure finish();
  /// Returns the size of the finished file.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct State;
  explicit TextWriter(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace warpscope::ingest
