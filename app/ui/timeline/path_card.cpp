#include "app/ui/timeline/path_card.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/format.hpp"
#include "core/base/word_at.hpp"
#include "core/trace/slice_label.hpp"

namespace warpscope::ui {
namespace {

using analysis::EdgeKind;

std::string_view title_of(EdgeKind kind) {
  static constexpr std::array<std::string_view, 5> kWords{
      "Critical path: continues on another thread", "Critical path: next call on the thread",
      "Critical path: launch latency (API start → kernel start)",
      "Critical path: gap before the next kernel on the stream", "Critical path: synchronization on GPU activity"};
  return word_at(kWords, kind);
}

std::string share_of_path(const ShownPath& shown, Ns time) {
  return format_share(static_cast<double>(time) / static_cast<double>(std::max<Ns>(1, shown.chain->length())));
}

}  // namespace

HoverCard path_card(const trace::Profile& profile, const ShownPath& shown, std::uint32_t index) {
  const scene::PathLink& link = shown.chain->links()[index];
  HoverCard card;
  card.title = title_of(link.kind);
  const auto name = [&](std::uint32_t rank, trace::SliceOrdinal slice) {
    return trace::slice_label(profile, {rank, slice});
  };
  if (link.changes_rank()) {
    const auto number = [&](std::uint32_t rank) { return std::to_string(profile.ranks[rank]->number); };
    card.title = "Critical path: the last rank arrives in a collective";
    card.facts.push_back({"Last rank", number(link.from_rank)});
    card.facts.push_back({"Continues on rank", number(link.to_rank)});
    card.facts.push_back({"Collective", name(link.from_rank, link.from)});
    return card;
  }
  if (link.weight > 0) {
    card.facts.push_back(
        {"Duration", format_duration(link.weight) + ", " + share_of_path(shown, link.weight) + " of the path"});
  } else {
    card.facts.push_back({"Duration", "none"});
  }
  // Zero-length edges are not bottlenecks.
  if (link.weight > 0 && link.kind == EdgeKind::launch_delay) card.facts.push_back({"Bound by", "launch latency"});
  if (link.weight > 0 && link.kind == EdgeKind::run_delay)
    card.facts.push_back({"Bound by", "gap between kernels on the device"});
  // Skip times removed by a what-if, and edges between different clocks.
  if (link.weight == 0 && link.kind == EdgeKind::launch_delay && shown.request.what_if.empty() &&
      link.reached > link.left)
    card.facts.push_back({"The kernel", "waited for earlier work on its stream"});
  card.facts.push_back({"From", name(link.from_rank, link.from)});
  card.facts.push_back({"To", name(link.to_rank, link.to)});
  return card;
}

void add_path_fact(const ShownPath& shown, trace::SliceRef slice, HoverCard& card) {
  const auto part = shown.chain->part_of(slice);
  if (!part) return;
  std::string words = "passes through it";
  if (part->weight > 0)
    words = format_duration(part->weight) + " of it, " + std::string(scene::words_of(part->bound)) + ", " +
            share_of_path(shown, part->weight) + " of the path";
  card.facts.push_back({"Critical path", std::move(words)});
}

}  // namespace warpscope::ui
