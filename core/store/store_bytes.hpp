#pragma once
// The bytes of a store, wherever they are. They are read piece by piece and never mapped: a file that shrinks under a
// mapping raises a signal, under a read it gives less. What is found damaged later, when a column is brought in, is
// remembered here: whoever shows the store asks for it.
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"

struct ZSTD_DCtx_s;

namespace warpscope::store {

struct FreeDecoder {
  void operator()(ZSTD_DCtx_s* decoder) const;
};
using Decoder = std::unique_ptr<ZSTD_DCtx_s, FreeDecoder>;

class StoreBytes {
 public:
  explicit StoreBytes(std::string name) : name_(std::move(name)) {}
  virtual ~StoreBytes() = default;
  StoreBytes(const StoreBytes&) = delete;
  StoreBytes& operator=(const StoreBytes&) = delete;

  /// Fills `into` from `offset`. False if the bytes are not there (any more), or cannot be read.
  [[nodiscard]] virtual bool read(std::uint64_t offset, std::span<std::uint8_t> into) const = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;

  /// What the store is called in messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The first damage that was found since the store was opened, if any. Safe from any thread.
  [[nodiscard]] Failure damage() const;
  void note_damage(const Error& error) const;

  /// What unpacks zstd frames: made, or one that was given back. Making one costs more than a short section does.
  [[nodiscard]] Decoder take_decoder() const;
  void give_back(Decoder decoder) const;

 private:
  std::string name_;
  mutable std::mutex mutex_;
  mutable Failure damage_;
  mutable std::vector<Decoder> decoders_;
};

/// Closes the file with itself.
class FileBytes final : public StoreBytes {
 public:
  /// Takes over an open file.
  FileBytes(std::string name, int descriptor);
  ~FileBytes() override;
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const override;
  [[nodiscard]] std::uint64_t size() const override;
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// A regular file, opened for reading.
[[nodiscard]] Result<std::shared_ptr<const StoreBytes>> open_file_bytes(const std::string& path);

/// A copy of bytes in memory.
class MemoryBytes final : public StoreBytes {
 public:
  MemoryBytes(std::string name, std::vector<std::uint8_t> bytes)
      : StoreBytes(std::move(name)), bytes_(std::move(bytes)) {}
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const override;
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace warpscope::store
