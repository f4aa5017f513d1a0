#pragma once
// Shared by the store tests: writes a profile's store to a folder or to memory and reads it back.
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/store/reader.hpp"
#include "core/store/writer.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/core/store/memory_bytes.hpp"
#include "tests/core/trace/random_slices.hpp"
#include "tests/core/trace/same_rank.hpp"

namespace warpscope::tests {

std::shared_ptr<trace::Dictionary> dictionary_of(const trace::Profile& profile);

/// Writes all ranks of a profile to `path`.
void write_store(const trace::Profile& profile, const std::string& path, store::Packing packing = {});

std::vector<std::uint8_t> bytes_of_file(const std::string& path);

Result<store::StoreFile> open_bytes(std::vector<std::uint8_t> bytes, bool checked = true);

/// Opens all ranks in the order of the sources on up to `threads` threads. Returns the first Error, if any.
Result<std::vector<std::shared_ptr<const trace::Rank>>> ranks_of(const store::StoreFile& file,
                                                                 const std::shared_ptr<trace::Dictionary>& dictionary,
                                                                 unsigned threads);

/// Returns the first difference between a profile's rank and its copy from the store; empty if equal.
std::string difference_to_store(const trace::Profile& profile, const store::StoreFile& file);

/// A rank with one lane: a random row, as a thread.
std::shared_ptr<trace::Rank> rank_of_row(const trace::testing::Row& row, trace::Dictionary& dictionary,
                                         trace::LaneKind kind, std::mt19937_64& random);

}  // namespace warpscope::tests
