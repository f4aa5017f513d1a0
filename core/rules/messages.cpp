#include "core/rules/messages.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/ranks/collective_kind.hpp"
#include "core/analysis/request/event_numbers.hpp"
#include "core/base/ascii.hpp"
#include "core/base/parse_number.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::rules {

namespace {

constexpr std::string_view kRecordCall = "record_param_comms";
constexpr std::string_view kAnnotation = "nccl:";
constexpr std::array<std::string_view, 7> kMessageRows{
    "args.Collective name", "args.Process Group Name", "args.Group size", "args.In msg nelems",
    "args.dtype",           "args.Input Dims",         "args.Input type"};

/// Fills in missing fields of the message from the event.
void complete(Message& message, const ingest::EventText& event, std::string_view name) {
  const std::string* const kind = event.find("args.Collective name");
  const std::string* const group = event.find("args.Process Group Name");
  const std::string* const size = event.find("args.Group size");
  const std::string* elements = event.find("args.In msg nelems");
  const std::string* type = event.find("args.dtype");
  // NCCL names the kernel of an all-to-all after its sends and receives.
  if (const Communication known = communication_of(kind != nullptr ? *kind : name);
      message.kind == Communication::other ||
      (message.kind == Communication::send_receive && known != Communication::other))
    message.kind = known;
  if (message.group.empty() && group != nullptr) message.group = *group;
  if (message.group_size == 0 && size != nullptr)
    message.group_size = std::max<std::int64_t>(0, parse_number<std::int64_t>(*size).value_or(0));
  if (message.bytes > 0) return;
  if (elements != nullptr && type != nullptr) {
    message.bytes = std::max(0.0, parse_number<double>(*elements).value_or(0)) *
                    static_cast<double>(analysis::element_bytes(*type));
  } else if (name.starts_with(kAnnotation)) {
    elements = event.find("args.Input Dims");
    type = event.find("args.Input type");
    if (elements != nullptr && type != nullptr)
      message.bytes = static_cast<double>(analysis::elements_of_shapes(*elements)) *
                      static_cast<double>(analysis::element_bytes(*type));
  }
}

}  // namespace

std::string_view to_string(Communication kind) {
  constexpr std::array<std::string_view, 7> kWords{
      "all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast", "send/receive", ""};
  return kWords[static_cast<std::size_t>(kind)];
}

Communication communication_of(std::string_view name) {
  std::string plain;
  for (const char c : lower(name.substr(0, 512)))
    if (c != '_' && c != '-') plain += c;
  constexpr std::array<std::pair<std::string_view, Communication>, 8> kParts{{
      {"allreduce", Communication::all_reduce},
      {"allgather", Communication::all_gather},
      {"reducescatter", Communication::reduce_scatter},
      {"alltoall", Communication::all_to_all},
      {"all2all", Communication::all_to_all},
      {"broadcast", Communication::broadcast},
      {"send", Communication::send_receive},
      {"recv", Communication::send_receive},
  }};
  for (const auto& [part, kind] : kParts)
    if (plain.find(part) != std::string::npos) return kind;
  return Communication::other;
}

Message Messages::of(trace::SliceOrdinal kernel, std::string_view name) const {
  const auto found = of_kernel.find(kernel);
  Message message = found == of_kernel.end() ? Message() : found->second;
  if (message.kind == Communication::other) message.kind = communication_of(name);
  return message;
}

Messages read_messages(const analysis::AnalysisInput& input, std::uint32_t rank_index,
                       const std::vector<analysis::GpuRow>& kernels, const analysis::CallTree& tree) {
  const trace::Rank& rank = *input.profile.ranks[rank_index];
  const StringTable& names = input.profile.names();
  // Reads the kernel itself first, then the calls around its launch, innermost first.
  std::unordered_map<trace::SliceOrdinal, std::vector<trace::SliceOrdinal>> kernels_of;
  std::vector<trace::SliceOrdinal> slices;
  const auto add = [&](trace::SliceOrdinal slice, trace::SliceOrdinal kernel) {
    std::vector<trace::SliceOrdinal>& of = kernels_of[slice];
    if (of.empty()) slices.push_back(slice);
    of.push_back(kernel);
  };
  for (const analysis::GpuRow& row : kernels) {
    add(row.slice, row.slice);
    if (!row.launch || !tree.is_call(*row.launch)) continue;
    for (trace::SliceOrdinal at = tree.parent(*row.launch); at != analysis::CallTree::kNone; at = tree.parent(at)) {
      const std::string_view name = names.view(rank.name(at));
      if (name == kRecordCall || name.starts_with(kAnnotation)) add(at, row.slice);
    }
  }
  Messages messages;
  const auto look = [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
    const std::string_view name = names.view(rank.name(slice));
    for (const trace::SliceOrdinal kernel : kernels_of[slice]) complete(messages.of_kernel[kernel], event, name);
  };
  const Failure failure = analysis::read_events(input, rank, slices, kMessageRows, look);
  if (failure) messages.unreadable = failure->message();
  return messages;
}

}  // namespace warpscope::rules
