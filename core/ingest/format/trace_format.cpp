#include "core/ingest/format/trace_format.hpp"

#include <utility>

#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest {

namespace {

class FunctionReader final : public TraceReader {
 public:
  explicit FunctionReader(std::function<Result<std::unique_ptr<FileContents>>()> read) : read_(std::move(read)) {}
  Result<std::unique_ptr<FileContents>> read() override { return read_(); }

 private:
  std::function<Result<std::unique_ptr<FileContents>>()> read_;
};

}  // namespace

std::unique_ptr<TraceReader> reader_of(std::function<Result<std::unique_ptr<FileContents>>()> read) {
  return std::make_unique<FunctionReader>(std::move(read));
}

std::unique_ptr<TraceReader> data_reader(std::function<void(FileContents&)> read) {
  return reader_of([read = std::move(read)] {
    auto contents = std::make_unique<FileContents>();
    contents->has_rank = false;
    read(*contents);
    return contents;
  });
}

Result<std::string> read_head(const std::string& path, const CancelToken* cancel) {
  auto stream = open_byte_stream(path, cancel);
  if (!stream) return stream.error();
  std::string head(kFormatHead, '\0');
  std::size_t filled = 0;
  while (filled < head.size()) {
    const auto got = (*stream)->read(std::span(head).subspan(filled));
    if (!got || *got == 0) break;
    filled += *got;
  }
  head.resize(filled);
  return head;
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
