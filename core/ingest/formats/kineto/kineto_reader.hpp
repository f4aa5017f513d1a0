#pragma once
// Reads a Kineto trace: helper threads read and parse pieces of the text (see PieceRing). A corrupt compressed file is
// read a second time, without the unreliable parts of its text.
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/ingest/format/trace_format.hpp"
#include "core/ingest/formats/trace_events/doubtful_text.hpp"
#include "core/ingest/formats/trace_events/piece_ring.hpp"

namespace warpscope::ingest {

class KinetoReader final : public TraceReader {
 public:
  KinetoReader(const trace::SourceFile& source, const ReadOptions& options, std::function<void()> on_units)
      : source_(source), options_(options), on_units_(std::move(on_units)) {}

  Result<std::unique_ptr<FileContents>> read() override;
  bool help() override;

 private:
  Failure read_once(FileContents& into, const std::vector<TextRange>& left_out, Progress* progress);

  const trace::SourceFile& source_;
  const ReadOptions& options_;
  std::function<void()> on_units_;
  std::mutex mutex_;  // guards ring_
  std::shared_ptr<PieceRing> ring_;
};

}  // namespace warpscope::ingest
