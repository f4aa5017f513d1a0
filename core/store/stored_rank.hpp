#pragma once
// Loads the columns of a stored rank. Failures are recorded here and in StoreBytes; the columns then return default
// values.
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/threads/mutex.hpp"
#include "core/store/byte_stream.hpp"
#include "core/store/label_table.hpp"
#include "core/store/rank_reader.hpp"
#include "core/store/section_reader.hpp"

namespace warpscope::store {

class StoredRank final : public trace::RankStorage, public std::enable_shared_from_this<StoredRank> {
 public:
  StoredRank(std::shared_ptr<const StoreBytes> bytes, const RankPlace& place,
             std::shared_ptr<trace::Dictionary> dictionary, bool checked)
      : bytes_(std::move(bytes)), place_(place), dictionary_(std::move(dictionary)), checked_(checked) {}

  [[nodiscard]] Result<std::shared_ptr<const trace::Rank>> reopen() const override {
    return read_rank(bytes_, place_, dictionary_, checked_);
  }
  /// Returns the corruption found in this rank, if any; other ranks of the same store may be intact.
  [[nodiscard]] Failure damage() const override {
    const MutexLock lock(mutex_);
    return damage_;
  }

  [[nodiscard]] SectionReader sections() const {
    return SectionReader(*bytes_, place_.base, place_.base + place_.length, checked_);
  }
  [[nodiscard]] const RankPlace& place() const { return place_; }
  /// Announces that sections will be read.
  void expect(std::initializer_list<SectionRef> sections) const;
  [[nodiscard]] trace::Dictionary& dictionary() const { return *dictionary_; }
  /// Sets the labels, which use the dictionary's ids. Called once, when the rank is opened.
  void set_labels(std::vector<Label> labels) { labels_ = std::move(labels); }
  [[nodiscard]] const std::vector<Label>& labels() const { return labels_; }

  /// Empty if they are corrupt.
  [[nodiscard]] trace::RankRows load_rows() const;
  [[nodiscard]] std::optional<trace::TimeColumn::Arrays> load_times(const SectionRef& ref, std::uint32_t size) const;
  [[nodiscard]] std::optional<trace::LabelColumn::Arrays> load_labels(const SectionRef& ref, std::uint32_t size,
                                                                      bool several_families) const;
  /// All 0 if they are corrupt.
  [[nodiscard]] trace::OffsetColumn load_offsets(const SectionRef& ref, std::uint32_t size) const;
  /// `slices`: exclusive upper bound of the ordinals.
  [[nodiscard]] std::optional<std::vector<trace::Connection>> load_connections(const SectionRef& ref,
                                                                               std::uint64_t size, std::uint32_t slices,
                                                                               std::string_view section) const;

  [[nodiscard]] std::optional<trace::Transfers::Columns> load_transfers(const SectionRef& ref, std::uint64_t size,
                                                                        std::uint32_t slices) const;

 private:
  /// Returns a section's content as read by `fill`; nullopt on failure. `section`: its name for error messages.
  template <class Content, class Fill>
  std::optional<Content> load(std::string_view section, const Fill& fill) const;

  std::shared_ptr<const StoreBytes> bytes_;
  RankPlace place_;
  std::shared_ptr<trace::Dictionary> dictionary_;
  bool checked_;
  std::vector<Label> labels_;
  mutable Mutex mutex_;
  mutable Failure damage_ GUARDED_BY(mutex_);
};

template <class Content, class Fill>
std::optional<Content> StoredRank::load(std::string_view section, const Fill& fill) const {
  SectionReader reader = sections();
  std::optional<Content> content(std::in_place);
  fill(reader, *content);
  if (reader.ok()) return content;
  const Error error = reader.why(section);
  bytes_->note_damage(error);
  const MutexLock lock(mutex_);
  if (!damage_) damage_ = error;
  return std::nullopt;
}

/// Reads the escapes at the end of a times section. Returns false if they do not match the escape codes in `arrays`.
[[nodiscard]] bool take_escapes(SectionReader& reader, trace::TimeColumn::Arrays& arrays);
/// Converts label numbers to names, categories and, if there are several, families. Returns false if a number is out of
/// range.
[[nodiscard]] bool resolve_labels(std::span<const std::uint32_t> numbers, std::span<const Label> labels,
                                  bool several_families, trace::LabelColumn::Arrays& arrays);

}  // namespace warpscope::store
