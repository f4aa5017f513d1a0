#include "core/ingest/formats/merged/rank_splitter.hpp"

#include <algorithm>

#include "core/base/file_group.hpp"
#include "core/base/parse_number.hpp"
#include "core/ingest/build/metadata.hpp"
#include "core/ingest/json/flat_arguments.hpp"
#include "core/trace/category.hpp"

namespace warpscope::ingest::merged {

namespace {

/// Longer metadata consists of unused log arrays, which would be copied to each rank.
constexpr std::size_t kLongestMetadata = std::size_t{64} << 10;

/// VeOmni adds the rank times this number to numeric process and thread ids.
constexpr std::int64_t kMoved = 1000;

/// Restores an id that VeOmni changed: 3083 → 83, "rank3_Spans" → "Spans". `buffer` stores the result.
std::string_view moved_back(std::string_view id, std::int64_t rank, std::string& buffer) {
  if (const auto number = parse_number<std::int64_t>(id)) {
    buffer = std::to_string(*number - rank * kMoved);
    return buffer;
  }
  buffer.assign("rank").append(std::to_string(rank)).append(1, '_');
  return id.starts_with(buffer) ? id.substr(buffer.size()) : id;
}

/// Removes ranks from device names. VeOmni writes "Rank 3 - NVIDIA H100".
std::string without_ranks(std::string_view properties) {
  constexpr std::string_view kBefore = "\"Rank ";
  constexpr std::string_view kAfter = " - ";
  std::string text;
  for (;;) {
    const std::size_t at = properties.find(kBefore);
    if (at == std::string_view::npos) return text.append(properties);
    text.append(properties.substr(0, at + 1));
    properties.remove_prefix(at + 1);
    const std::size_t end = properties.find_first_not_of("0123456789", kBefore.size() - 1);
    if (end != std::string_view::npos && properties.substr(end).starts_with(kAfter))
      properties.remove_prefix(end + kAfter.size());
  }
}

/// Returns the parts of distributedInfo that apply to the whole job; "" if there are none. Omits process groups,
/// because other ranks' groups have the same names but different members.
std::string of_the_job(std::string_view distributed_info) {
  FileMetadata metadata;
  Diagnostics ignored;  // the key of the first rank is not shown
  add_metadata(metadata, "distributedInfo", distributed_info, ignored, "");
  std::string members;
  if (!metadata.backend.empty() && metadata.backend.find_first_of("\"\\") == std::string::npos)
    members += "\"backend\": \"" + metadata.backend + '"';
  if (metadata.world_size)
    members += (members.empty() ? "" : ", ") + ("\"world_size\": " + std::to_string(*metadata.world_size));
  return members.empty() ? "" : "{" + members + "}";
}

}  // namespace

RankSplitter::Part::Part(RankLabel its_label, const std::string& path, std::uint64_t most_slices)
    : label(std::move(its_label)),
      rank(std::make_unique<MergedRank>()),
      joiner(rank->pending, rank->categories, most_slices),
      events(rank->pending.file, joiner) {
  rank->pending.file = path;
}

RankSplitter::Part* RankSplitter::part_of(const RankLabel& label) {
  if (const auto known = by_label_.find(label.text); known != by_label_.end()) return known->second;
  if (parts_.size() == kMostRanks) {
    too_many_ = true;
    return parts_.front().get();
  }
  parts_.push_back(std::make_unique<Part>(label, path_in_merged(file_, label.text), options_.most_slices));
  if (!knowledge_.first) knowledge_.first = label;
  return by_label_[label.text] = parts_.back().get();
}

RankSplitter::Part* RankSplitter::part_of_axes(std::string_view axes) {
  if (current_ != nullptr && current_->label.text == axes) return current_;
  return part_of({std::string(axes), std::nullopt});
}

RankSplitter::Part* RankSplitter::part_of_rank(std::int64_t rank) {
  if (current_ != nullptr && current_->label.number == rank) return current_;
  const auto known = by_rank_.find(rank);
  return known != by_rank_.end() ? known->second : by_rank_[rank] = part_of(label_of(rank));
}

void RankSplitter::learn(const RawEvent& event) {
  const auto label = label_in_name(argument(event.arguments, "name"));
  if (!label || knowledge_.of_process.contains(event.process)) return;
  knowledge_.of_process.emplace(event.process, *label);
  knowledge_.too_late |= without_label_.contains(event.process);
}

/// Sets the process of GPU activity to its device, as Kineto does, because tools that number processes by rank discard
/// the device.
void RankSplitter::restore_device(RawEvent& event, const Part& part) {
  device_ = argument(event.arguments, "device");
  const auto first = knowledge_.first_device.find(part.label.text);
  if (device_.empty()) {
    if (first != knowledge_.first_device.end())
      device_ = first->second;
    else
      knowledge_.too_late = true;
  } else if (first == knowledge_.first_device.end()) {
    knowledge_.first_device.emplace(part.label.text, device_);
  }
  if (device_.empty()) return;
  event.process = device_;
  event.place = 0;  // the same process and thread may be on several devices
}

/// Returns the event's rank and restores the original ids and name; null if the event has no label.
RankSplitter::Part* RankSplitter::resolve(RawEvent& event) {
  switch (layout_) {
    case Layout::process: {
      const auto [axes, rest] = split_axes(event.process);
      if (axes.empty()) return nullptr;
      event.process = rest;
      return part_of_axes(axes);
    }
    case Layout::name: {
      const auto before = split_rank(event.name);
      if (!before) return nullptr;
      event.name = before->rest;
      if (!event.process.empty()) event.process = moved_back(event.process, before->rank, process_);
      if (!event.thread.empty()) event.thread = moved_back(event.thread, before->rank, thread_);
      return part_of_rank(before->rank);
    }
    case Layout::argument: {
      const FusedArguments fused = fused_arguments(event.arguments);
      if (!fused.rank) return nullptr;
      if (!fused.process.empty()) event.process = fused.process;
      return part_of_rank(*fused.rank);
    }
    case Layout::process_name: {
      const auto label = knowledge_.of_process.find(event.process);
      return label == knowledge_.of_process.end() ? nullptr : part_of(label->second);
    }
    case Layout::none:
      break;
  }
  return nullptr;
}

void RankSplitter::event(const RawEvent& event) {
  if (too_many_) return;
  if (layout_ == Layout::process_name && event.phase == 'M' && event.name == "process_name") learn(event);
  RawEvent own = event;
  Part* part = resolve(own);
  const trace::Role role = trace::role_of_category(event.category);
  runs_ += trace::is_run(role) ? 1 : 0;
  if (part == nullptr) {
    // Events without a label are from the same rank as the events around them.
    runs_without_label_ += trace::is_run(role) ? 1 : 0;
    if (without_label_.size() < kMostRanks) without_label_.emplace(event.process);
    if (current_ == nullptr && !knowledge_.first) {
      knowledge_.too_late = true;
      return;
    }
    part = current_ != nullptr ? current_ : part_of(*knowledge_.first);
  }
  if (layout_ == Layout::process_name && trace::is_on_stream(role)) restore_device(own, *part);
  switches_ += part != current_ ? 1 : 0;
  current_ = part;
  if (!found_.empty()) assign_diagnostics(*part);
  part->events.event(own);
}

void RankSplitter::metadata(std::string_view key, std::string_view json) {
  const bool used = key == "distributedInfo" || key == "deviceProperties";
  metadata_.emplace_back(key, used ? json : json.substr(0, kLongestMetadata));
}

void RankSplitter::assign_diagnostics(Part& part) {
  for (const Diagnostic& one : found_.all())
    part.events.diagnostics().add(one.code, one.severity, part.rank->pending.file, one.offset, one.example, one.count);
  found_ = {};
}

bool RankSplitter::is_merged() const {
  constexpr std::uint64_t kTolerated = 20;  // one in this many
  const std::size_t least = layout_ == Layout::process_name ? 2 : 1;
  return !too_many_ && parts_.size() >= least && runs_without_label_ * kTolerated <= runs_;
}

void RankSplitter::finish(const ParseOutcome& outcome, FileContents& contents) {
  // Truncated files lack the end of the last rank, or of all ranks if the tool sorted events by time.
  const bool sorted = switches_ > 2 * parts_.size();
  const Diagnostics at_end = found_;
  for (const std::unique_ptr<Part>& part : parts_) {
    found_ = at_end;
    if (sorted || part.get() == current_) assign_diagnostics(*part);
  }
  std::int64_t order = 0;
  for (const std::unique_ptr<Part>& part : parts_) {
    for (const auto& [key, json] : metadata_) {
      // Tools only keep the first file's values for these keys.
      if (key == "distributedInfo") {
        if (const std::string job = of_the_job(json); !job.empty()) part->events.metadata(key, job);
      } else if (key == "host_name" || key == "hostname") {
        part->events.metadata(key + " of the first rank", json);
      } else {
        part->events.metadata(key, key == "deviceProperties" ? without_ranks(json) : json);
      }
    }
    part->events.join();
    part->joiner.finish();
    MergedRank& rank = *part->rank;
    rank.label = part->label.text;
    rank.number = part->label.number.value_or(order++);
    rank.in_order = !part->label.number;
    rank.ranks = parts_.size();
    rank.text_bytes = outcome.text_bytes / parts_.size();
    rank.cancelled = outcome.cancelled;
    contents.merged.push_back(std::move(part->rank));
  }
}

}  // namespace warpscope::ingest::merged
