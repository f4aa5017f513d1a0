#include "app/ui/timeline/hover_card.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/timeline/collectives/job_ranks.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/slices/slice_details.hpp"
#include "core/base/byte_rate.hpp"
#include "core/base/format.hpp"
#include "core/base/word_at.hpp"
#include "core/trace/resident_only.hpp"
#include "core/trace/slice_label.hpp"

namespace warpscope::ui {
namespace {

constexpr std::size_t kLongestName = 400;  // limit in bytes for a C++ name in a tooltip; the selection shows it in full

std::string shortened(std::string_view name) {
  if (name.size() <= kLongestName) return std::string(name);
  std::size_t cut = kLongestName;
  while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0) == 0x80) --cut;
  return std::string(name.substr(0, cut)) + "…";
}

std::string time_text(const trace::Profile& profile, Ns time, Ns resolution) {
  return format_time_at(saturating_add(time, -profile.span.begin), std::max<Ns>(1, resolution));
}

/// Returns the resolution needed to show 1/1000 of `length`.
Ns resolution_of(Ns length) {
  Ns resolution = 1;
  while (resolution <= length / 10'000) resolution *= 10;
  return resolution;
}

void add_latencies(const analysis::LaunchLatency& latency, HoverCard& card) {
  card.facts.push_back({std::string(analysis::kApiStartToKernelStart), format_duration(latency.from_start)});
  card.facts.push_back({std::string(analysis::kApiEndToKernelStart), format_duration(latency.from_end)});
}

void add_launch_facts(const trace::Profile& profile, trace::SliceRef slice, HoverCard& card) {
  const std::vector<analysis::LaunchRun> pairs = analysis::launch_runs(profile, slice);
  if (pairs.empty()) return;
  if (pairs.front().run == slice) {
    add_latencies(pairs.front().latency, card);
    return;
  }
  if (pairs.size() > 1) card.facts.push_back({"Launches", format_count(static_cast<std::int64_t>(pairs.size()))});
  add_latencies(pairs.front().latency, card);
}

void add_slice(const trace::Profile& profile, trace::SliceRef slice, HoverCard& card) {
  const std::string_view name = profile.name(slice);
  const std::string brief = trace::slice_label(profile, slice);
  card.title = name.empty() ? std::string("(unnamed)") : shortened(brief);
  if (brief != name) card.full_name = shortened(name);
  const Ns begin = profile.begin(slice);
  const Ns duration = profile.duration(slice);
  card.facts.push_back({"Start", time_text(profile, begin, resolution_of(std::max<Ns>(1, duration)))});
  card.facts.push_back({"Duration", format_duration(duration)});
  if (const auto step = analysis::step_of(profile, slice); step && *step != slice) {
    const Ns whole = profile.duration(*step);
    if (duration > 0 && duration < whole)
      card.facts.push_back({"Of " + std::string(profile.name(*step)),
                            format_share(static_cast<double>(duration) / static_cast<double>(whole))});
  }
  add_launch_facts(profile, slice, card);
  card.facts.push_back({"Track", track_path(profile, slice)});
}

void add_curve(const trace::Profile& profile, const scene::Row& row, const scene::Hit& hit, HoverCard& card) {
  const trace::TreeEntry& entry = profile.tree.entries[row.entry];
  card.title = entry.label;
  card.facts.push_back({"Time", time_text(profile, hit.time, hit.pixel.length())});
  if (hit.curve != nullptr) {
    const std::string& unit = hit.curve->unit();
    if (row.kind == scene::RowKind::heat) card.title = hit.curve->name();
    if (!hit.counter.any) {
      card.facts.push_back({"Value", "no sample"});
    } else {
      card.facts.push_back({"Mean", counter_text(hit.counter.mean, unit)});
      if (hit.counter.min != hit.counter.max) card.facts.push_back({"Min", counter_text(hit.counter.min, unit)});
      if (hit.counter.min != hit.counter.max) card.facts.push_back({"Max", counter_text(hit.counter.max, unit)});
    }
    if (entry.kind == trace::TreeKind::metric || entry.kind == trace::TreeKind::metric_group)
      card.facts.push_back({"Node", profile.nodes[entry.node].label});
    card.further = row.kind == scene::RowKind::heat ? "One line per series; expand to see curves"
                                                    : "Zoom in to see individual samples";
    return;
  }
  if (!hit.covered) {
    card.facts.push_back({"Busy", "unknown"});
    card.further = "After the traces end";
    return;
  }
  card.facts.push_back({"Busy", format_share(hit.share)});
  card.facts.push_back({"Over", format_duration(hit.pixel.length())});
  card.further = "Busy: a kernel, memcpy or memset is running; expand for details";
}

std::string plain_text(double value) {
  if (std::abs(value) < 1e9 && value == std::round(value)) return format_count(static_cast<std::int64_t>(value));
  const double size = std::abs(value);
  const int decimals = size >= 100 ? 1 : size >= 1 ? 2 : 4;
  const double scale = std::pow(10.0, decimals);
  if (size * scale > 9e15) return format_count(static_cast<std::int64_t>(std::clamp(value, -9e18, 9e18)));
  return format_decimal(std::llround(value * scale), decimals);
}

std::string_view title_of(scene::PathLinkKind kind) {
  static constexpr std::array<std::string_view, 3> kWords{"Critical path: launch latency (API start → kernel start)",
                                                          "Critical path: gap before the next kernel on the stream",
                                                          "Critical path: waiting for GPU activity"};
  return word_at(kWords, kind);
}

std::string share_of_path(const ShownPath& shown, Ns time) {
  return format_share(static_cast<double>(time) / static_cast<double>(std::max<Ns>(1, shown.chain->length())));
}

HoverCard loading_card() {
  HoverCard card;
  card.title = "Loading…";
  return card;
}

HoverCard card_of_hit(const trace::Profile& profile, const scene::Layout& layout, const scene::Hit& hit) {
  HoverCard card;
  switch (hit.kind) {
    case scene::HitKind::none:
    case scene::HitKind::row:
      break;
    case scene::HitKind::absent:
      return loading_card();
    case scene::HitKind::slice:
      add_slice(profile, *hit.slice, card);
      card.further = "Click to select, double-click to zoom";
      break;
    case scene::HitKind::bucket: {
      card.title = format_count(hit.count) + " slices in " + format_duration(hit.pixel.length());
      card.facts.push_back({"Time", time_text(profile, hit.time, hit.pixel.length())});
      card.facts.push_back({"Busy", format_share(hit.share)});
      if (hit.slice) {
        card.facts.push_back({"Longest", shortened(trace::slice_label(profile, *hit.slice))});
        card.facts.push_back({"", format_duration(profile.duration(*hit.slice))});
        card.facts.push_back({"Track", track_path(profile, *hit.slice)});
      }
      card.further = "Click to select the longest, double-click to zoom in";
      break;
    }
    case scene::HitKind::curve:
      add_curve(profile, hit.pinned ? layout.pinned()[hit.row] : layout.rows()[hit.row], hit, card);
      break;
  }
  return card;
}

}  // namespace

