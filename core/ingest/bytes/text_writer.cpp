#include "core/ingest/bytes/text_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <utility>

#include "core/base/files/new_file.hpp"

namespace warpscope::ingest {
namespace {

constexpr unsigned kOutputBlock = 256u << 10;

}  // namespace

struct TextWriter::State {
  NewFile file;
  gzFile text = nullptr;  // has a separate descriptor for the file; also writes plain text
  Failure failed{};

  explicit State(NewFile created) : file(std::move(created)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (text != nullptr) ::gzclose(text);
  }

  Failure fail(int error) { return failed = file.error(error); }
};

TextWriter::TextWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
TextWriter::TextWriter(TextWriter&&) noexcept = default;
TextWriter& TextWriter::operator=(TextWriter&&) noexcept = default;
TextWriter::~TextWriter() = default;

Result<TextWriter> TextWriter::create(const std::string& path, Packing packing) {
  auto file = NewFile::create(path);
  if (!file) return file.error();
  auto state = std::make_unique<State>(std::move(*file));
  const int own = ::fcntl(state->file.descriptor(), F_DUPFD_CLOEXEC, 0);
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
  return state_->failed = state_->file.finish(Sync::yes);
}

std::uint64_t TextWriter::bytes() const {
  struct stat status {};
  ::fstat(state_->file.descriptor(), &status);
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace warpscope::ingest
