#include "app/ui/load/load_estimate.hpp"

#include <utility>

#include "core/ingest/listing/discover.hpp"

namespace warpscope::ui {
namespace {

std::optional<ingest::Preflight> estimate(const std::vector<std::string>& paths, const CancelToken& cancel) {
  std::vector<trace::SourceFile> sources;
  for (const std::string& path : paths) {
    const auto found = ingest::discover(path, nullptr, &cancel);
    if (cancel.cancelled()) return std::nullopt;
    if (!found) continue;
    sources.insert(sources.end(), found->sources.begin(), found->sources.end());
  }
  return ingest::preflight(sources);
}

}  // namespace

void LoadEstimate::ask(const std::vector<std::string>& paths) {
  if (paths == asked_) return;
  asked_ = paths;
  answer_.reset();
  work_.stop();
  if (!paths.empty()) work_.start([paths](const CancelToken& cancel) { return estimate(paths, cancel); }, wake_);
}

const std::optional<ingest::Preflight>& LoadEstimate::answer() {
  if (auto estimate = work_.take()) answer_ = std::move(*estimate);
  return answer_;
}

}  // namespace warpscope::ui
