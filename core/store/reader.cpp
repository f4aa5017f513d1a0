#include "core/store/reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/threads/parallel_for.hpp"
#include "core/store/byte_stream.hpp"
#include "core/store/rank_reader.hpp"
#include "core/store/section_reader.hpp"

namespace warpscope::store {

namespace {

std::uint64_t little_endian(std::span<const std::uint8_t> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

constexpr std::string_view kOtherVersion = "the store has format version ";

Error damaged(const StoreBytes& bytes, const std::string& how) {
  return {bytes.name(), "the store is corrupt: " + how, kInsteadOfDamaged};
}

}  // namespace

bool of_other_version(const Error& error) { return error.what.starts_with(kOtherVersion); }

Result<StoreFile> open_store(const std::string& path) {
  auto bytes = open_file_bytes(path);
  if (!bytes) return bytes.error();
  return open_store(*bytes, true);
}

Result<StoreFile> open_store(std::shared_ptr<const StoreBytes> bytes, bool checked) {
  auto opened = StoreFile::open(bytes, checked);
  if (!opened)
    if (Failure unreachable = bytes->unreachable()) return *unreachable;
  return opened;
}

Result<StoreFile> StoreFile::open(std::shared_ptr<const StoreBytes> bytes, bool checked) {
  const std::uint64_t size = bytes->size();
  std::array<std::uint8_t, kHeaderBytes> header{};
  const std::span<const std::uint8_t> head = header;
  if (size < kMagic.size() || !bytes->read(0, std::span(header).first(std::min<std::uint64_t>(size, kHeaderBytes))) ||
      !std::equal(kMagic.begin(), kMagic.end(), header.begin()))
    return Error{bytes->name(), "is not a Warpscope store", ""};
  Error cut_off{bytes->name(), "the store is truncated", kInsteadOfCutOff};
  if (size < kHeaderBytes) return cut_off;
  const std::uint64_t version = little_endian(head.subspan(8, 4));
  if (version != kVersion)
    return Error{bytes->name(),
                 std::string(kOtherVersion) + std::to_string(version) + "; this program reads version " +
                     std::to_string(kVersion),
                 kInsteadOfDamaged};
  const std::uint64_t whole = little_endian(head.subspan(kSizeInHeader, 8));
  if (whole >= kHeaderBytes + kTrailerBytes && whole < size)
    return damaged(*bytes, "it is longer than when it was written: " + std::to_string(size) + " bytes, not " +
                               std::to_string(whole));
  if (whole > size)
    cut_off.what += ": " + std::to_string(size) + " of its " + std::to_string(whole) + " bytes are present";
  std::array<std::uint8_t, kTrailerBytes> trailer{};
  const std::span<const std::uint8_t> tail = trailer;
  if (size < kHeaderBytes + kTrailerBytes || !bytes->read(size - kTrailerBytes, trailer) ||
      std::memcmp(trailer.data() + 32, kEndMagic.data(), kEndMagic.size()) != 0)
    return whole == size ? damaged(*bytes, "the trailer is invalid") : cut_off;

  const SectionRef place{little_endian(tail.first(8)), little_endian(tail.subspan(8, 8)),
                         little_endian(tail.subspan(16, 8))};
  const std::uint64_t end = size - kTrailerBytes;
  if (place.offset < kHeaderBytes || place.offset > end || place.stored != end - place.offset)
    return damaged(*bytes, "the directory is misplaced");
  if (checked) {
    std::vector<std::uint8_t> stored(place.stored);
    if (!bytes->read(place.offset, stored)) return cut_off;
    const std::uint64_t hash = fnv1a(tail.first(24), fnv1a(stored, fnv1a(header)));
    if (hash != little_endian(tail.subspan(24, 8))) return damaged(*bytes, "the directory's checksum is wrong");
  }
  SectionReader reader(*bytes, 0, end, checked);
  const std::vector<std::uint8_t> content = reader.whole(place);
  if (!reader.ok()) return reader.why();
  auto directory = read_directory(content, place.offset);
  if (!directory) return damaged(*bytes, "the directory is inconsistent");
  StoreFile file;
  file.bytes_ = std::move(bytes);
  file.directory_ = std::make_shared<const Directory>(std::move(*directory));
  file.checked_ = checked;
  return file;
}

Result<std::shared_ptr<const trace::Rank>> StoreFile::rank(std::size_t source,
                                                           std::shared_ptr<trace::Dictionary> dictionary) const {
  if (source >= sources().size() || !sources()[source].rank)
    return Error{bytes_->name(), "the store has no such rank", ""};
  return read_rank(bytes_, *sources()[source].rank, std::move(dictionary), checked_);
}

void StoreFile::expect_ranks() const {
  if (!bytes_->distant()) return;
  std::vector<ByteRange> ranges;
  for (const SourceEntry& source : sources())
    if (source.rank) ranges.push_back({source.rank->base + source.rank->head.offset, source.rank->head.stored});
  bytes_->expect(ranges);
  ranges.clear();
  for (const SourceEntry& source : sources())
    if (source.rank)
      for (const ByteRange& range : opening_ranges(*bytes_, *source.rank)) ranges.push_back(range);
  bytes_->expect(ranges);
}

std::vector<StoreFile::OpenedRank> StoreFile::each_rank(const std::shared_ptr<trace::Dictionary>& dictionary,
                                                        unsigned threads) const {
  std::vector<OpenedRank> ranks;
  for (std::size_t source = 0; source < sources().size(); ++source)
    if (sources()[source].rank) ranks.push_back({source, std::shared_ptr<const trace::Rank>()});
  expect_ranks();
  parallel_for(ranks.size(), threads, [&](std::size_t i) { ranks[i].rank = rank(ranks[i].source, dictionary); });
  return ranks;
}

std::vector<Result<std::shared_ptr<const trace::NodeMetrics>>> StoreFile::each_metrics() const {
  std::vector<Result<std::shared_ptr<const trace::NodeMetrics>>> nodes;
  for (const MetricsPlace& place : directory_->metrics) nodes.push_back(read_metrics(*bytes_, place, checked_));
  return nodes;
}

Result<std::vector<std::shared_ptr<const trace::NodeMetrics>>> StoreFile::metrics() const {
  std::vector<std::shared_ptr<const trace::NodeMetrics>> nodes;
  for (auto& node : each_metrics()) {
    if (!node) return node.error();
    nodes.push_back(std::move(*node));
  }
  return nodes;
}

Result<std::vector<ArchiveBlock>> StoreFile::archive(std::size_t source) const {
  if (source >= sources().size() || !sources()[source].archive)
    return Error{bytes_->name(), "the store has no event text for this source", ""};
  const std::uint64_t end = bytes_->size();
  SectionReader reader(*bytes_, 0, end, checked_);
  const std::vector<std::uint8_t> content = reader.whole(*sources()[source].archive);
  if (!reader.ok()) return Error{bytes_->name(), reader.why().what, kInsteadOfCutOff};
  StreamReader stream(content);
  std::vector<ArchiveBlock> blocks;
  std::array<std::uint64_t, 2> offsets{};
  for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
    const SectionRef section = stream.ref();
    const bool apart = stream.flag();
    std::uint64_t& offset = offsets[apart ? 1 : 0];
    const std::uint64_t step = stream.number_to(std::numeric_limits<std::uint64_t>::max() - offset);
    if (section.offset > end || section.stored > end - section.offset) stream.fail();
    blocks.push_back({section, offset += step, apart});
  }
  if (!stream.ok() || stream.left() != 0) return damaged(*bytes_, "an archive is inconsistent");
  return blocks;
}

Error StoreFile::damaged_events() const { return {bytes_->name(), "the store's events are corrupt", kInsteadOfCutOff}; }

Result<std::vector<std::uint8_t>> StoreFile::read_block(const SectionRef& block) const {
  SectionReader reader(*bytes_, 0, bytes_->size(), checked_);
  std::vector<std::uint8_t> content = reader.whole(block, kMostRatio);
  if (!reader.ok()) return damaged_events();
  return content;
}

Result<std::vector<std::uint8_t>> StoreFile::checked_block(const SectionRef& block) const {
  SectionReader reader(*bytes_, block.offset, block.offset + block.stored, checked_);
  std::vector<std::uint8_t> stored = reader.checked_copy();
  if (!reader.ok()) return damaged_events();
  return stored;
}

Failure StoreFile::verify_source(std::size_t source, const CancelToken* cancel) const {
  if (const auto& place = sources()[source].rank) {
    const auto opened = rank(source, std::make_shared<trace::Dictionary>());
    if (!opened) return opened.error();
    SectionReader reader(*bytes_, place->base, place->base + place->length, checked_);
    static_cast<void>(reader.checked_copy());
    if (!reader.ok()) return reader.why();
  }
  if (!sources()[source].archive) return std::nullopt;
  const auto blocks = archive(source);
  if (!blocks) return blocks.error();
  for (const ArchiveBlock& block : *blocks) {
    if (cancel != nullptr && cancel->cancelled()) return std::nullopt;
    if (const auto bytes = checked_block(block.section); !bytes) return bytes.error();
  }
  return std::nullopt;
}

Result<std::vector<VerifiedPart>> verify_parts(const std::string& path, const CancelToken* cancel) {
  std::vector<VerifiedPart> parts;
  const auto whole = open_store(path);
  if (!whole) return whole.error();
  for (std::size_t source = 0; source < whole->sources().size(); ++source) {
    if (cancel != nullptr && cancel->cancelled()) return Error{path, "the check was interrupted", ""};
    const SourceEntry& entry = whole->sources()[source];
    VerifiedPart part{entry.key.path, {}, {}, {}};
    if (entry.rank)
      if (const auto rank = whole->rank(source, std::make_shared<trace::Dictionary>())) {
        part.rank = (*rank)->number;
        part.slices = (*rank)->counts.slices;
      }
    part.wrong = whole->verify_source(source, cancel);
    parts.push_back(std::move(part));
  }
  for (const auto& node : whole->each_metrics()) {
    VerifiedPart part{"system metrics", {}, {}, {}};
    if (node)
      part.path += " of " + (*node)->node();
    else
      part.wrong = node.error();
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace warpscope::store
