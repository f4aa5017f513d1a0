#pragma once
// A text file written piece by piece, plain or compressed with gzip. What was there before is replaced only once the
// new file is whole: until then it has another name beside it, and without finish() nothing is left of it.
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace warpscope::ingest {

class TextWriter {
 public:
  enum class Packing : std::uint8_t { none, gzip };

  /// Begins a file that will be at `path`. Errors: it cannot be made there.
  static Result<TextWriter> create(std::string path, Packing packing);

  TextWriter(TextWriter&&) noexcept;
  TextWriter& operator=(TextWriter&&) noexcept;
  ~TextWriter();

  /// Errors: no room, no permission; every later call then fails too.
  [[nodiscard]] Failure write(std::string_view text);
  /// Writes what is left and puts the file in its place. Call it once.
  [[nodiscard]] Failure finish();
  /// Bytes of the file, once finished.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct State;
  explicit TextWriter(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace warpscope::ingest
