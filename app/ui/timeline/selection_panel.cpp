// The Current selection tab: all details of the selected slice. Selecting a slice reads its arguments from the source
// on another thread, because a compressed source must be decompressed up to that point.
#include <fmt/format.h>
#include <imgui.h>

#include <optional>
#include <string>

#include "app/ui/model/background.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/timeline/collectives/job_ranks.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/slices/slice_details.hpp"
#include "core/base/format.hpp"
#include "core/ingest/format/event_text.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/trace/resident_only.hpp"
#include "core/trace/slice_label.hpp"

namespace warpscope::ui {
namespace {

class SelectionPanel final : public Panel {
 public:
  [[nodiscard]] std::string label(const PanelContext&) const override { return "Current selection"; }
  void draw(PanelContext& context) override;
  [[nodiscard]] bool busy() const override { return reading_.running(); }
  void forget() override {
    reading_.stop();
    event_.reset();
    read_.reset();
    shown_.reset();
    profile_.reset();
    details_.reset();
  }
  void write_state(JsonWriter& writer, const PanelContext& context) const override;

 private:
  void update(PanelContext& context);
  void draw_facts(PanelContext& context);
  void draw_arguments(PanelContext& context);
  [[nodiscard]] std::string as_text(const PanelContext& context) const;

  Background<Result<ingest::EventText>> reading_;
  std::optional<Result<ingest::EventText>> event_;
  std::optional<analysis::SliceDetails> details_;  // empty while required columns are being loaded
  std::shared_ptr<const trace::Profile> profile_;  // of details_
  std::optional<trace::SliceRef> shown_;
  std::optional<std::uint64_t> read_;  // Session::selection_generation of the slice that event_ has or reading_ reads
};

Error source_changed(const std::string& path) {
  return {path, "the source contains a different event at this position",
          "the source has changed; reload the directory"};
}

// "2.15 ms, 2 146 000 ns": rounded and exact.
std::string with_exact(Ns time) {
  const std::string brief = format_duration(time);
  return brief.ends_with(" ns") ? brief : fmt::format("{}, {} ns", brief, format_count(time));
}

void fact(PanelContext& context, const char* what, std::string_view value, bool figure = false) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + context.app.px(1));  // aligned with the field next to it
  text_muted(what);
  ImGui::TableNextColumn();
  selectable_text(context.app, what, value, ImGui::GetContentRegionAvail().x, figure);
}

void link(PanelContext& context, const char* what, trace::SliceRef slice, std::string_view after = {}) {
  const trace::Profile& profile = *context.profile;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  text_muted(what);
  ImGui::TableNextColumn();
  ImGui::PushID(static_cast<int>(slice.rank));
  ImGui::PushID(static_cast<int>(slice.slice));
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(context.app.theme.accent));
  const float room = ImGui::GetContentRegionAvail().x - (after.empty() ? 0 : text_width(after) + context.app.px(12));
  const auto label = trace::if_resident([&] { return trace::slice_label(profile, slice); });
  const std::string words = fit_text(label.value_or("…"), room);
  if (ImGui::Selectable(words.empty() ? "(unnamed)" : words.c_str(), false, 0,
                        ImVec2(ImGui::CalcTextSize(words.c_str()).x, 0)))
    context.go_to(slice);
  ImGui::PopStyleColor();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort))
    tooltip(context.app, profile.name(slice), format_duration(profile.duration(slice)), "Click to go there");
  if (!after.empty()) {
    ImGui::SameLine(0, context.app.px(12));
    text_muted(after);
  }
  ImGui::PopID();
  ImGui::PopID();
}

void chain(PanelContext& context, const char* what, const std::vector<trace::SliceRef>& slices) {
  const char* label = what;
  for (std::size_t i = slices.size(); i-- > 0;) {  // innermost first: the nearest cause is the most useful
    link(context, label, slices[i]);
    label = "";
  }
}

}  // namespace

void SelectionPanel::update(PanelContext& context) {
  if (auto event = reading_.take()) event_ = std::move(*event);
  if (!context.selection) {
    shown_.reset();
    profile_.reset();
    return;
  }
  if (details_ && profile_ == context.profile && shown_ == context.selection) return;
  profile_ = context.profile;
  shown_ = context.selection;
  details_ = trace::if_resident([this] { return analysis::slice_details(*profile_, *shown_); });

  const std::uint64_t generation = context.app.session.selection_generation();
  if (read_ == generation) return;
  read_ = generation;
  event_.reset();
  reading_.start(
      [events = context.app.session.events(), profile = profile_,
       selected = *shown_](const CancelToken& cancel) -> Result<ingest::EventText> {
        const trace::Rank& rank = *profile->ranks[selected.rank];
        auto event = events ? events->read(rank, selected.slice, &cancel)
                            : ingest::EventLookup().read(rank, selected.slice, &cancel);
        if (!event) return event;
        if (!ingest::format_of(rank).is_named(*event, profile->name(selected))) return source_changed(rank.source.path);
        return event;
      },
      context.app.wake);
}

