#pragma once
// Reads documents that describe the job, found next to the traces: a saved response from `describe-training-job`,
// profilerconfig.json (whose nested configurations are strings that contain JSON or a Python dict),
// resourceconfig.json, hyperparameters.json, inputdataconfig.json, and SageMaker Debugger's rule reports. Like traces,
// they are JSON, so discover() checks for them first.
//
// The files are untrusted: sizes, depths and counts are bounded, and anything beyond the limits is dropped.
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
/// Number of leading file bytes that looks_like_job_document() needs.
inline constexpr std::size_t kJobDocumentHead = 4096;

/// True for the start of a SageMaker Debugger rule report: {"RuleTriggered": 3, "Violations": 7, …
[[nodiscard]] bool is_rule_report(std::string_view head);

/// Recognizes a document by its name, or by a `head` that contains a training job or a profiler configuration but no
/// events. Reads the whole file if its head contains keys of a job document. `size`: size of the file.
[[nodiscard]] bool looks_like_job_document(const std::filesystem::path& path, std::uint64_t size,
                                           std::string_view head);

/// Parses a document. `file_name` identifies documents that have a fixed name. Errors: the text is not a JSON object,
/// or does not describe a job.
[[nodiscard]] Result<trace::JobDocument> parse_job_document(std::string_view text, std::string_view file_name);

/// Reads a file for which looks_like_job_document() returned true. `file` provides the document's path, size and time.
/// Errors: those of parse_job_document(), and read errors.
[[nodiscard]] Result<trace::JobDocument> read_job_document(const trace::SourceFile& file);

struct FoundJobDocuments {
  trace::JobDocuments documents;  ///< sorted by path; those from the parent directory last
  Diagnostics diagnostics;        ///< for unreadable documents
};

/// Reads the documents in `found`. Also searches the parent directory if it belongs to the same job. This is assumed if
/// the opened folder has a name SageMaker uses for a job's subfolders ("profiler-output"), or if its name
/// matches the job name in a description in the parent. For a single file, searches the folder containing it.
[[nodiscard]] FoundJobDocuments read_job_documents(const Discovery& found);

}  // namespace warpscope::ingest
