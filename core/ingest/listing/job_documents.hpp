#pragma once
// Reads what lies beside the traces and tells of the job: a saved answer of `describe-training-job`,
// profilerconfig.json (whose nested configurations are texts that hold JSON or a Python dict), resourceconfig.json,
// hyperparameters.json, inputdataconfig.json. They are JSON as traces are, so discover() asks here first.
//
// Anyone may have written these files: sizes, depths and counts are bounded, and what is beyond is left out.
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/base/diagnostics.hpp"
#include "core/base/result.hpp"
#include "core/ingest/listing/discover.hpp"
#include "core/trace/job_document.hpp"

namespace warpscope::ingest {

inline constexpr std::uint64_t kLargestJobDocument = std::uint64_t{4} << 20;
inline constexpr std::size_t kMostJobFacts = 5000;
/// Bytes of a file's begin that looks_like_job_document() wants to see.
inline constexpr std::size_t kJobDocumentHead = 4096;

/// By its name, or because its `head` names a training job and no events. `size`: of the file.
[[nodiscard]] bool looks_like_job_document(const std::filesystem::path& path, std::uint64_t size,
                                           std::string_view head);

/// The document in `text`. `file_name` tells the kind of those that have a fixed name. Errors: no JSON object, or none
/// that tells of a job.
[[nodiscard]] Result<trace::JobDocument> parse_job_document(std::string_view text, std::string_view file_name);

/// Reads a file that looks_like_job_document(). `file` becomes the document's path, size and time. Errors: as above,
/// and those of the disk.
[[nodiscard]] Result<trace::JobDocument> read_job_document(const trace::SourceFile& file);

struct FoundJobDocuments {
  trace::JobDocuments documents;  ///< in the order of their paths; those from above what was opened last
  Diagnostics diagnostics;        ///< those that could not be read
};

/// Reads those that were found. Looks a level up too, as far as that is the folder of the same job: when what was
/// opened is one of the folders that SageMaker makes for a job ("profiler-output"), or when a description there names
/// the job as the opened folder is named. Beside a single file, its own folder is looked at.
[[nodiscard]] FoundJobDocuments read_job_documents(const Discovery& found);

}  // namespace warpscope::ingest
