#pragma once
// Reads a Kineto trace: helper threads read and parse pieces of the text (see PieceRing).
#include <functional>
#include <memory>

#include "core/base/threads/mutex.hpp"
#include "core/ingest/format/trace_format.hpp"
#include "core/ingest/formats/trace_events/piece_ring.hpp"

namespace warpscope::ingest {

class KinetoReader final : public TraceReader {
 public:
  KinetoReader(const trace::SourceFile& source, const ReadOptions& options, std::function<void()> on_units)
      : source_(source), options_(options), on_units_(std::move(on_units)) {}

  Result<std::unique_ptr<FileContents>> read() override;
  bool help() override;

 private:
  const trace::SourceFile& source_;
  const ReadOptions& options_;
  std::function<void()> on_units_;
  Mutex mutex_;
  std::shared_ptr<PieceRing> ring_ GUARDED_BY(mutex_);
};

}  // namespace warpscope::ingest
