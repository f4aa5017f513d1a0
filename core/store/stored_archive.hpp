#pragma once
// Joins the two halves of a store that know nothing of each other: the archive of event texts, which is one run of
// bytes, and the store, which keeps runs of bytes in blocks.
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/event_archive_reader.hpp"
#include "core/store/event_archive_writer.hpp"
#include "core/store/reader.hpp"
#include "core/store/writer.hpp"

namespace warpscope::store {

/// The archive of one source while it is written into a store.
class StoredArchiveWriter {
 public:
  /// For source number `source` of `writer`, which must outlive it.
  StoredArchiveWriter(StoreWriter& writer, std::size_t source);
  StoredArchiveWriter(const StoredArchiveWriter&) = delete;
  StoredArchiveWriter& operator=(const StoredArchiveWriter&) = delete;

  /// What the events are added to.
  [[nodiscard]] EventArchiveWriter& events() { return events_; }
  /// Ends the archive and hands it to the store. Once.
  [[nodiscard]] Failure finish();

 private:
  StoreWriter& writer_;
  std::size_t source_;
  std::vector<BytesRef> blocks_;
  EventArchiveWriter events_;
};

/// The archive of source number `source`; it holds the store open. Errors, of it and of its reader: there is none; it
/// is damaged. archive_error() says them of the store.
[[nodiscard]] Result<std::shared_ptr<const EventArchiveReader>> open_stored_archive(const StoreFile& file,
                                                                                    std::size_t source);
/// What a reader of an archive in `file` complains of, with the file's name and what to do.
[[nodiscard]] Error archive_error(const StoreFile& file, const Error& error);

/// StoreWriter::copy_source, once every block of the archive is known to be sound. What is damaged is noted with
/// `from`, too.
[[nodiscard]] Result<std::size_t> copy_stored_source(StoreWriter& writer, const StoreFile& from, std::size_t source);

}  // namespace warpscope::store
