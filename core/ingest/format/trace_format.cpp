#include "core/ingest/format/trace_format.hpp"

#include <utility>

namespace warpscope::ingest {

namespace {

class FunctionReader final : public TraceReader {
 public:
  explicit FunctionReader(std::function<void(FileContents&)> read) : read_(std::move(read)) {}
  Result<std::unique_ptr<FileContents>> read() override {
    auto contents = std::make_unique<FileContents>();
    contents->has_rank = false;
    read_(*contents);
    return contents;
  }

 private:
  std::function<void(FileContents&)> read_;
};

}  // namespace

std::unique_ptr<TraceReader> reader_of(std::function<void(FileContents&)> read) {
  return std::make_unique<FunctionReader>(std::move(read));
}

Failure TraceFormat::read_events(const trace::SourceFile& source, std::span<const std::uint64_t> ids,
                                 const std::function<void(std::size_t, const EventText&)>& /*visit*/,
                                 WantedRows /*wanted*/, const CancelToken* /*cancel*/) const {
  return ids.empty() ? Failure() : Error{source.path, "has no slices", ""};
}

Failure TraceFormat::archive(std::span<const ArchivedRank> /*ranks*/, Progress* /*progress*/,
                             const CancelToken* /*cancel*/) const {
  return {};
}

EventText TraceFormat::archived_event(std::string_view /*text*/, WantedRows /*wanted*/) const { return {}; }

bool TraceFormat::is_named(const EventText& event, std::string_view slice) const {
  const std::string* const name = event.find("name");
  return name == nullptr ? slice.empty() : event.repaired || *name == slice;
}

}  // namespace warpscope::ingest