std::string counter_text(double value, std::string_view unit) {
  if (unit == "B") return format_bytes(std::llround(std::clamp(value, -9e18, 9e18)));
  if (unit == "B/s") return format_byte_rate(value);
  return unit.empty() ? plain_text(value) : plain_text(value) + " " + std::string(unit);
}

HoverCard make_hover_card(const trace::Profile& profile, const scene::Layout& layout, const scene::Hit& hit) {
  auto card = trace::if_resident([&] { return card_of_hit(profile, layout, hit); });
  return card ? std::move(*card) : loading_card();
}

void add_wait_facts(const JobRanks& ranks, trace::SliceRef slice, HoverCard& card) {
  const auto known = wait_of(ranks, slice);
  if (!known) return;
  card.facts.push_back({"Wait", known->is_last
                                    ? "none (last rank to arrive)"
                                    : format_duration(known->wait) + " for rank " + std::to_string(known->last)});
  card.facts.push_back({"Transfer", format_duration(known->transfer)});
}

HoverCard path_card(const trace::Profile& profile, const ShownPath& shown, std::uint32_t index) {
  const scene::PathLink& link = shown.chain->links()[index];
  HoverCard card;
  card.title = title_of(link.kind);
  const auto name = [&](std::uint32_t rank, trace::SliceOrdinal slice) {
    return trace::slice_label(profile, {rank, slice});
  };
  if (link.changes_rank()) {
    const auto number = [&](std::uint32_t rank) { return std::to_string(profile.ranks[rank]->number); };
    card.title = "Critical path: last rank arrives at a collective";
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
  card.facts.push_back({"From", name(link.from_rank, link.from)});
  card.facts.push_back({"To", name(link.to_rank, link.to)});
  return card;
}

void add_path_fact(const ShownPath& shown, trace::SliceRef slice, HoverCard& card) {
  const auto part = shown.chain->part_of(slice);
  if (!part) return;
  std::string words = "passes through it";
  if (part->weight > 0)
    words = format_duration(part->weight) + " of it, " + std::string(analysis::words_of(part->what).words) + ", " +
            share_of_path(shown, part->weight) + " of the path";
  card.facts.push_back({"Critical path", std::move(words)});
}

void draw_hover_card(const AppContext& app, const HoverCard& card) {
  if (card.empty()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(app.px(8), app.px(6)));
  if (ImGui::BeginTooltip()) {
    const float width = app.px(440);
    text_wrapped(card.title, app.theme.text, width);
    if (!card.full_name.empty()) text_wrapped(card.full_name, app.theme.muted, width);
    float column = 0;
    for (const HoverCard::Fact& fact : card.facts) column = std::max(column, ImGui::CalcTextSize(fact.what.c_str()).x);
    const float left = ImGui::GetCursorPosX();
    for (const HoverCard::Fact& fact : card.facts) {
      text_muted(fact.what);
      ImGui::SameLine(left + column + app.px(12));
      text_wrapped(fact.figure, app.theme.text, width);
    }
    if (!card.further.empty()) {
      ImGui::Dummy({0, app.px(2)});
      text_wrapped(card.further, app.theme.muted, width);
    }
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar();
}

}  // namespace warpscope::ui
