// Inflates with ISA-L.
#include "core/ingest/bytes/inflater.hpp"

#if defined(WARPSCOPE_ISAL)

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace warpscope::ingest {
namespace {

class IsalInflater final : public Inflater {
 public:
  IsalInflater() : state_(std::make_unique<inflate_state>()) { isal_inflate_init(state_.get()); }

  void reset() override {
    isal_inflate_reset(state_.get());
    surplus_size_ = 0;
    damaged_ = false;
  }

  Step decode(std::span<const char> input, std::span<char> into) override {
    if (damaged_) return drain({}, into);
    constexpr std::size_t kMost = std::size_t{1} << 30;
    const auto given = static_cast<std::uint32_t>(std::min(input.size(), kMost));
    const auto room = static_cast<std::uint32_t>(std::min(into.size(), kMost));
    // ISA-L's interface lacks const, but ISA-L never writes to its input.
    state_->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(input.data()));
    state_->avail_in = given;
    state_->next_out = reinterpret_cast<std::uint8_t*>(into.data());
    state_->avail_out = room;
    const int code = isal_inflate(state_.get());
    // With corrupt data, ISA-L may count past the end of its input.
    const std::uint32_t left = state_->avail_in <= given ? state_->avail_in : 0;
    Step step{given - left, room - state_->avail_out, Status::more};
    damaged_ = code != ISAL_DECOMP_OK;
    if (damaged_ || state_->block_state == ISAL_BLOCK_FINISH) keep_surplus();
    if (damaged_) return drain(step, into);
    if (state_->block_state == ISAL_BLOCK_FINISH) step.status = Status::done;
    return step;
  }

  [[nodiscard]] std::string_view surplus() const override { return {surplus_.data(), surplus_size_}; }

  [[nodiscard]] std::uint32_t checksum(std::uint32_t crc, std::span<const char> text) const override {
    // ISA-L's interface lacks const, but ISA-L only reads.
    auto* const bytes = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
    return crc32_gzip_refl(crc, bytes, text.size());
  }

 private:
  /// Text decoded before the error may still be buffered.
  Step drain(Step step, std::span<char> into) {
    const auto held = static_cast<std::size_t>(state_->tmp_out_valid - state_->tmp_out_processed);
    const std::size_t size = std::min(held, into.size() - step.produced);
    std::memcpy(into.data() + step.produced, state_->tmp_out_buffer + state_->tmp_out_processed, size);
    state_->tmp_out_processed += static_cast<std::int32_t>(size);
    step.produced += size;
    step.status = size == held ? Status::damaged : Status::more;
    return step;
  }

  void keep_surplus() {
    const auto length = static_cast<unsigned>(std::max(state_->read_in_length, 0));
    surplus_size_ = length / 8;
    const std::uint64_t bits = state_->read_in >> (length % 8);
    for (std::size_t i = 0; i < surplus_size_; ++i) surplus_[i] = static_cast<char>(bits >> (8 * i) & 0xffU);
  }

  std::unique_ptr<inflate_state> state_;
  std::array<char, 8> surplus_{};
  std::size_t surplus_size_ = 0;
  bool damaged_ = false;
};

}  // namespace

std::unique_ptr<Inflater> make_isal_inflater() { return std::make_unique<IsalInflater>(); }

}  // namespace warpscope::ingest

#else

namespace warpscope::ingest {

std::unique_ptr<Inflater> make_isal_inflater() { return nullptr; }

}  // namespace warpscope::ingest

#endif
