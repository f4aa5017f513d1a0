#include "core/store/stored_archive.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpscope::store {

StoredArchiveWriter::StoredArchiveWriter(StoreWriter& writer, std::size_t source)
    : writer_(writer), source_(source), events_([this](std::span<const char> bytes) -> Failure {
        const auto block = writer_.append_block({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        if (!block) return block.error();
        blocks_.push_back(*block);
        return {};
      }) {}

Failure StoredArchiveWriter::finish() {
  if (Failure failure = events_.finish()) return failure;
  return writer_.set_archive(source_, blocks_, {});
}

Result<std::shared_ptr<const EventArchiveReader>> open_stored_archive(const StoreFile& file, std::size_t source) {
  auto archive = file.archive(source);
  if (!archive) return archive.error();
  // Start of each block within the archive, and the end of the last.
  std::vector<std::uint64_t> begins{0};
  for (const BytesRef& block : archive->blocks) begins.push_back(begins.back() + block.size);
  const std::uint64_t size = begins.back();
  const auto fetch = [file, blocks = std::move(archive->blocks), begins = std::move(begins)](
                         std::uint64_t position, std::span<char> into) -> Failure {
    while (!into.empty()) {
      const auto next = std::upper_bound(begins.begin(), begins.end(), position);
      if (next == begins.begin() || next == begins.end())
        return Error{"", "an archive of the store is truncated", "open the traces again"};
      const auto number = static_cast<std::size_t>(next - begins.begin() - 1);
      const auto bytes = file.read_block(blocks[number]);
      if (!bytes) return bytes.error();
      const std::size_t skip = position - begins[number];
      const std::size_t take = std::min(into.size(), bytes->size() - skip);
      std::memcpy(into.data(), bytes->data() + skip, take);
      into = into.subspan(take);
      position += take;
    }
    return {};
  };
  auto reader = EventArchiveReader::open(size, fetch);
  if (!reader) return reader.error();
  return std::shared_ptr<const EventArchiveReader>(std::move(*reader));
}

Error archive_error(const StoreFile& file, const Error& error) {
  return {file.name(), error.what, "copy the file again, or convert the traces again"};
}

Result<std::size_t> copy_stored_source(StoreWriter& writer, const StoreFile& from, std::size_t source) {
  const auto noted = [&](const Error& error) {
    from.note_damage(error);
    return error;
  };
  if (source < from.sources().size() && from.sources()[source].archive) {
    const auto archive = open_stored_archive(from, source);
    if (!archive) return noted(archive_error(from, archive.error()));
    if (const Failure damage = (*archive)->verify()) return noted(archive_error(from, *damage));
  }
  return writer.copy_source(from, source);
}

}  // namespace warpscope::store
