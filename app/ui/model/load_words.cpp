#include "app/ui/model/load_words.hpp"

#include <algorithm>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/base/progress_text.hpp"
#include "core/trace/recordings.hpp"

namespace warpscope::ui {
namespace {

std::string percent(std::uint64_t done, std::uint64_t total) {
  return std::to_string(std::min<std::uint64_t>(done, total) * 100 / total) + " %";
}

std::string reading_text(const Catching& catching) {
  return "reading " + counted(catching.files, "file", "files") + ", " + percent(catching.done, catching.total);
}

StatusNote watching_note(const LoadStatus& progress) {
  StatusNote note{"watching", "Loads new and growing files", {}, "page.load", {}};
  if (progress.away) note.facts = "The watched path does not exist or cannot be read";
  if (const std::size_t growing = progress.growing(); growing > 0)
    note.text += " · " + format_count(static_cast<std::int64_t>(growing)) + " growing";

  if (const std::size_t unfinished = progress.unfinished(); unfinished > 0)
    note.text += " · " + format_count(static_cast<std::int64_t>(unfinished)) + " unfinished";

  if (const Catching catching = catching_up(progress); catching.files > 0) {
    note.fraction = static_cast<double>(catching.done) / static_cast<double>(catching.total);
    note.title = "Loading new and growing files: " + reading_text(catching);
  }
  return note;
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) { return format_bytes(static_cast<std::int64_t>(bytes)); }

std::string load_state_text(const LoadStatus& progress) {
  if (progress.running && !progress.awaited.empty())
    return progress.awaited + (progress.total == 0
                                   ? ""
                                   : " · " + progress_text(progress.done, progress.total, progress.bytes_per_second,
                                                           progress.seconds_left));
  if (progress.running && progress.total == 0) return "Looking for traces";
  if (progress.running)
    return "Loading · " +
           progress_text(progress.done, progress.total, progress.bytes_per_second, progress.seconds_left);
  std::string state = progress.cancelled ? "Stopped" : "Loaded";
  if (progress.cancelled && progress.total > 0)
    state += " · " + bytes_text(progress.done) + " of " + bytes_text(progress.total);
  const std::size_t cut = progress.unfinished();
  if (!progress.watching && !progress.cancelled && cut > 0)
    return "Partial · " + counted(cut, "file ends", "files end") + " early";
  if (!progress.watching) return state;
  state += ", watching for new and growing files";
  if (const std::size_t growing = progress.growing(); growing > 0)
    state += " · " + counted(growing, "file is", "files are") + " still being written";
  if (const std::size_t unfinished = progress.unfinished(); unfinished > 0)
    state += " · " + counted(unfinished, "file truncated", "files truncated");
  if (const Catching catching = catching_up(progress); catching.files > 0) state += " · " + reading_text(catching);
  return state;
}

std::string memory_text(const LoadStatus& progress, std::uint64_t used) {
  if (progress.memory_limit == 0) return {};
  std::string words = "Memory: " + bytes_text(used) + " of " + bytes_text(progress.memory_limit) + " in use";
  if (const std::size_t ranks = progress.waiting_in_store; ranks > 0)
    words += " · " + counted(ranks, "rank stays", "ranks stay") + " on disk until " +
             (ranks == 1 ? "it is" : "they are") + " viewed";
  return words;
}

std::string profile_facts(const trace::Profile& profile, const LoadStatus& progress) {
  std::string facts;
  const auto add = [&facts](const std::string& fact) { facts += (facts.empty() ? "" : " · ") + fact; };
  if (!profile.nodes.empty()) add(counted(profile.nodes.size(), "node", "nodes"));
  if (profile.gpus > 0) {
    add(counted(profile.gpus, "GPU", "GPUs"));
  } else if (!profile.ranks.empty()) {
    add(counted(trace::count_ranks(profile.ranks), "rank", "ranks"));
  }
  if (!profile.span.empty()) add(format_duration(profile.span.length()));
  if (!progress.running && progress.cancelled) {
    const auto done = std::ranges::count(progress.files, FileState::done, &FileStatus::state);
    add("partial, " + std::to_string(done) + " of " + counted(progress.files.size(), "file", "files"));
  }
  return facts;
}

std::vector<StatusNote> status_notes(const LoadStatus& progress) {
  std::vector<StatusNote> notes;
  if (const std::size_t ranks = progress.waiting_in_store; ranks > 0)
    notes.push_back({counted(ranks, "rank", "ranks") + " on disk",
                     "The memory limit of " + bytes_text(progress.memory_limit) + " has been reached",
                     "These ranks load when you view them. Click to show the limit",
                     "page.settings",
                     {}});
  if (progress.watching) notes.push_back(watching_note(progress));
  return notes;
}

}  // namespace warpscope::ui
