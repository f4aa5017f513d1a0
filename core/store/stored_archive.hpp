#pragma once
// Connects two independent parts of a store: the archive of event texts, which is one run of bytes, and the store,
// which keeps runs of bytes in blocks.
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/event_archive_reader.hpp"
#include "core/store/event_archive_writer.hpp"
#include "core/store/reader.hpp"
#include "core/store/writer.hpp"

namespace warpscope::store {

/// Writes the archive of one source into a store.
class StoredArchiveWriter {
 public:
  /// For source number `source` of `writer`, which must outlive this object.
  StoredArchiveWriter(StoreWriter& writer, std::size_t source);
  StoredArchiveWriter(const StoredArchiveWriter&) = delete;
  StoredArchiveWriter& operator=(const StoredArchiveWriter&) = delete;

  /// Add the events to this writer.
  [[nodiscard]] EventArchiveWriter& events() { return events_; }
  /// Finishes the archive and adds it to the store. Call once.
  [[nodiscard]] Failure finish();

 private:
  StoreWriter& writer_;
  std::size_t source_;
  std::vector<BytesRef> blocks_;
  EventArchiveWriter events_;
};

/// Opens the archive of source number `source`, which keeps the store open. Errors, also of the reader: there is no
/// archive; it is corrupt. archive_error() turns them into errors of the store.
[[nodiscard]] Result<std::shared_ptr<const EventArchiveReader>> open_stored_archive(const StoreFile& file,
                                                                                    std::size_t source);
/// Adds the file name and advice to an error of an archive reader.
[[nodiscard]] Error archive_error(const StoreFile& file, const Error& error);

/// StoreWriter::copy_source after checking every block of the archive. Corruption is also recorded in `from`.
[[nodiscard]] Result<std::size_t> copy_stored_source(StoreWriter& writer, const StoreFile& from, std::size_t source);

}  // namespace warpscope::store
