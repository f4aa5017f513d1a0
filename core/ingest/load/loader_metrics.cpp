// Loads system metrics: many small files, one source per node.
#include <algorithm>
#include <utility>

#include "core/ingest/formats/sagemaker/metrics_file.hpp"
#include "core/ingest/load/loader.hpp"

namespace warpscope::ingest {

namespace {

// Above this many bytes, metrics alone are worth a store.
constexpr std::uint64_t kWorthKeeping = std::uint64_t{64} << 20;
// One file per node and minute: for fewer, starting a thread takes longer than it saves.
constexpr std::size_t kFilesPerThread = 16;

bool is_of_node(const std::string& file, const trace::NodeMetrics& metrics) {
  const auto name = smdebug::metrics_file_name(file);
  return name && name->node == metrics.node() && name->folder == metrics.origin().folder;
}

}  // namespace

/// Loads the metrics in `found_` that changed since the last call.
void Loader::take_metrics() {
  std::shared_ptr<CancelToken> cancel;
  bool watching = false;
  {
    const MutexLock lock(mutex_);
    cancel = cancel_;
    watching = watching_;
  }
  if (cancel->cancelled()) return;
  std::vector<std::shared_ptr<const trace::NodeMetrics>> stored;
  if (known_ && metrics_.empty() && !found_.metrics.empty()) {
    if (auto nodes = known_->file().metrics()) {
      stored = std::move(*nodes);
    } else {
      const MutexLock lock(mutex_);
      if (!store_damage_) store_damage_ = nodes.error();
    }
  }
  const auto nodes = metrics_.look(found_.metrics, stored);
  std::map<std::string, std::shared_ptr<SourceJob>> jobs;
  std::uint64_t bytes = 0;
  for (const smdebug::SystemMetrics::Node& node : nodes) {
    trace::SourceFile files;
    files.path = node.key;
    files.size = node.bytes;
    bytes += node.bytes;
    auto job = jobs_.add_metrics(files, std::max<std::uint64_t>(1, node.files));
    job->state = FileState::reading;
    jobs.emplace(node.key, std::move(job));
  }
  if (const std::size_t count = metrics_.to_read(); count > 0)
    crew_.run(
        count, static_cast<unsigned>(std::clamp<std::size_t>(count / kFilesPerThread, 1, most_threads())),
        [&](std::size_t i) {
          if (!cancel->cancelled()) metrics_.read(i, &jobs.at(metrics_.node_of(i))->progress, cancel.get());
        },
        [this] { tick(); }, [this](std::size_t, const Error& error) { note_failed(error); });
  if (bytes >= kWorthKeeping) read_anything_ = true;
  bool any = false;
  for (smdebug::ReadMetrics& node : metrics_.take_changed(watching)) {
    if (node.from_store) {
      trace::SourceFile files;
      files.path = node.key;
      files.size = node.metrics->origin().bytes;
      const auto job = jobs_.add_metrics(files, node.metrics->origin().files);
      job->from_store = true;
      job->state = FileState::done;
      for (const Diagnostic& one : known_->file().directory().diagnostics.all())
        if (is_of_node(one.file, *node.metrics))
          node.diagnostics.add(one.code, one.severity, one.file, one.offset, one.example, one.count);
    }
    if (!node.metrics && !node.from_store && jobs.count(node.key) == 0) jobs_.remove(node.key);
    publisher_.put_metrics(node.key, std::move(node.metrics), std::move(node.diagnostics));
    any = true;
  }
  for (const auto& [key, job] : jobs) job->state = cancel->cancelled() ? FileState::cancelled : FileState::done;
  if (any) publisher_.publish_if_due();
}

}  // namespace warpscope::ingest
