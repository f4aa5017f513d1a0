// diagnostic and finding.
#include "core/sql/part_table.hpp"
#include "core/sql/tables.hpp"

namespace warpscope::sql {

namespace {

using enum FieldType;

class DiagnosticTable : public PlainTable<DiagnosticTable> {
 public:
  using PlainTable::PlainTable;
  [[nodiscard]] std::size_t count() const { return profile().diagnostics.all().size(); }
  [[nodiscard]] const Diagnostic& at(Place at) const { return profile().diagnostics.all()[at.row]; }
};

constexpr PartField<DiagnosticTable> kDiagnosticColumns[]{
    {"severity", text, [](const DiagnosticTable& t, Place at) -> Cell { return to_string(t.at(at).severity); },
     "info, warning or error"},
    {"code", text, [](const DiagnosticTable& t, Place at) -> Cell { return t.at(at).code; }, "Kind of problem"},
    {"count", integer, [](const DiagnosticTable& t, Place at) -> Cell { return t.at(at).count; }, "Occurrences"},
    {"file", text, [](const DiagnosticTable& t, Place at) -> Cell { return t.at(at).file; }, "Path of the file"},
    {"offset", integer,
     [](const DiagnosticTable& t, Place at) -> Cell {
       return t.at(at).offset == Diagnostic::kNoOffset ? Cell() : Cell(t.at(at).offset);
     },
     "First occurrence in the decompressed text", "bytes"},
    {"example", text, [](const DiagnosticTable& t, Place at) -> Cell { return t.at(at).example; }, "Excerpt"},
    {"explanation", text, [](const DiagnosticTable& t, Place at) -> Cell { return explain(t.at(at).code); },
     "What it means and how to fix it"},
};

class FindingTable : public PlainTable<FindingTable> {
 public:
  using PlainTable::PlainTable;
  [[nodiscard]] Failure prepare() { return context_.prepare_findings(); }
  [[nodiscard]] std::size_t count() const { return context_.evaluation().findings.size(); }
  [[nodiscard]] double size() const { return 10; }
  [[nodiscard]] const rules::Ranked& at(Place at) const { return context_.evaluation().findings[at.row]; }
  [[nodiscard]] const rules::Place* first_place(Place place) const {
    const auto& places = at(place).finding.places;
    return places.empty() ? nullptr : &places.front();
  }
  [[nodiscard]] bool replayed(Place place) const { return !at(place).finding.cause.empty(); }
};

constexpr PartField<FindingTable> kFindingColumns[]{
    {"rule", text, [](const FindingTable& t, Place at) -> Cell { return t.at(at).rule->name; }, "Rule that found it"},
    {"headline", text, [](const FindingTable& t, Place at) -> Cell { return t.at(at).finding.headline; },
     "Culprit, cause and saving"},
    {"cause", text,
     [](const FindingTable& t, Place at) -> Cell { return t.replayed(at) ? Cell(t.at(at).finding.cause) : Cell(); },
     "Cause of a replayed saving"},
    {"hint", integer, [](const FindingTable& t, Place at) -> Cell { return t.at(at).finding.hint ? 1 : 0; },
     "1 if it concerns the recording, not the job"},
    {"saving_per_step_ns", integer, [](const FindingTable& t, Place at) -> Cell { return t.at(at).saving; },
     "What fixing it saves per step, or per GPU without steps", "ns"},
    {"saving_share", real, [](const FindingTable& t, Place at) -> Cell { return t.at(at).saving_share; },
     "Same, as a fraction of the evaluated time"},
    {"saving_low_ns", integer,
     [](const FindingTable& t, Place at) -> Cell { return t.replayed(at) ? t.at(at).saving_low : Ns{0}; },
     "Lower limit of the saving", "ns"},
    {"saving_high_ns", integer,
     [](const FindingTable& t, Place at) -> Cell { return t.replayed(at) ? t.at(at).saving_high : t.at(at).saving; },
     "Upper limit of the saving", "ns"},
    {"cost_per_step_ns", integer, [](const FindingTable& t, Place at) -> Cell { return t.at(at).cost; },
     "GPU time lost per step", "ns"},
    {"action", text, [](const FindingTable& t, Place at) -> Cell { return t.at(at).finding.advice; }, "How to fix it"},
    {"code", text,
     [](const FindingTable& t, Place at) -> Cell {
       return t.at(at).finding.code.empty() ? Cell() : Cell(t.at(at).finding.code);
     },
     "Code to paste into the training script"},
    {"place", text,
     [](const FindingTable& t, Place at) -> Cell {
       const rules::Place* place = t.first_place(at);
       return place == nullptr ? Cell() : Cell(place->text);
     },
     "Its largest place in the Timeline"},
    {"rank", integer,
     [](const FindingTable& t, Place at) -> Cell {
       const rules::Place* place = t.first_place(at);
       return place == nullptr || !place->rank ? Cell() : Cell(t.rank(*place->rank).number);
     },
     "Rank of the place"},
    {"start", integer,
     [](const FindingTable& t, Place at) -> Cell {
       const rules::Place* place = t.first_place(at);
       return place == nullptr ? Cell() : t.since_start(place->time.begin);
     },
     "Start of the place, since the start of the profile", "ns"},
    {"dur", integer,
     [](const FindingTable& t, Place at) -> Cell {
       const rules::Place* place = t.first_place(at);
       return place == nullptr ? Cell() : Cell(place->time.length());
     },
     "Duration of the place", "ns"},
};

}  // namespace

std::unique_ptr<Relation> tables::diagnostic(Context& context) {
  return relation_of<DiagnosticTable>("diagnostic", "Problems of the traces.", context, kDiagnosticColumns);
}
std::unique_ptr<Relation> tables::finding(Context& context) {
  return relation_of<FindingTable>(
      "finding", "What wastes GPU time, the largest saving first, as in `warpscope rules`.", context, kFindingColumns);
}

}  // namespace warpscope::sql
