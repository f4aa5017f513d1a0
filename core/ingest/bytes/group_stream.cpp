// Concatenates the plain-text files of a group (see file_group.hpp) into one text. Replaces unreadable parts with
// blanks, so the offsets of all other text stay the same.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/file_group.hpp"
#include "core/ingest/bytes/compressed_input.hpp"

namespace warpscope::ingest {

namespace {

class GroupStream final : public ByteStream {
 public:
  GroupStream(std::string path, std::vector<GroupFile> files, const FileStamp& stamp, std::uint64_t offset,
              const CancelToken* cancel)
      : path_(std::move(path)), files_(std::move(files)), stamp_(stamp), cancel_(cancel), position_(offset) {
    while (next_ < files_.size() && begin_ + files_[next_].size <= offset) begin_ += files_[next_++].size;
  }

  Result<std::size_t> read(std::span<char> into) override {
    if (cancel_ != nullptr && cancel_->cancelled()) return cancelled_error(path_);
    while (next_ < files_.size() && position_ >= begin_ + files_[next_].size) {
      begin_ += files_[next_++].size;
      file_.reset();
    }
    if (next_ == files_.size()) return std::size_t{0};
    const GroupFile& part = files_[next_];
    if (!file_)
      if (auto opened = FileSource::open(part.path)) file_ = std::move(*opened);
    const std::uint64_t at = position_ - begin_;
    into = into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), part.size - at)));
    auto got = file_ ? file_->read_at(at, into) : Result<std::size_t>(std::size_t{0});
    if (!got || *got == 0) {
      std::ranges::fill(into, ' ');
      got = into.size();
    }
    position_ += *got;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return position_; }
  [[nodiscard]] const FileStamp& stamp() const override { return stamp_; }

 private:
  std::string path_;
  std::vector<GroupFile> files_;
  FileStamp stamp_;
  const CancelToken* cancel_;
  std::uint64_t position_;  // in the whole text
  std::size_t next_ = 0;    // the file at that position
  std::uint64_t begin_ = 0;
  std::optional<FileSource> file_;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> open_group_stream(const std::string& path, std::uint64_t offset,
                                                      const OpenOptions& options) {
  std::vector<GroupFile> files = files_of_group(path);
  if (files.empty()) return Error{path, "no such files", "check the path"};
  const FileStamp stamp = stamp_of(stamp_of_group(files));
  if (options.expected != FileStamp{} && stamp != options.expected)
    return Error{path, "the source has changed since it was read", "reload it"};
  return std::unique_ptr<ByteStream>(
      std::make_unique<GroupStream>(path, std::move(files), stamp, offset, options.cancel));
}

}  // namespace warpscope::ingest
