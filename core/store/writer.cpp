#include "core/store/writer.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/base/format.hpp"
#include "core/base/natural_order.hpp"
#include "core/store/byte_stream.hpp"
#include "core/store/rank_writer.hpp"
#include "core/store/reader.hpp"
#include "core/store/section_reader.hpp"

namespace warpscope::store {

namespace fs = std::filesystem;

namespace {

constexpr const char* kProgram = "warpscope";
/// zstd level for event text. Its blocks are short and repetitive, so a higher level costs little.
constexpr int kBlockLevel = 12;

/// Returns the header of a file of `size` bytes.
std::vector<std::uint8_t> header(std::uint64_t size) {
  std::vector<std::uint8_t> bytes(kMagic.begin(), kMagic.end());
  append_little_endian(bytes, kVersion, 4);
  bytes.resize(kSizeInHeader);
  append_little_endian(bytes, size, 8);
  bytes.resize(kHeaderBytes);
  return bytes;
}

fs::path folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

}  // namespace

Result<std::unique_ptr<StoreWriter>> StoreWriter::create(const std::string& path, Options options) {
  remove_drafts(folder_of(path), fs::path(path).filename().string());
  auto draft = make_draft(path, options.shared);
  if (!draft) return draft.error();
  std::unique_ptr<StoreWriter> writer(new StoreWriter(path, std::move(*draft), options));
  std::uint64_t offset = 0;
  if (auto failure = writer->append(header(0), offset)) return *failure;
  return writer;
}

StoreWriter::~StoreWriter() {
  if (!finished_) ::unlink(draft_.path.c_str());
}

Error StoreWriter::too_large() const {
  return {path_,
          "a store for these traces exceeds the size limit for all stores (" +
              format_bytes(static_cast<std::int64_t>(options_.most_bytes)) + ")",
          "raise the limit in the settings, or use `warpscope convert`"};
}

Error StoreWriter::cannot_write(const char* why) const {
  return {path_, std::string("the store cannot be written: ") + why, "check the free space on its disk"};
}

Error StoreWriter::cannot_write(int error) const {
  Error said = cannot_write(std::strerror(error));
  if (error == EFBIG) said.advice = "raise the file size limit (ulimit -f), or write to another disk";
  return said;
}

Failure StoreWriter::write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  if (draft_.file->write(offset, bytes)) return std::nullopt;
  const Error error = cannot_write(errno);
  const MutexLock lock(mutex_);
  if (!failed_) failed_ = error;
  return error;
}

Failure StoreWriter::reserve(std::uint64_t size, std::uint64_t& offset) {
  const MutexLock lock(mutex_);
  if (failed_) return failed_;
  if (finished_) return cannot_write("it is already finished");
  if (options_.most_bytes > 0 && size > options_.most_bytes - std::min(end_, options_.most_bytes))
    failed_ = too_large();
  if (failed_) return failed_;
  offset = end_;
  end_ += size;
  return std::nullopt;
}

Failure StoreWriter::append(std::span<const std::uint8_t> bytes, std::uint64_t& offset) {
  if (auto failure = reserve(bytes.size(), offset)) return failure;
  return write_at(offset, bytes);
}

Result<StoreWriter::Added> StoreWriter::add_rank(const trace::Rank& rank, const SourceKey& key,
                                                 const std::shared_ptr<trace::Dictionary>& dictionary) {
  auto body = write_rank(rank, *dictionary, options_.packing, options_.cancel);
  if (!body) return body.error();
  SourceEntry entry;
  entry.key = key;
  entry.slices = body->slices;
  entry.rank = RankPlace{0, body->bytes.size(), body->head};
  if (auto failure = append(body->bytes, entry.rank->base)) return *failure;
  body->bytes = {};
  auto stored = read_rank(draft_.file, *entry.rank, dictionary, !options_.packing.plain);
  if (!stored) return stored.error();
  const MutexLock lock(mutex_);
  sources_.push_back(std::move(entry));
  return Added{sources_.size() - 1, std::move(*stored)};
}

Failure StoreWriter::add_metrics(const trace::NodeMetrics& metrics) {
  MetricsBytes packed = write_metrics(metrics, options_.packing);
  std::uint64_t offset = 0;
  if (auto failure = append(packed.bytes, offset)) return failure;
  packed.place.head.offset += offset;
  if (!packed.place.columns.none()) packed.place.columns.offset += offset;
  const MutexLock lock(mutex_);
  metrics_.push_back(packed.place);
  return std::nullopt;
}

Result<std::size_t> StoreWriter::add_source(const SourceKey& key) {
  const MutexLock lock(mutex_);
  if (failed_) return *failed_;
  if (finished_) return cannot_write("it is already finished");
  sources_.push_back({key, std::nullopt, 0, std::nullopt});
  return sources_.size() - 1;
}

