#include "core/ingest/bytes/byte_stream.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/ingest/bytes/compressed_input.hpp"
#include "core/ingest/bytes/content_kind.hpp"

namespace warpscope::ingest {
namespace {

class PlainStream final : public ByteStream {
 public:
  PlainStream(FileSource file, const CancelToken* cancel, std::uint64_t position)
      : file_(std::move(file)), cancel_(cancel), position_(position) {}

  Result<std::size_t> read(std::span<char> into) override {
    if (cancel_ != nullptr && cancel_->cancelled()) return cancelled_error(file_.path());
    auto got = file_.read_at(position_, into);
    if (got.ok()) position_ += *got;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return position_; }
  [[nodiscard]] const FileStamp& stamp() const override { return file_.stamp(); }
  [[nodiscard]] const FileSource* plain() const override { return &file_; }

 private:
  FileSource file_;
  const CancelToken* cancel_;
  std::uint64_t position_;
};

constexpr const char* kShown = "showing all readable text; copy or record the file again";
constexpr const char* kNothingShown = "no text could be read; copy or record the file again";
constexpr std::size_t kSkipBlock = std::size_t{256} << 10;

struct Recognised {
  FileSource file;
  ContentKind kind;  ///< never foreign
};

Result<Recognised> recognise(const std::string& path, const FileStamp& expected) {
  auto file = FileSource::open(path);
  if (!file.ok()) return file.error();
  if (expected != FileStamp{} && file->stamp() != expected)
    return Error{path, "the source has changed since it was read", "reload it"};
  const auto head = file->text_at(0, kContentHead);
  if (!head) return head.error();
  if (head->empty())
    return Error{path, "is empty (0 bytes)", "the program writing it was probably killed; record the trace again"};
  const ContentKind kind = content_kind(*head);
  if (kind == ContentKind::foreign) {
    const std::string what(describe_foreign(*head));
    const bool encoded = what.starts_with("UTF-");
    return Error{path, "is " + what + ", not " + (encoded ? "UTF-8" : "a trace"),
                 encoded ? "convert it: iconv -f " + what.substr(0, what.find(' ')) + " -t UTF-8"
                         : "provide JSON text, plain or compressed with gzip or zstd"};
  }
  return Recognised{std::move(*file), kind};
}

std::unique_ptr<ByteStream> make_stream(Recognised from, const OpenOptions& options) {
  if (from.kind == ContentKind::gzip) return make_gzip_stream(std::move(from.file), options);
  if (from.kind == ContentKind::zstd) return make_zstd_stream(std::move(from.file), options);
  return std::make_unique<PlainStream>(std::move(from.file), options.cancel, 0);
}

Failure skip_text(ByteStream& stream, std::uint64_t count, const std::string& path) {
  std::vector<char> block(static_cast<std::size_t>(std::min<std::uint64_t>(count, kSkipBlock)));
  while (count > 0) {
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(count, block.size()));
    const auto got = stream.read(std::span(block.data(), want));
    if (!got.ok()) return got.error();
    if (*got == 0) return Error{path, "the text ends before the requested position", "reload it"};
    count -= *got;
  }
  return {};
}

}  // namespace

Error cancelled_error(const std::string& path) { return {path, "reading was cancelled", ""}; }

Result<std::span<const char>> PackedStream::available() {
  if (used_ == filled_) {
    base_ += used_;
    used_ = 0;
    filled_ = 0;
    const auto got = file_.read_at(base_, block_);
    if (!got.ok()) return got.error();
    filled_ = *got;
  }
  return std::span<const char>(block_.data() + used_, filled_ - used_);
}

Result<std::size_t> PackedStream::read(std::span<char> into) {
  for (;;) {
    if (cancelled() && !error_) fail(cancelled_error(file_.path()));
    if (error_) return *error_;
    if (ended_) return std::size_t{0};
    const auto input = available();
    if (!input.ok())
      fail(input.error());
    else if (const std::size_t produced = decompress(*input, into); produced > 0)
      return produced;
  }
}

void PackedStream::end(bool within) {
  ended_ = true;
  if (within)
    damages_.push_back(
        {text_,
         {file_.path(), "truncated: the " + name_ + " data ends after " + std::to_string(position()) + " bytes",
          text_ == 0 ? kNothingShown : kShown},
         true});
  if (!damages_.empty()) fail(damages_.front().error);
}

void PackedStream::give_up(Error error) {
  note(std::move(error));
  fail(damages_.front().error);
}

Error PackedStream::damaged(const char* what, std::size_t ahead) const {
  return {file_.path(),
          "the " + name_ + " data is corrupt near byte " + std::to_string(position() - ahead) + " of " +
              std::to_string(stamp().size) + " (" + what + ")",
          kShown};
}

Result<std::unique_ptr<ByteStream>> open_byte_stream(const std::string& path, const OpenOptions& options) {
  if (is_group(path)) return open_group_stream(path, 0, options);
  auto found = recognise(path, options.expected);
  if (!found.ok()) return found.error();
  return make_stream(std::move(*found), options);
}

Result<std::unique_ptr<ByteStream>> open_byte_stream_at(const std::string& path, std::uint64_t offset,
                                                        const OpenOptions& options) {
  if (is_group(path)) return open_group_stream(path, offset, options);
  auto found = recognise(path, options.expected);
  if (!found.ok()) return found.error();
  if (found->kind == ContentKind::text)
    return std::unique_ptr<ByteStream>(std::make_unique<PlainStream>(std::move(found->file), options.cancel, offset));
  auto stream = make_stream(std::move(*found), options);
  if (auto failure = skip_text(*stream, offset, path)) return *failure;
  return stream;
}

}  // namespace warpscope::ingest