void SelectionPanel::draw_facts(PanelContext& context) {
  if (!details_) {
    text_muted("Loading…");
    return;
  }
  const analysis::SliceDetails& details = *details_;
  const trace::Profile& profile = *context.profile;
  const trace::SliceRef slice = *shown_;
  const trace::Rank& rank = *profile.ranks[slice.rank];
  if (!ImGui::BeginTable("facts", 2, ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthFixed, context.app.px(104));
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
  fact(context, "Name", profile.name(slice));
  fact(context, "Category", profile.categories().name(rank.category(slice.slice)));
  fact(context, "Track", details.track);
  fact(context, "Location", fmt::format("{} · rank {} · process {}", details.node, details.rank, rank.process));
  fact(context, "Start", format_time_at(details.begin, 1), true);
  const std::string share =
      details.duration > 0 && details.self != details.duration
          ? fmt::format("{} ({})", with_exact(details.self),
                        format_share(static_cast<double>(details.self) / static_cast<double>(details.duration)))
          : with_exact(details.self);
  fact(context, "Duration", with_exact(details.duration), true);
  fact(context, "Self time", share, true);
  if (context.collective != nullptr)
    fact(context, "Collective",
         context.collective->sentence.empty() ? context.collective->reason : context.collective->sentence);
  if (details.impossible) fact(context, "Note", "impossible times: excluded from span and utilization");
  for (const analysis::LaunchRun& pair : details.connections) {
    const bool is_launch = pair.launch == slice;
    link(context, is_launch ? "Launches" : "Launched by", is_launch ? pair.run : pair.launch,
         fmt::format("{} {} · {} {}", analysis::kApiStartToKernelStart, format_duration(pair.latency.from_start),
                     analysis::kApiEndToKernelStart, format_duration(pair.latency.from_end)));
  }
  if (details.step) link(context, "Step", *details.step);
  chain(context, "Annotations", details.annotations);
  chain(context, "Parents", details.enclosing);
  if (!details.launched_by.empty()) chain(context, "Launched within", details.launched_by);
  ImGui::EndTable();
}

void SelectionPanel::draw_arguments(PanelContext& context) {
  text_muted("Arguments");
  ImGui::SameLine(0, context.app.px(12));
  if (ImGui::SmallButton("Copy all") && details_) copy_text(context.app, as_text(context));
  if (!event_) {
    text_muted("Reading from the source…");
    return;
  }
  if (!event_->ok()) return text_wrapped(event_->error().message(), context.app.theme.text);
  if (!ImGui::BeginTable("arguments", 2, ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthFixed, context.app.px(176));
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
  // Arguments first, then the event's own fields, whose values are already shown on the left.
  int row = 0;
  for (const bool arguments : {true, false}) {
    for (const ingest::EventRow& line : (*event_)->rows) {
      const bool argument = line.path.starts_with("args.");
      if (argument != arguments || line.path == "name" || line.path == "cat") continue;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushID(row++);
      text_fitted(context.app, argument ? std::string_view(line.path).substr(5) : std::string_view(line.path),
                  ImGui::GetContentRegionAvail().x, context.app.theme.muted);
      ImGui::TableNextColumn();
      selectable_text(context.app, "value", line.value, ImGui::GetContentRegionAvail().x, true);
      ImGui::PopID();
    }
  }
  ImGui::EndTable();
  if ((*event_)->repaired) text_muted("The event is corrupt in the source; only these fields could be read.");
}

void SelectionPanel::draw(PanelContext& context) {
  update(context);
  if (!shown_) {
    nothing_here(context.app, "Select a slice to see its details.",
                 "Click a slice in the Timeline, or press / to find one.");
    return;
  }
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::BeginChild("facts", ImVec2(width * 0.52f, 0));
  draw_facts(context);
  ImGui::EndChild();
  ImGui::SameLine(0, context.app.px(16));
  ImGui::BeginChild("arguments", ImVec2(0, 0));
  draw_arguments(context);
  ImGui::EndChild();
}

std::string SelectionPanel::as_text(const PanelContext& context) const {
  if (!details_) return {};
  std::string out = fmt::format("name\t{}\ntrack\t{}\nrank\t{}\nstart (ns)\t{}\nduration (ns)\t{}\nself (ns)\t{}\n",
                                context.profile->name(*shown_), details_->track, details_->rank, details_->begin,
                                details_->duration, details_->self);
  if (event_ && event_->ok())
    for (const ingest::EventRow& line : (*event_)->rows) out += fmt::format("{}\t{}\n", line.path, line.value);
  return out;
}

void SelectionPanel::write_state(JsonWriter& writer, const PanelContext& context) const {
  writer.member("selected", shown_.has_value());
  if (!shown_ || !details_ || profile_ != context.profile) return;
  writer.member("name", profile_->name(*shown_));
  writer.member("category", profile_->categories().name(profile_->ranks[shown_->rank]->category(shown_->slice)));
  writer.member("track", details_->track);
  writer.member("rank", details_->rank);
  writer.member("begin_ns", details_->begin);
  writer.member("duration_ns", details_->duration);
  if (context.collective != nullptr) writer.member("collective", context.collective->sentence);
  writer.member("step", details_->step ? profile_->name(*details_->step) : std::string_view());
  writer.member("arguments_ready", event_.has_value());
  if (!event_) return;
  if (!event_->ok()) {
    writer.member("error", event_->error().message());
    return;
  }
  write_object(writer, "arguments", [&] {
    for (const ingest::EventRow& line : (*event_)->rows) writer.member(line.path, line.value);
  });
}

const TabSpec registered::selection::kTab{"selection", "Show the selection", make_panel<SelectionPanel>};

}  // namespace warpscope::ui