Result<std::size_t> StoreWriter::copy_source(const StoreFile& from, std::size_t source) {
  if (source >= from.sources().size()) return Error{path_, "the other store has no such source", ""};
  SourceEntry entry = from.sources()[source];
  entry.archive.reset();
  if (entry.rank) {
    SectionReader reader(*from.bytes_, entry.rank->base, entry.rank->base + entry.rank->length, from.checked_);
    const std::vector<std::uint8_t> body = reader.checked_copy();
    if (!reader.ok()) {
      from.note_damage(reader.why());
      return reader.why();
    }
    if (auto failure = append(body, entry.rank->base)) return *failure;
  }
  const auto noted = [&from](const Error& error) {
    from.note_damage(error);
    return error;
  };
  std::vector<ArchiveBlock> blocks;
  if (from.sources()[source].archive) {
    auto archive = from.archive(source);
    if (!archive) return noted(archive.error());
    blocks = std::move(*archive);
    for (ArchiveBlock& block : blocks) {
      const auto bytes = from.checked_block(block.section);
      if (!bytes) return noted(bytes.error());
      if (auto failure = append(*bytes, block.section.offset)) return *failure;
    }
  }
  std::size_t number = 0;
  {
    const MutexLock lock(mutex_);
    sources_.push_back(std::move(entry));
    number = sources_.size() - 1;
  }
  if (from.sources()[source].archive)
    if (auto failure = set_archive(number, std::move(blocks))) return *failure;
  return number;
}

Result<SectionRef> StoreWriter::append_block(std::span<const std::uint8_t> content) {
  SectionWriter sections({kBlockLevel, options_.packing.plain});
  sections.stream(content);
  SectionRef block = sections.end_section();
  if (auto failure = append(sections.bytes(), block.offset)) return *failure;
  return block;
}

Failure StoreWriter::set_archive(std::size_t source, std::vector<ArchiveBlock> blocks) {
  const MutexLock lock(mutex_);
  if (source >= sources_.size()) return cannot_write("the archive has no source");
  archives_.insert_or_assign(source, std::move(blocks));
  return std::nullopt;
}

Failure StoreWriter::write_archive_index(std::size_t source, const std::vector<ArchiveBlock>& blocks) {
  StreamWriter stream;
  stream.number(blocks.size());
  std::array<std::uint64_t, 2> offsets{};
  for (const ArchiveBlock& block : blocks) {
    stream.ref(block.section);
    stream.byte(block.apart ? 1 : 0);
    stream.number(block.first_offset - std::exchange(offsets[block.apart ? 1 : 0], block.first_offset));
  }
  SectionWriter sections(options_.packing);
  sections.stream(stream.bytes());
  SectionRef index = sections.end_section(kMostStreamRatio);
  if (auto failure = append(sections.bytes(), index.offset)) return failure;
  const MutexLock lock(mutex_);
  sources_[source].archive = index;
  return std::nullopt;
}

Failure StoreWriter::finish(const std::string& root, const Diagnostics& diagnostics) {
  if (options_.cancel != nullptr && options_.cancel->cancelled()) return Error{path_, "was not stored: cancelled", ""};
  std::map<std::size_t, std::vector<ArchiveBlock>> archives;
  {
    const MutexLock lock(mutex_);
    archives = std::exchange(archives_, {});
  }
  for (const auto& [source, blocks] : archives)
    if (auto failure = write_archive_index(source, blocks)) return failure;
  Directory directory;
  directory.program = kProgram;
  directory.root = root;
  directory.diagnostics = diagnostics;
  {
    const MutexLock lock(mutex_);
    directory.sources = sources_;
    directory.metrics = metrics_;
  }
  std::ranges::stable_sort(directory.sources, natural_less,
                           [](const SourceEntry& source) -> const std::string& { return source.key.path; });
  SectionWriter sections(options_.packing);
  sections.stream(write_directory(directory));
  const SectionRef section = sections.end_section(kMostStreamRatio);
  std::vector<std::uint8_t> end = sections.bytes();
  std::uint64_t offset = 0;
  if (auto failure = reserve(end.size() + kTrailerBytes, offset)) return failure;
  std::vector<std::uint8_t> trailer;
  append_little_endian(trailer, offset, 8);
  append_little_endian(trailer, section.stored, 8);
  append_little_endian(trailer, section.content, 8);
  const std::vector<std::uint8_t> head = header(offset + end.size() + kTrailerBytes);
  append_little_endian(trailer, fnv1a(trailer, fnv1a(end, fnv1a(head))), 8);
  trailer.insert(trailer.end(), kEndMagic.begin(), kEndMagic.end());
  end.insert(end.end(), trailer.begin(), trailer.end());
  if (auto failure = write_at(offset, end)) return failure;
  if (auto failure = write_at(0, head)) return failure;
  if (::fsync(draft_.file->descriptor()) != 0) return cannot_write(errno);
  if (::rename(draft_.path.c_str(), path_.c_str()) != 0) return cannot_write(errno);
  {
    const MutexLock lock(mutex_);
    finished_ = true;
  }
  ::flock(draft_.file->descriptor(), LOCK_UN);
  // The file is complete. Syncing the directory, so the name survives a power failure, is best effort.
  if (const int parent = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); parent >= 0) {
    ::fsync(parent);
    ::close(parent);
  }
  return std::nullopt;
}

}  // namespace warpscope::store
