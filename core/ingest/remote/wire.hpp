#pragma once
// The connection between a Warpscope and the `warpscope serve` that it started on another machine: messages over two
// streams, such as those of ssh. What a login script prints before the first message is skipped.
//
// The server sends hello, then progress while it reads traces, and then files or failed. From then on it answers each
// read with bytes or unreadable and each fetch with pending, part, declined or failed, in order, until its input ends.
// A message consists of the length of its content (4 bytes, little-endian), its kind (1 byte) and its content.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/store/byte_stream.hpp"

namespace warpscope::ingest {

enum class Message : std::uint8_t {
  hello = 1,   ///< text version of the program, number kWireVersion, number store::kVersion
  progress,    ///< text what, number done, number total (bytes)
  failed,      ///< text where, text what, text advice
  files,       ///< flag shards; number files, for each: text path, number size, number key of the content
  read,        ///< number file, number offset, number size (at most kMostBytes)
  bytes,       ///< as asked for
  unreadable,  ///< empty
  ask,         ///< number id, text question, text content
  fetch,       ///< number id of a question, number offset in the answer
  pending,     ///< empty: there is no answer yet
  part,        ///< number size of the answer, text part of it (at most kMostBytes); after the last, its id is free
  declined,    ///< empty: the question is unknown here
  drop,        ///< number id of a question whose answer is no longer wanted
};

inline constexpr std::uint32_t kWireVersion = 2;
/// Most bytes that one read may ask for.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

class Wire {
 public:
  /// `in` and `out` may be the same number; this object does not close them.
  Wire(int in, int out) : in_(in), out_(out) {}

  /// Begins the conversation on the server's side.
  [[nodiscard]] bool greet() const;
  /// Skips everything up to the greeting. Returns false at the end or once `stopped` returns true.
  [[nodiscard]] bool await_greeting(const std::function<bool()>& stopped);

  /// Returns false if the other end is gone.
  [[nodiscard]] bool send(Message kind, std::span<const std::uint8_t> content) const;
  [[nodiscard]] bool send(Message kind, const store::StreamWriter& content) const {
    return send(kind, content.bytes());
  }

  struct Received {
    Message kind{};
    std::vector<std::uint8_t> content;
  };
  /// Waits for the next message. Returns nullopt at the end, after invalid input, or once `stopped` (may be empty),
  /// called every 100 ms while nothing comes, returns true.
  [[nodiscard]] std::optional<Received> receive(const std::function<bool()>& stopped);

 private:
  [[nodiscard]] bool fill(std::span<std::uint8_t> into, const std::function<bool()>& stopped);
  [[nodiscard]] bool write(std::span<const std::uint8_t> bytes) const;

  int in_;
  int out_;
};

}  // namespace warpscope::ingest
