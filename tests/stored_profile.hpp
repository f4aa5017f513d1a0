#pragma once
// A profile whose columns are in a store and load on first use, and a count of the reads that this takes.
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/store/reader.hpp"
#include "tests/core/store/memory_bytes.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::tests {

/// The bytes of a store. Counts the reads, in total and for the thread that created this object.
class CountedBytes final : public store::StoreBytes {
 public:
  explicit CountedBytes(std::vector<std::uint8_t> bytes) : StoreBytes("memory"), bytes_("memory", std::move(bytes)) {}
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const override {
    ++(std::this_thread::get_id() == maker_ ? own_ : others_);
    return bytes_.read(offset, into);
  }
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

  [[nodiscard]] int own() const { return own_; }
  [[nodiscard]] int others() const { return others_; }
  void forget() const { own_ = others_ = 0; }

 private:
  MemoryBytes bytes_;
  std::thread::id maker_ = std::this_thread::get_id();
  mutable std::atomic<int> own_ = 0;
  mutable std::atomic<int> others_ = 0;
};

struct StoredProfile {
  std::shared_ptr<const trace::Profile> profile;
  std::shared_ptr<const CountedBytes> bytes;  ///< no reads counted yet
};

/// Returns the profile from its store, with nothing loaded.
StoredProfile stored(const trace::Profile& profile, bool rows = true);

/// A rank of which a store reads only a few slices on opening, because they are dense for its span: kernels of two
/// families and the calls that launch them, one every microsecond, and a last kernel and call much later.
[[nodiscard]] test::RankSpec dense_rank(std::uint32_t kernels = 6000);

}  // namespace warpscope::tests
