#include "app/ui/load/load_estimate.hpp"

#include <mutex>
#include <thread>
#include <utility>

#include "core/ingest/listing/discover.hpp"

namespace warpscope::ui {
namespace {

ingest::Preflight estimate(const std::vector<std::string>& paths) {
  std::vector<trace::SourceFile> sources;
  std::vector<trace::SourceFile> metrics;
  for (const std::string& path : paths) {
    const auto found = ingest::discover(path);
    if (!found) continue;
    sources.insert(sources.end(), found->sources.begin(), found->sources.end());
    metrics.insert(metrics.end(), found->metrics.begin(), found->metrics.end());
  }
  return ingest::preflight(sources, 0, metrics);
}

}  // namespace

struct LoadEstimate::Shared {
  mutable std::mutex mutex;
  std::optional<std::vector<std::string>> question;  // not started yet
  bool running = false;
  std::uint64_t asked = 0;  // number of requests
  std::optional<ingest::Preflight> answer;
  std::function<void()> wake;  // empty once the estimate is destroyed
};

LoadEstimate::LoadEstimate(std::function<void()> wake) : shared_(std::make_shared<Shared>()) {
  shared_->wake = std::move(wake);
}

LoadEstimate::~LoadEstimate() {
  const std::lock_guard lock(shared_->mutex);
  shared_->question.reset();
  shared_->wake = {};
}

void LoadEstimate::ask(const std::vector<std::string>& paths) {
  if (paths == asked_) return;
  asked_ = paths;
  const std::lock_guard asking(shared_->mutex);
  ++shared_->asked;
  shared_->answer.reset();
  shared_->question.reset();
  if (paths.empty()) return;
  shared_->question = paths;
  if (std::exchange(shared_->running, true)) return;
  std::thread([shared = shared_] {
    std::unique_lock lock(shared->mutex);
    while (shared->question) {
      const std::vector<std::string> question = *std::exchange(shared->question, std::nullopt);
      const std::uint64_t asked = shared->asked;
      lock.unlock();
      ingest::Preflight answer = estimate(question);
      lock.lock();
      if (asked == shared->asked) shared->answer = std::move(answer);
      if (shared->wake) shared->wake();
    }
    shared->running = false;
  }).detach();
}

std::optional<ingest::Preflight> LoadEstimate::answer() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->answer;
}

bool LoadEstimate::busy() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->running;
}

}  // namespace warpscope::ui
