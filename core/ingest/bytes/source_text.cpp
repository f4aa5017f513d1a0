#include "core/ingest/bytes/source_text.hpp"

namespace warpscope::ingest {

Result<std::unique_ptr<ByteStream>> open_source_at(const trace::SourceFile& source, std::uint64_t offset,
                                                   const Checkpoints* checkpoints, const CancelToken* cancel) {
  OpenOptions options;
  options.cancel = cancel;
  options.expected = {source.size, source.modified_ns, source.inode};
  return open_byte_stream_at(source.path, offset, checkpoints, options);
}

Result<std::string> text_at(const trace::SourceFile& source, std::uint64_t offset, std::size_t length,
                            const Checkpoints* checkpoints, const CancelToken* cancel) {
  auto stream = open_source_at(source, offset, checkpoints, cancel);
  if (!stream.ok()) return stream.error();
  std::string text(length, '\0');
  std::size_t filled = 0;
  while (filled < length) {
    const auto got = (*stream)->read({text.data() + filled, length - filled});
    if (!got.ok() && filled == 0) return got.error();
    if (!got.ok() || *got == 0) break;
    filled += *got;
  }
  text.resize(filled);
  return text;
}

}  // namespace warpscope::ingest
