#include "core/trace/resident_only.hpp"

#include <utility>

namespace warpscope::trace {

namespace {

thread_local ResidentOnly* innermost = nullptr;
thread_local std::uint64_t misses_so_far = 0;

}  // namespace

ResidentOnly::ResidentOnly() : outer_(std::exchange(innermost, this)) {}

ResidentOnly::~ResidentOnly() { innermost = outer_; }

std::vector<std::shared_ptr<const Loadable>> ResidentOnly::take_missed() {
  known_.clear();
  return std::exchange(missed_, {});
}

bool ResidentOnly::misses(const std::shared_ptr<const Loadable>& column) {
  if (innermost == nullptr) return false;
  ++misses_so_far;
  if (innermost->known_.insert(column.get()).second) innermost->missed_.push_back(column);
  return true;
}

MissWatch::MissWatch() : before_(misses_so_far) {}

bool MissWatch::any() const { return misses_so_far != before_; }

}  // namespace warpscope::trace
