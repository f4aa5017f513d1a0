#include "core/ingest/bytes/text_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/base/descriptor.hpp"

namespace warpscope::ingest {
namespace {

constexpr unsigned kOutputBlock = 256u << 10;

}  // namespace

struct TextWriter::State {
  std::string path;
  std::string draft;
  Descriptor descriptor;
  gzFile text = nullptr;  // has a separate descriptor for the file; also writes plain text
  Failure failed{};

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (text != nullptr) ::gzclose(text);
    if (!draft.empty()) ::unlink(draft.c_str());
  }

  Failure fail(int error) {
    failed = Error{path, std::string("cannot be written: ") + std::strerror(error), "choose another file"};
    if (error == ENOSPC || error == EFBIG || error == EDQUOT)
      failed->advice = "free disk space or write to another disk";
    return failed;
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
  state->descriptor = Descriptor(::mkostemp(draft.data(), O_CLOEXEC));
  if (!state->descriptor) return *state->fail(errno);
  state->draft = std::move(draft);
  const int own = ::fcntl(state->descriptor.get(), F_DUPFD_CLOEXEC, 0);
  if (own < 0) return *state->fail(errno);
  state->text = ::gzdopen(own, packing == Packing::gzip ? "wb" : "wbT");
  if (state->text == nullptr) {
    ::close(own);
    return *state->fail(ENOMEM);
  }
  ::gzbuffer(state->text, kOutputBlock);
  return TextWriter(std::move(state));
}

Failure TextWriter::write(std::string_view text) {
  if (state_->failed || text.empty()) return state_->failed;
  if (::gzfwrite(text.data(), 1, text.size(), state_->text) != text.size()) return state_->fail(errno);
  return {};
}

Failure TextWriter::finish() {
  if (state_->failed) return state_->failed;
  if (::gzclose(std::exchange(state_->text, nullptr)) != Z_OK) return state_->fail(errno);
  if (::fsync(state_->descriptor.get()) != 0) return state_->fail(errno);
  if (std::rename(state_->draft.c_str(), state_->path.c_str()) != 0) return state_->fail(errno);
  state_->draft.clear();
  return {};
}

std::uint64_t TextWriter::bytes() const {
  struct stat status {};
  ::fstat(state_->descriptor.get(), &status);
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace warpscope::ingest
