#pragma once
// The rows of a rank: the slices of its lanes and the busy time of its devices, as interval trees. The rows of a rank
// in a store are read together, on first use, so a job of thousands of ranks opens without them.
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/trace/interval_tree.hpp"
#include "core/trace/label_column.hpp"
#include "core/trace/lazy.hpp"
#include "core/trace/overlap_index.hpp"

namespace warpscope::trace {

/// Event ids up to 2^40, 5 bytes each. Ids are opaque; only the reader of the source's format can interpret them.
class OffsetColumn {
 public:
  OffsetColumn() = default;
  /// The low 32 and high 8 bits of each offset.
  OffsetColumn(std::vector<std::uint32_t> low, std::vector<std::uint8_t> high)
      : low_(std::move(low)), high_(std::move(high)) {}
  void reserve(std::size_t count);
  void push_back(std::uint64_t offset) {
    low_.push_back(static_cast<std::uint32_t>(offset));
    high_.push_back(static_cast<std::uint8_t>(offset >> 32));
  }
  /// Appends offsets, split into low and high bits; both spans must have the same size.
  void append(std::span<const std::uint32_t> low, std::span<const std::uint8_t> high) {
    low_.insert(low_.end(), low.begin(), low.end());
    high_.insert(high_.end(), high.begin(), high.end());
  }
  [[nodiscard]] std::uint64_t operator[](std::uint32_t i) const {
    return low_[i] | static_cast<std::uint64_t>(high_[i]) << 32;
  }
  [[nodiscard]] std::size_t size() const { return low_.size(); }
  static constexpr std::size_t kBytes = 5;  ///< per offset
  [[nodiscard]] std::size_t resident_bytes() const;

 private:
  std::vector<std::uint32_t> low_;
  std::vector<std::uint8_t> high_;
};

/// Slices of a lane. By default, placeholders for rows that cannot be read: the tree is empty, and every slice has no
/// name.
struct LaneRows {
  IntervalTree tree = IntervalTree(TimeColumn(), {});  ///< of a folded lane: the union of its slices
  TimeColumn folded_time{};                            ///< of a folded lane: its slices; otherwise empty
  std::shared_ptr<const LabelColumn> labels = no_labels();
  StoredColumn<OffsetColumn> offsets{};
  Lazy<OverlapIndex> overlap{};  ///< of a folded lane

  void shift(Ns delta);
  [[nodiscard]] std::size_t resident_bytes() const;
  [[nodiscard]] static std::shared_ptr<const LabelColumn> no_labels();
};

struct RankRows {
  std::vector<LaneRows> lanes;
  std::vector<IntervalTree> busy;  ///< by device

  void shift(Ns delta);
};

/// One of a rank's rows. Access costs a load and a predicted branch. Thread-safe; may be changed only while the rank is
/// being built.
template <class Part>
class RowPart {
 public:
  /// A placeholder.
  RowPart() = default;
  /// In memory.
  RowPart(Part part) : own_(std::make_shared<Part>(std::move(part))), ready_(own_.get()) {}
  /// Item `index` of a list of `rows`, which are in a store. A placeholder if the list is shorter.
  RowPart(StoredColumn<RankRows> rows, std::vector<Part> RankRows::*list, std::uint32_t index)
      : rows_(std::move(rows)), list_(list), index_(index) {}
  RowPart(const RowPart& other)
      : own_(other.own_), rows_(other.rows_), list_(other.list_), index_(other.index_), ready_(other.ready_.load()) {}
  RowPart(RowPart&& other) noexcept : RowPart(static_cast<const RowPart&>(other)) {}
  RowPart& operator=(const RowPart&) = delete;
  RowPart& operator=(RowPart&& other) noexcept {
    own_ = std::move(other.own_);
    rows_ = std::move(other.rows_);
    list_ = other.list_;
    index_ = other.index_;
    ready_.store(other.ready_.load());
    return *this;
  }
  ~RowPart() = default;

  /// Returns the part, reading it if needed; a placeholder if ResidentOnly forbids that.
  [[nodiscard]] const Part& get() const {
    if (const Part* part = ready_.load(std::memory_order_acquire)) [[likely]]
      return *part;
    return absent();
  }
  /// Returns the part, or nullptr if it is not in memory.
  [[nodiscard]] const Part* ready() const { return ready_.load(std::memory_order_acquire); }
  /// Same, but reads it unless ResidentOnly forbids that.
  [[nodiscard]] const Part* resident() const {
    const Part& part = get();
    return ready() != nullptr ? &part : nullptr;
  }

  /// Shifts a part in memory. Copies made before are not affected.
  void shift(Ns delta) {
    if (own_ == nullptr) return;
    if (own_.use_count() > 1) own_ = std::make_shared<Part>(*own_);
    own_->shift(delta);
    ready_.store(own_.get());
  }

 private:
  [[nodiscard]] const Part& absent() const {
    static const Part kNone{};
    const RankRows* rows = list_ != nullptr ? rows_.resident() : nullptr;
    if (rows == nullptr) return kNone;
    const std::vector<Part>& list = rows->*list_;
    const Part& part = index_ < list.size() ? list[index_] : kNone;
    ready_.store(&part, std::memory_order_release);
    return part;
  }

  std::shared_ptr<Part> own_;
  StoredColumn<RankRows> rows_;
  std::vector<Part> RankRows::*list_ = nullptr;
  std::uint32_t index_ = 0;
  mutable std::atomic<const Part*> ready_{nullptr};  // in own_ or rows_
};

}  // namespace warpscope::trace
