#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "core/ingest/remote/remote_host.hpp"
#include "core/store/format.hpp"
#include "core/store/partial_copy.hpp"

namespace warpscope::ingest {

namespace {

using store::ByteRange;
using store::PartialCopy;

// A read fetches at least this much, about what comes in a round trip of 20 ms at 100 Mbit/s. Reads one after another
// fetch twice as much each time, up to the most.
constexpr std::uint64_t kAhead = std::uint64_t{256} << 10;
constexpr std::uint64_t kMostAhead = std::uint64_t{4} << 20;
// A read continues an earlier one if it starts at most this far behind it: readers skip sections that they do not need.
constexpr std::uint64_t kGap = std::uint64_t{128} << 10;
// Fetched at once; the rest of a larger read follows.
constexpr std::uint64_t kWindow = std::uint64_t{16} << 20;

class RemoteBytes final : public store::StoreBytes {
 public:
  RemoteBytes(std::shared_ptr<RemoteHost> host, std::size_t file, std::unique_ptr<PartialCopy> copy)
      : StoreBytes(host->name() + ":" + host->files()[file].path),
        host_(std::move(host)),
        file_(file),
        copy_(std::move(copy)) {
    const std::uint64_t tail = std::min(size(), kTail);
    expect(std::array{ByteRange{0, std::min(size(), store::kHeaderBytes)}, ByteRange{size() - tail, tail}});
  }

  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const override {
    if (offset > size() || into.size() > size() - offset) return false;
    while (!into.empty()) {
      const auto part = into.first(std::min<std::uint64_t>(into.size(), kWindow));
      if (!here(offset, part.size()) && !fetch(std::array{ByteRange{offset, ahead(offset, part.size())}})) return false;
      if (!copy_->read(offset, part)) return false;
      offset += part.size();
      into = into.subspan(part.size());
    }
    return true;
  }

  [[nodiscard]] std::uint64_t size() const override { return copy_->size(); }
  void expect(std::span<const ByteRange> ranges) const override { static_cast<void>(fetch(ranges)); }
  [[nodiscard]] bool distant() const override { return true; }

  [[nodiscard]] Failure unreachable() const override {
    const MutexLock lock(fetching_);
    return failure_;
  }

 private:
  // Of a file: most directories are shorter.
  static constexpr std::uint64_t kTail = std::uint64_t{32} << 10;

  [[nodiscard]] bool here(std::uint64_t offset, std::uint64_t length) const {
    for (std::uint64_t block = offset / PartialCopy::kBlock; block * PartialCopy::kBlock < offset + length; ++block)
      if (!copy_->has(block)) return false;
    return true;
  }

  /// Returns how many bytes to fetch for a read: more than its `length` if others will follow.
  [[nodiscard]] std::uint64_t ahead(std::uint64_t offset, std::uint64_t length) const {
    const MutexLock lock(following_);
    std::uint64_t window = kAhead;
    const auto before = std::ranges::find_if(runs_, [&](const Run& run) {
      return run.window > 0 && offset + length > run.end && offset <= run.end + kGap && offset + run.window >= run.end;
    });
    if (before != runs_.end()) window = std::min(2 * before->window, kMostAhead);
    Run& run = before != runs_.end() ? *before : runs_[next_run_++ % runs_.size()];
    const std::uint64_t wanted = std::min(std::max(length, window), size() - offset);
    run = {offset + wanted, window};
    return wanted;
  }

  /// Fetches the blocks of the ranges that are not here.
  bool fetch(std::span<const ByteRange> ranges) const {
    constexpr std::uint64_t kBlock = PartialCopy::kBlock;
    const MutexLock lock(fetching_);
    std::vector<ByteRange> missing;  // whole blocks
    for (const ByteRange& range : ranges) {
      for (std::uint64_t block = range.offset / kBlock; block * kBlock < range.offset + range.size; ++block) {
        if (block >= copy_->blocks() || copy_->has(block)) continue;
        const std::uint64_t offset = block * kBlock;
        const bool again = !missing.empty() && offset < missing.back().offset + missing.back().size &&
                           offset >= missing.back().offset;  // of the range before
        if (again) continue;
        const bool follows = !missing.empty() && offset == missing.back().offset + missing.back().size;
        if (follows && missing.back().size < kMostBytes)
          missing.back().size += copy_->length_of(block);
        else
          missing.push_back({offset, copy_->length_of(block)});
      }
    }
    if (missing.empty()) return true;
    if (full_) return false;
    Failure failure = host_->read(file_, missing, [&](std::size_t i, std::span<const std::uint8_t> bytes) {
      for (std::uint64_t block = missing[i].offset / kBlock; !bytes.empty(); ++block) {
        const auto content = bytes.first(copy_->length_of(block));
        full_ = !copy_->put(block, content);
        if (full_) return false;
        bytes = bytes.subspan(content.size());
      }
      return true;
    });
    if (full_)
      failure = Error{copy_->name(), "the copy of the store cannot be written", "free disk space, or use --no-store"};
    failure_ = std::move(failure);
    return !failure_;
  }

  std::shared_ptr<RemoteHost> host_;
  std::size_t file_;
  std::unique_ptr<PartialCopy> copy_;

  // The latest reads that were fetched: several threads may each read a rank.
  struct Run {
    std::uint64_t end = 0;
    std::uint64_t window = 0;  // 0: none
  };
  mutable Mutex following_;
  mutable std::array<Run, 8> runs_ GUARDED_BY(following_){};
  mutable std::size_t next_run_ GUARDED_BY(following_) = 0;

  mutable Mutex fetching_;
  mutable bool full_ GUARDED_BY(fetching_) = false;  // the disk
  mutable Failure failure_ GUARDED_BY(fetching_);
};

}  // namespace

Result<std::shared_ptr<const store::StoreBytes>> remote_bytes(std::shared_ptr<RemoteHost> host, std::size_t file,
                                                              const store::Cache& cache) {
  const RemoteHost::File& there = host->files()[file];
  const auto place = cache.place_of_copy(there.path, there.size, there.key);
  auto copy = PartialCopy::open(place, there.size);
  if (!copy) return copy.error();
  store::mark_used(place);
  return std::shared_ptr<const store::StoreBytes>(
      std::make_shared<const RemoteBytes>(std::move(host), file, std::move(*copy)));
}

}  // namespace warpscope::ingest
