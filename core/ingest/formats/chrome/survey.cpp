#include "core/ingest/formats/chrome/survey.hpp"

#include <algorithm>

#include "core/ingest/json/flat_arguments.hpp"
#include "core/ingest/json/number.hpp"
#include "core/trace/category.hpp"

namespace warpscope::ingest::chrome {

std::optional<std::int64_t> correlation_in(std::string_view arguments) {
  if (arguments.find("\"correlation_id\"") == std::string_view::npos) return std::nullopt;
  const json::Number number = json::parse_integer(argument(arguments, "correlation_id"));
  return number.status == json::NumberStatus::ok && number.value > 0 ? std::optional(number.value) : std::nullopt;
}

std::string Survey::flow_key(const RawEvent& event) {
  std::string key(event.category);
  return key.append(1, '\0').append(event.name).append(1, '\0').append(event.id);
}

void Survey::event(const RawEvent& event) {
  lanes_.add(event);
  if (!event.category.empty() && trace::role_of_category(event.category) != trace::Role::other) of_pytorch_ = true;
  switch (event.phase) {
    case 'X': {
      ++slices_;
      named_ += event.name.empty() ? 0 : 1;
      with_process_ += event.process.empty() ? 0 : 1;
      with_thread_ += event.thread.empty() ? 0 : 1;
      if (const auto correlation = correlation_in(event.arguments))
        identified_.push_back({std::string(event.process), std::string(event.thread), *correlation});
      break;
    }
    case 's':
    case 't':
    case 'f': {
      const auto [entry, fresh] = flow_numbers_.try_emplace(flow_key(event), static_cast<std::uint32_t>(flows_.size()));
      if (fresh) flows_.emplace_back();
      Flow& flow = flows_[entry->second];
      auto& [lane, ends] = *ends_.try_emplace({std::string(event.process), std::string(event.thread)}).first;
      if (event.has_time) ends.push_back({event.time, entry->second, event.phase});
      (event.phase == 's' ? flow.from : flow.to) = &lane;
      (event.phase == 's' ? flow.started : event.phase == 'f' ? flow.ended : flow.stepped) = true;
      break;
    }
    default:
      break;
  }
}

bool Survey::is_incomplete(const RawEvent& slice) const {
  const auto lacks = [&](std::string_view field, std::uint64_t with) { return field.empty() && with > slices_ / 2; };
  return lacks(slice.name, named_) || lacks(slice.process, with_process_) || lacks(slice.thread, with_thread_);
}

void Survey::finish() {
  lanes_.decide();
  for (const Identified& each : identified_)
    if (lanes_.use(each.process, each.thread).kind == LaneKind::stream) run_ids_.insert(each.correlation);
  identified_ = {};
  for (Flow& flow : flows_) {
    if (!run_ids_.empty() || !flow.started || !(flow.ended || flow.stepped)) continue;
    flow.launches = lanes_.use(flow.from->first, flow.from->second).kind == LaneKind::host &&
                    lanes_.use(flow.to->first, flow.to->second).kind == LaneKind::stream;
  }
  for (auto& [lane, ends] : ends_) {
    std::erase_if(ends, [&](const FlowEnd& end) {
      return !is_launch(end.flow) || (end.phase == 't' && !ends_with_step(end.flow));
    });
    std::ranges::stable_sort(ends, {}, &FlowEnd::time);
  }
  std::erase_if(ends_, [](const auto& each) { return each.second.empty(); });
}

std::optional<std::uint32_t> Survey::flow_of(const RawEvent& event) const {
  const auto found = flow_numbers_.find(flow_key(event));
  if (found == flow_numbers_.end()) return std::nullopt;
  const Flow& flow = flows_[found->second];
  return flow.started && (flow.ended || flow.stepped) ? std::optional(found->second) : std::nullopt;
}

}  // namespace warpscope::ingest::chrome
