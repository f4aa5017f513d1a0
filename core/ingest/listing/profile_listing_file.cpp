#include "core/ingest/listing/profile_listing_file.hpp"

#include <algorithm>
#include <filesystem>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/bytes/early_end.hpp"
#include "core/ingest/bytes/file_name.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/listing/job_documents.hpp"

namespace warpscope::ingest {

void look_into(ListedFile& file) {
  file.role = ListedRole::nothing;
  const auto head = read_head(file.path);
  if (!head) return;
  if (const auto copy = copy_of({file.path, *head}); copy && !copy->same_folder) return;
  if (looks_like_job_document(file.path, file.bytes, *head)) {
    file.role = ListedRole::description;
    return;
  }
  const TraceFormat& format = format_of(FileHead{file.path, *head});
  auto summary = format.summarize({file.path, *head});
  if (!summary) return;
  file.role = ListedRole::trace;
  file.format = &format;
  summary->in_name = file.in_name;
  static_cast<FileSummary&>(file) = std::move(*summary);
  const std::filesystem::path path(file.path);
  if (!file.rank) file.rank = rank_in_file_name(path.filename().string());
  if (!file.rank && names_a_part(path.parent_path().filename().string()))
    file.rank = rank_in_file_name(path.parent_path().filename().string());
  if (const auto source = FileSource::open(file.path)) file.truncated = ends_too_early(*source, *head);
}

std::optional<Ns> begin_by_tail(const ListedFile& file, std::uint64_t most, const CancelToken* cancel) {
  const auto stream = open_byte_stream(file.path, cancel);
  if (!stream) return std::nullopt;
  std::string tail;
  if (const FileSource* plain = (*stream)->plain()) {
    const std::uint64_t size = plain->stamp().size;
    if (auto text = plain->text_at(size - std::min<std::uint64_t>(kFormatTail, size), kFormatTail))
      tail = std::move(*text);
  } else if (file.bytes <= most) {
    std::vector<char> block(kInputBlock);
    for (;;) {
      const auto got = (*stream)->read(block);
      if (!got) return std::nullopt;
      if (*got == 0) break;
      tail.append(block.data(), *got);
      if (tail.size() > kFormatTail) tail.erase(0, tail.size() - kFormatTail);
    }
  }
  const auto head = read_head(file.path);
  if (!head || tail.empty()) return std::nullopt;
  const auto summary = format_of(FileHead{file.path, *head}).summarize({file.path, *head, tail});
  return summary ? summary->begin : std::nullopt;
}

void look_at_begin(ListedFile& file) {
  const auto head = read_head(file.path);
  if (!head) return;
  if (const auto summary = file.format->summarize({file.path, *head})) {
    file.begin = summary->begin;
    file.devices = summary->devices;
  }
}

}  // namespace warpscope::ingest
