#include "core/store/directory.hpp"

#include "core/store/diagnostics_stream.hpp"

namespace warpscope::store {

namespace {

void write_source(StreamWriter& stream, const SourceEntry& source) {
  stream.text(source.key.path);
  stream.number(source.key.size);
  stream.signed_number(source.key.modified_ns);
  stream.number(source.key.inode);
  stream.number(source.key.text_bytes);
  stream.number(source.key.edges);
  stream.byte(source.rank ? 1 : 0);
  if (source.rank) {
    stream.number(source.rank->base);
    stream.number(source.rank->length);
    stream.ref(source.rank->head);
    stream.number(source.slices);
  }
  stream.byte(source.archive ? 1 : 0);
  if (source.archive) stream.ref(*source.archive);
}

SourceEntry read_source(StreamReader& stream, std::uint64_t end) {
  SourceEntry source;
  source.key.path = stream.string();
  source.key.size = stream.number();
  source.key.modified_ns = stream.signed_number();
  source.key.inode = stream.number();
  source.key.text_bytes = stream.number();
  source.key.edges = stream.number();
  if (stream.flag()) {
    RankPlace place;
    place.base = stream.number_to(end);
    place.length = stream.number_to(end - place.base);
    place.head = stream.ref();
    source.rank = place;
    source.slices = stream.number();
  }
  if (stream.flag()) source.archive = stream.ref();
  return source;
}

}  // namespace

std::vector<std::uint8_t> write_directory(const Directory& directory) {
  StreamWriter stream;
  stream.text(directory.program);
  stream.text(directory.root);
  write_diagnostics(stream, directory.diagnostics);
  stream.number(directory.sources.size());
  for (const SourceEntry& source : directory.sources) write_source(stream, source);
  stream.number(directory.metrics.size());
  for (const MetricsPlace& metrics : directory.metrics) {
    stream.ref(metrics.head);
    stream.ref(metrics.columns);
  }
  return stream.bytes();
}

std::optional<Directory> read_directory(std::span<const std::uint8_t> bytes, std::uint64_t end) {
  StreamReader stream(bytes);
  Directory directory;
  directory.program = stream.string();
  directory.root = stream.string();
  directory.diagnostics = read_diagnostics(stream);
  for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left)
    directory.sources.push_back(read_source(stream, end));
  for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
    const SectionRef head = stream.ref();
    directory.metrics.push_back({head, stream.ref()});
  }
  if (!stream.ok() || stream.left() != 0) return std::nullopt;
  return directory;
}

}  // namespace warpscope::store
