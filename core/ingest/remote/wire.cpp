#include "core/ingest/remote/wire.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

namespace warpscope::ingest {

namespace {

constexpr std::string_view kGreeting = "\nwarpscope serves\n";
constexpr std::size_t kMostNoise = std::size_t{1} << 20;  // that login scripts may print
constexpr int kLookMs = 100;
constexpr std::size_t kFrame = 5;

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

bool Wire::greet() const { return write(bytes_of(kGreeting)); }

bool Wire::await_greeting(const std::function<bool()>& stopped) {
  std::size_t matched = 0;
  for (std::size_t skipped = 0; skipped < kMostNoise; ++skipped) {
    std::array<std::uint8_t, 1> next{};
    if (!fill(next, stopped)) return false;
    const char c = static_cast<char>(next[0]);
    // The greeting's first character occurs again only at its end.
    matched = c == kGreeting[matched] ? matched + 1 : c == kGreeting[0] ? 1 : 0;
    if (matched == kGreeting.size()) return true;
  }
  return false;
}

bool Wire::send(Message kind, std::span<const std::uint8_t> content) const {
  std::vector<std::uint8_t> frame;
  frame.reserve(kFrame + content.size());
  store::append_little_endian(frame, content.size(), 4);
  frame.push_back(static_cast<std::uint8_t>(kind));
  frame.insert(frame.end(), content.begin(), content.end());
  return write(frame);
}

std::optional<Wire::Received> Wire::receive(const std::function<bool()>& stopped) {
  std::array<std::uint8_t, kFrame> frame{};
  if (!fill(frame, stopped)) return std::nullopt;
  std::uint64_t size = 0;
  for (std::size_t i = 4; i-- > 0;) size = size << 8 | frame[i];
  if (size > 2 * kMostBytes) return std::nullopt;
  Received received{static_cast<Message>(frame[4]), std::vector<std::uint8_t>(size)};
  if (!fill(received.content, stopped)) return std::nullopt;
  return received;
}

bool Wire::fill(std::span<std::uint8_t> into, const std::function<bool()>& stopped) {
  while (!into.empty()) {
    pollfd ready{in_, POLLIN, 0};
    const int came = ::poll(&ready, 1, stopped ? kLookMs : -1);
    if (came < 0 && errno != EINTR) return false;
    if (came <= 0) {
      if (stopped && stopped()) return false;
      continue;
    }
    const ::ssize_t got = ::read(in_, into.data(), into.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return false;
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

bool Wire::write(std::span<const std::uint8_t> bytes) const {
  while (!bytes.empty()) {
    // A closed socket is an error here, not a signal; the server's output may be a pipe.
    ::ssize_t put = ::send(out_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put < 0 && errno == ENOTSOCK) put = ::write(out_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return true;
}

}  // namespace warpscope::ingest
