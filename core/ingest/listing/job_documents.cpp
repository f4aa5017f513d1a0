#include "core/ingest/listing/job_documents.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/ascii.hpp"
#include "core/base/natural_order.hpp"
#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/bytes/content_kind.hpp"

namespace warpscope::ingest {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 4> kConfigNames = {"profilerconfig.json", "resourceconfig.json",
                                                          "hyperparameters.json", "inputdataconfig.json"};
// Folders that SageMaker creates for a job, in its bucket and in its containers.
constexpr std::array<std::string_view, 7> kJobFolders = {"profiler-output", "rule-output", "debug-output", "output",
                                                         "system",          "framework",   "profiler"};
constexpr std::size_t kMostLevelsUp = 3;
constexpr std::size_t kMostNeighbours = 2000;  // entries of a parent folder to inspect

bool is_config(std::string_view file_name) {
  return std::find(kConfigNames.begin(), kConfigNames.end(), lower(file_name)) != kConfigNames.end();
}

/// True if the text contains keys of a job description; ignores case, as SageMaker's own readers do.
bool names_a_job(std::string_view text) {
  constexpr std::array<std::string_view, 5> kKeys = {R"("trainingjobname")", R"("trainingjobarn")",
                                                     R"("profilerconfig")", R"("profilingparameters")",
                                                     R"("profilingintervalinmilliseconds")"};
  const std::string folded = lower(text);
  if (folded.find("\"traceevents\"") != std::string::npos) return false;
  return std::ranges::any_of(kKeys, [&](std::string_view key) { return folded.find(key) != std::string::npos; });
}

/// True for the file extensions of saved job descriptions, which may have any name. Outside the opened path, only files
/// with these extensions are opened.
bool may_be_saved_text(const fs::path& path) {
  const std::string ending = lower(path.extension().native());
  return ending.empty() || ending == ".json" || ending == ".txt";
}

Result<std::string> read_whole(const std::string& path) {
  auto stream = open_byte_stream(path);
  if (!stream) return stream.error();
  std::string text;
  std::array<char, 16384> part{};
  for (;;) {
    const auto got = (*stream)->read(part);
    if (!got) return got.error();
    if (*got == 0) return text;
    text.append(part.data(), *got);
    if (text.size() > kLargestJobDocument) return Error{path, "too large for a job description", ""};
  }
}

/// Returns the documents located directly in `folder`.
std::vector<trace::JobDocument> documents_in(const fs::path& folder) {
  std::vector<trace::JobDocument> documents;
  std::error_code error;
  fs::directory_iterator entries(folder, fs::directory_options::skip_permission_denied, error);
  for (std::size_t looked = 0; !error && entries != fs::directory_iterator() && looked < kMostNeighbours;
       entries.increment(error), ++looked) {
    const fs::path& path = entries->path();
    std::error_code ignored;
    if (!may_be_saved_text(path) || !fs::is_regular_file(path, ignored)) continue;
    const std::uint64_t size = fs::file_size(path, ignored);
    if (ignored || size == 0 || size > kLargestJobDocument) continue;
    auto stream = open_byte_stream(path.string());
    if (!stream) continue;
    std::array<char, kJobDocumentHead> head{};
    const auto got = (*stream)->read(head);
    if (!got || !looks_like_job_document(path, size, {head.data(), *got})) continue;
    const FileStamp& stamp = (*stream)->stamp();
    const trace::SourceFile file{path.string(), stamp.size, stamp.modified_ns, stamp.inode, 0};
    // Ignore unreadable documents, because they are outside the opened path.
    if (auto document = read_job_document(file)) documents.push_back(std::move(*document));
  }
  std::sort(documents.begin(), documents.end(),
            [](const auto& a, const auto& b) { return natural_less(a.path, b.path); });
  return documents;
}

/// Returns the rule reports in JOB/rule-output/ProfilerReport-*/profiler-output/profiler-reports.
std::vector<trace::JobDocument> reports_of(const fs::path& job) {
  std::vector<trace::JobDocument> all;
  std::error_code error;
  fs::directory_iterator entries(job / "rule-output", fs::directory_options::skip_permission_denied, error);
  for (std::size_t looked = 0; !error && entries != fs::directory_iterator() && looked < kMostNeighbours;
       entries.increment(error), ++looked) {
    std::vector<trace::JobDocument> reports = documents_in(entries->path() / "profiler-output" / "profiler-reports");
    std::erase_if(reports, [](const auto& each) { return each.kind != trace::JobDocumentKind::rule_report; });
    std::ranges::move(reports, std::back_inserter(all));
  }
  return all;
}

void add_from_above(trace::JobDocuments& documents, const fs::path& root) {
  fs::path folder = root;
  for (std::size_t level = 0; level < kMostLevelsUp && folder.has_relative_path(); ++level) {
    const std::string name = folder.filename().string();
    const bool of_this_job = std::find(kJobFolders.begin(), kJobFolders.end(), name) != kJobFolders.end();
    folder = folder.parent_path();
    std::vector<trace::JobDocument> above = documents_in(folder);
    if (!of_this_job) std::erase_if(above, [&](const auto& document) { return document.job_name != name; });
    std::ranges::move(above, std::back_inserter(documents));
    // If the whole job is opened, the reports are found along with all other files under the folder.
    if (of_this_job && name != "rule-output") std::ranges::move(reports_of(folder), std::back_inserter(documents));
    if (!of_this_job) return;
  }
}

}  // namespace

bool is_rule_report(std::string_view head) {
  return head.find("\"RuleTriggered\"") != std::string_view::npos &&
         head.find("\"Violations\"") != std::string_view::npos;
}

bool looks_like_job_document(const fs::path& path, std::uint64_t size, std::string_view head) {
  if (size > kLargestJobDocument) return false;
  if (is_config(path.filename().string()) || is_rule_report(head)) return true;
  // Keys are often sorted, so the job name may be far from the start.
  if (!begins_like_json(head) || head.find("\"schemaVersion\"") != std::string_view::npos) return false;
  const auto text = read_whole(path.string());
  return names_a_job(text ? std::string_view(*text) : head);
}

Result<trace::JobDocument> read_job_document(const trace::SourceFile& file) {
  auto text = read_whole(file.path);
  if (!text) return text.error();
  auto document = parse_job_document(*text, fs::path(file.path).filename().string());
  if (!document) return document.error();
  document->path = file.path;
  document->size = file.size;
  document->modified_ns = file.modified_ns;
  return document;
}

FoundJobDocuments read_job_documents(const Discovery& found) {
  FoundJobDocuments result;
  for (const trace::SourceFile& file : found.documents) {
    if (auto document = read_job_document(file))
      result.documents.push_back(std::move(*document));
    else
      result.diagnostics.add("job-document-unreadable", Severity::warning, file.path, Diagnostic::kNoOffset,
                             document.error().what);
  }
  std::error_code error;
  const fs::path root = found.root;
  if (fs::is_directory(root, error))
    add_from_above(result.documents, root);
  else if (root.has_parent_path())
    result.documents = documents_in(root.parent_path());
  return result;
}

}  // namespace warpscope::ingest
