#include "core/ingest/byte_stream.hpp"

#include <array>
#include <string_view>

#include "core/ingest/compressed_input.hpp"
#include "core/ingest/content_kind.hpp"

namespace warpscope::ingest {
namespace {

class PlainStream final : public ByteStream {
 public:
  PlainStream(FileSource file, const CancelToken* cancel) : file_(std::move(file)), cancel_(cancel) {}

  Result<std::size_t> read(std::span<char> into) override {
    if (cancel_ != nullptr && cancel_->cancelled()) return cancelled_error(file_.path());
    auto got = file_.read_at(position_, into);
    if (got.ok()) position_ += *got;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return position_; }
  [[nodiscard]] const FileStamp& stamp() const override { return file_.stamp(); }

 private:
  FileSource file_;
  const CancelToken* cancel_;
  std::uint64_t position_ = 0;
};

}  // namespace

Error cancelled_error(const std::string& path) { return {path, "reading was cancelled", ""}; }

CompressedInput::CompressedInput(FileSource file, const CancelToken* cancel)
    : file_(std::move(file)), cancel_(cancel), block_(kInputBlock) {}

Result<std::span<const char>> CompressedInput::available() {
  if (used_ == filled_) {
    if (cancel_ != nullptr && cancel_->cancelled()) return cancelled_error(file_.path());
    const auto got = file_.read_at(base_ + used_, block_);
    if (!got.ok()) return got.error();
    base_ += used_;
    used_ = 0;
    filled_ = *got;
  }
  return std::span<const char>(block_.data() + used_, filled_ - used_);
}

Result<std::unique_ptr<ByteStream>> open_byte_stream(const std::string& path, const CancelToken* cancel) {
  auto file = FileSource::open(path);
  if (!file.ok()) return file.error();
  std::array<char, 512> bytes{};
  const auto got = file->read_at(0, bytes);
  if (!got.ok()) return got.error();
  if (*got == 0)
    return Error{path, "is empty (0 bytes)", "the program that wrote it was probably stopped; record the trace again"};
  const std::string_view head(bytes.data(), *got);
  switch (content_kind(head)) {
    case ContentKind::gzip:
      return make_gzip_stream(std::move(*file), cancel);
    case ContentKind::zstd:
      return make_zstd_stream(std::move(*file), cancel);
    case ContentKind::text:
      return std::unique_ptr<ByteStream>(std::make_unique<PlainStream>(std::move(*file), cancel));
    case ContentKind::foreign:
      break;
  }
  return Error{path, "is " + std::string(describe_foreign(head)) + ", not a trace",
               "give JSON text, plain or compressed with gzip or zstd"};
}

}  // namespace warpscope::ingest
