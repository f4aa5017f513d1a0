#pragma once
// The name and category of each slice and, if the lane has several color families, its family. Shared by a lane and its
// tree. Like times, labels may be loaded on first use, with some blocks already in memory. On a thread that must not
// load them (ResidentOnly), absent names and categories read as 0, and absent families as the lane's first family.
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/trace/block_set.hpp"
#include "core/trace/category.hpp"
#include "core/trace/lazy.hpp"
#include "core/trace/string_table.hpp"

namespace warpscope::trace {

class LabelColumn {
 public:
  static constexpr std::uint32_t kBlock = 16;

  struct Arrays {
    std::vector<NameId> names;
    std::vector<CategoryId> categories;
    std::vector<std::uint8_t> families;  ///< two slices per byte, the earlier one in the low half; empty if equal
  };
  /// Loads the arrays; nullopt on failure. Called once, from any thread; may outlive the column.
  using Load = std::function<std::optional<Arrays>()>;

  /// A column in memory. `families`: one per slice, or empty.
  LabelColumn(std::vector<NameId> names, std::vector<CategoryId> categories, std::span<const Family> families);
  explicit LabelColumn(Arrays arrays);
  /// A column of `size` labels, loaded by `load`. `at_hand` contains the labels of the blocks in `near`: slice k of the
  /// nth block is at index 16 n + k. If `load` fails or returns arrays of a different size, all labels are 0 and all
  /// families are `otherwise`.
  LabelColumn(std::uint32_t size, bool several_families, Family otherwise, std::shared_ptr<const BlockSet> near,
              Arrays at_hand, Load load);

  [[nodiscard]] NameId name(std::uint32_t i) const {
    const NameId* names = names_.load(std::memory_order_acquire);
    if (names == nullptr) [[unlikely]]
      return absent_name(i);
    return names[i];
  }
  [[nodiscard]] CategoryId category(std::uint32_t i) const {
    const CategoryId* categories = categories_.load(std::memory_order_acquire);
    if (categories == nullptr) [[unlikely]]
      return absent_category(i);
    return categories[i];
  }
  /// Requires several families.
  [[nodiscard]] Family family(std::uint32_t i) const {
    const std::uint8_t* families = families_.load(std::memory_order_acquire);
    if (families == nullptr) [[unlikely]]
      return absent_family(i);
    return half(families, i);
  }

  /// Returns the families of a block, packed two slices per byte with the earlier one in the low half. Requires several
  /// families.
  [[nodiscard]] const std::uint8_t* families_of_block(std::uint32_t block) const {
    const std::uint8_t* families = families_.load(std::memory_order_acquire);
    if (families == nullptr) [[unlikely]]
      return absent_families_of_block(block);
    return families + block * (kBlock / 2);
  }
  /// True if the block's labels are in memory. Loads them unless ResidentOnly forbids it.
  [[nodiscard]] bool resident(std::uint32_t block) const {
    return names_.load(std::memory_order_acquire) != nullptr || families_.load(std::memory_order_acquire) != nullptr ||
           place_of(block * kBlock).arrays != nullptr;
  }

  /// Returns the whole column, loading it if needed even under ResidentOnly. For store writers.
  [[nodiscard]] const Arrays& arrays() const;
  [[nodiscard]] bool present() const { return arrays_.ready() != nullptr; }
  /// Bytes in memory.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Size of the whole column in bytes, loaded or not.
  [[nodiscard]] std::size_t whole_bytes() const { return bytes_for(size_, several_families_); }
  [[nodiscard]] static std::size_t bytes_for(std::uint32_t size, bool several_families) {
    const std::size_t halves = several_families ? (std::size_t{size} + 1) / 2 : 0;
    return size * (sizeof(NameId) + sizeof(CategoryId)) + halves;
  }

 private:
  [[nodiscard]] static Family half(const std::uint8_t* families, std::uint32_t i) {
    return static_cast<Family>(families[i / 2] >> (i % 2 * 4) & 0xF);
  }
  struct Place {
    const Arrays* arrays;  ///< null if the thread must not load them
    std::uint32_t index;
  };
  [[nodiscard]] Place place_of(std::uint32_t i) const;
  [[nodiscard]] NameId absent_name(std::uint32_t i) const;
  [[nodiscard]] CategoryId absent_category(std::uint32_t i) const;
  [[nodiscard]] Family absent_family(std::uint32_t i) const;
  [[nodiscard]] const std::uint8_t* absent_families_of_block(std::uint32_t block) const;
  [[nodiscard]] static constexpr std::uint8_t twice(Family family) {
    return static_cast<std::uint8_t>(static_cast<unsigned>(family) * 0x11u);
  }
  void point_at_arrays(const Arrays& arrays) const;

  StoredColumn<Arrays> arrays_;
  mutable std::atomic<const NameId*> names_{nullptr};  // in arrays_, once loaded
  mutable std::atomic<const CategoryId*> categories_{nullptr};
  mutable std::atomic<const std::uint8_t*> families_{nullptr};
  std::uint32_t size_ = 0;
  bool several_families_ = false;
  Family otherwise_{};
  std::shared_ptr<const BlockSet> near_;
  Arrays at_hand_;
};

}  // namespace warpscope::trace
