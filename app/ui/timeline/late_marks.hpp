#pragma once
// Ranks that hold the others up, for marks in the tree of a job with many ranks: nobody looks through 1024 rows for the
// one that differs. They are those that late_causes reports as standing out, computed on another thread.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "app/ui/app_context.hpp"
#include "app/ui/model/background.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

class LateMarks {
 public:
  explicit LateMarks(AppContext& app) : app_(app) {}
  LateMarks(const LateMarks&) = delete;
  LateMarks& operator=(const LateMarks&) = delete;

  /// Starts the computation, takes its result. Call once a frame.
  void update();
  /// Call when another profile is shown.
  void profile_changed();
  [[nodiscard]] bool busy() const { return work_.running(); }

  /// Why the rank of a row, or the worst of its node if that is folded, is late: "rank 5: all kernels ×1.30"; "" if
  /// none is.
  [[nodiscard]] std::string_view of_entry(const trace::Profile& profile, const trace::TreeEntry& entry,
                                          bool open) const;

 private:
  struct Late {
    std::size_t place = 0;  ///< 0: the most expensive rank
    std::string sentence;
  };
  using Ranks = std::map<std::uint32_t, Late>;  ///< by index

  AppContext& app_;
  std::shared_ptr<const trace::Profile> of_;  // the computed profile
  Background<Ranks> work_;
  Ranks late_;
};

}  // namespace warpscope::ui
