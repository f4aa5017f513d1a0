#include "core/ingest/bytes/text_writer.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

namespace warpscope::ingest {
namespace {

constexpr std::size_t kOutputBlock = std::size_t{256} << 10;
constexpr int kGzipWindow = 15 + 16;  // with gzip's header
constexpr int kMemory = 8;

}  // namespace

struct TextWriter::State {
  std::string path;
  std::string draft;
  int descriptor = -1;
  std::optional<z_stream> gzip{};
  std::vector<unsigned char> packed{};
  std::uint64_t bytes = 0;
  Failure failed{};

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (gzip) ::deflateEnd(&*gzip);
    if (descriptor >= 0) ::close(descriptor);
    if (!draft.empty()) ::unlink(draft.c_str());
  }

  Failure fail(int error) {
    failed = Error{path, std::string("cannot be written: ") + std::strerror(error), "choose another file"};
    if (error == ENOSPC || error == EFBIG || error == EDQUOT)
      failed->advice = "free disk space, or write it to another disk";
    return failed;
  }

  Failure put(const void* data, std::size_t size) {
    const char* at = static_cast<const char*>(data);
    while (size > 0) {
      const ssize_t put = ::write(descriptor, at, size);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return fail(errno);
      at += put;
      size -= static_cast<std::size_t>(put);
      bytes += static_cast<std::uint64_t>(put);
    }
    return {};
  }

  Failure pack(std::string_view text, int flush) {
    // zlib counts in 32 bits.
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    do {
      const std::string_view piece = text.substr(0, kMost);
      text.remove_prefix(piece.size());
      gzip->next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(piece.data()));
      gzip->avail_in = static_cast<uInt>(piece.size());
      do {
        gzip->next_out = packed.data();
        gzip->avail_out = static_cast<uInt>(packed.size());
        ::deflate(&*gzip, text.empty() ? flush : Z_NO_FLUSH);
        if (auto failure = put(packed.data(), packed.size() - gzip->avail_out)) return failure;
      } while (gzip->avail_out == 0);
    } while (!text.empty());
    return {};
  }
};

TextWriter::TextWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
TextWriter::TextWriter(TextWriter&&) noexcept = default;
TextWriter& TextWriter::operator=(TextWriter&&) noexcept = default;
TextWriter::~TextWriter() = default;

Result<TextWriter> TextWriter::create(std::string path, Packing packing) {
  auto state = std::make_unique<State>();
  state->path = std::move(path);
  std::string draft = state->path + ".tmp-XXXXXX";
  state->descriptor = ::mkostemp(draft.data(), O_CLOEXEC);
  if (state->descriptor < 0) return *state->fail(errno);
  state->draft = std::move(draft);
  if (packing == Packing::gzip) {
    state->packed.resize(kOutputBlock);
    state->gzip.emplace();
    if (::deflateInit2(&*state->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      state->gzip.reset();
      return *state->fail(ENOMEM);
    }
  }
  return TextWriter(std::move(state));
}

Failure TextWriter::write(std::string_view text) {
  if (state_->failed || text.empty()) return state_->failed;
  return state_->gzip ? state_->pack(text, Z_NO_FLUSH) : state_->put(text.data(), text.size());
}

Failure TextWriter::finish() {
  if (state_->failed) return state_->failed;
  if (state_->gzip)
    if (auto failure = state_->pack({}, Z_FINISH)) return failure;
  if (::fsync(state_->descriptor) != 0) return state_->fail(errno);
  if (std::rename(state_->draft.c_str(), state_->path.c_str()) != 0) return state_->fail(errno);
  state_->draft.clear();
  return {};
}

std::uint64_t TextWriter::bytes() const { return state_->bytes; }

}  // namespace warpscope::ingest
