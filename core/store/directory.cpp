#include "core/store/directory.hpp"

#include "core/store/diagnostics_stream.hpp"

namespace warpscope::store {

namespace {

/// Writes or reads a directory.
template <class Stream, class Content>
void transfer(Stream& stream, std::uint64_t end, Content& directory) {
  stream.fields(directory.program, directory.root);
  transfer_diagnostics(stream, directory.diagnostics);
  stream.each(directory.sources, [&](auto& source) {
    auto& key = source.key;
    stream.fields(key.path, key.size, key.modified_ns, key.inode, key.text_bytes, key.edges);
    if (stream.has(source.rank)) {
      auto& place = *source.rank;
      stream.fields(place.base, place.length, place.head, source.slices);
      stream.check(place.base <= end && place.length <= end - place.base);
    }
    if (stream.has(source.archive)) stream.fields(*source.archive);
  });
  stream.each(directory.metrics, [&](auto& node) { stream.fields(node.head, node.columns); });
}

}  // namespace

std::vector<std::uint8_t> write_directory(const Directory& directory) {
  StreamWriter stream;
  transfer(stream, 0, directory);
  return stream.bytes();
}

std::optional<Directory> read_directory(std::span<const std::uint8_t> bytes, std::uint64_t end) {
  StreamReader stream(bytes);
  Directory directory;
  transfer(stream, end, directory);
  if (!stream.ok() || stream.left() != 0) return std::nullopt;
  return directory;
}

}  // namespace warpscope::store
