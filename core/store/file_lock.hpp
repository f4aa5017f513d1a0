#pragma once
// An open file with an advisory lock (flock). Instances of the program use it to mark a store as in use or being
// written. The operating system releases the lock when its owner dies for any reason; lock files and process ids do not
// guarantee this. Locks held by the same process also exclude each other.
#include <cstdint>
#include <filesystem>

#include "core/base/descriptor.hpp"

namespace warpscope::store {

enum class LockKind : std::uint8_t { shared, exclusive };

/// Opens the file at `path` and locks it without blocking. Returns an empty descriptor if the file does not exist,
/// cannot be opened or has a conflicting lock, or if the file system does not support locks.
[[nodiscard]] Descriptor locked_file(const std::filesystem::path& path, LockKind kind);

}  // namespace warpscope::store
