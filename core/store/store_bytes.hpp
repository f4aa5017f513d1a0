#pragma once
// The bytes of a store, from any source. They are read in pieces, never memory-mapped: if a file shrinks, accessing a
// mapping raises a signal, whereas a read just returns fewer bytes. Also records corruption found later, while loading
// columns, so it can be displayed.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "core/base/descriptor.hpp"
#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"

namespace warpscope::store {

/// Part of a store.
struct ByteRange {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

class StoreBytes {
 public:
  explicit StoreBytes(std::string name) : name_(std::move(name)) {}
  virtual ~StoreBytes() = default;
  StoreBytes(const StoreBytes&) = delete;
  StoreBytes& operator=(const StoreBytes&) = delete;

  /// Fills `into` from `offset`. Returns false if the bytes do not exist or cannot be read.
  [[nodiscard]] virtual bool read(std::uint64_t offset, std::span<std::uint8_t> into) const = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Announces parts that will be read, so that a source with a long way fetches them together.
  virtual void expect(std::span<const ByteRange> /*ranges*/) const {}
  /// Returns whether expect() has an effect.
  [[nodiscard]] virtual bool distant() const { return false; }
  /// Returns why bytes that exist could not be read, if the store itself is not to blame.
  [[nodiscard]] virtual Failure unreachable() const { return {}; }

  /// Store name for messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Returns the first corruption found since the store was opened, if any. Thread-safe.
  [[nodiscard]] Failure damage() const;
  void note_damage(const Error& error) const;

 private:
  std::string name_;
  mutable Mutex mutex_;
  mutable Failure damage_ GUARDED_BY(mutex_);
};

/// Bytes of a file.
class FileBytes final : public StoreBytes {
 public:
  FileBytes(std::string name, Descriptor file) : StoreBytes(std::move(name)), file_(std::move(file)) {}
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const override;
  [[nodiscard]] std::uint64_t size() const override;
  /// Returns false, with errno set, if the bytes cannot be written.
  [[nodiscard]] bool write(std::uint64_t offset, std::span<const std::uint8_t> bytes) const;
  [[nodiscard]] int descriptor() const { return file_.get(); }

 private:
  Descriptor file_;
};

/// Opens a regular file for reading.
[[nodiscard]] Result<std::shared_ptr<const FileBytes>> open_file_bytes(const std::string& path);

}  // namespace warpscope::store
