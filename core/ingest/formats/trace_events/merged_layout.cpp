#include "core/ingest/formats/trace_events/merged_layout.hpp"

#include <algorithm>
#include <cstddef>

#include "core/base/ascii.hpp"
#include "core/base/file_group.hpp"
#include "core/base/parse_number.hpp"
#include "core/ingest/formats/trace_events/parse_events.hpp"
#include "core/ingest/json/flat_arguments.hpp"
#include "core/trace/category.hpp"

namespace warpscope::ingest::merged {

namespace {

constexpr std::size_t kMostDigits = 9;
/// Minimum number of events in the head of a fused file with a rank in their arguments. Metadata in other files may
/// contain the word once or twice.
constexpr std::size_t kLeastRanks = 3;

std::string_view leading_digits(std::string_view text) { return text.substr(0, digits_at(text, 0)); }

std::optional<std::int64_t> rank_of(std::string_view digits) {
  if (digits.size() > kMostDigits || leading_digits(digits) != digits) return std::nullopt;
  return parse_number<std::int64_t>(digits);
}

/// Calls visit(position) for each `c` until it returns true; returns whether it did. For letters that are rare in
/// traces, this is many times faster than searching for words.
template <class Visit>
bool any_place(std::string_view text, char c, Visit visit) {
  for (std::size_t at = text.find(c); at != std::string_view::npos; at = text.find(c, at + 1))
    if (visit(at)) return true;
  return false;
}

bool may_be_merged(std::string_view head) {
  const auto is_label = [&](std::size_t at) {
    if (at == 0 || head[at - 1] != '"') return false;
    const std::string_view text = head.substr(at, head.substr(at).find('"'));
    return !split_axes(text).axes.empty() || split_rank(text);
  };
  std::size_t arguments = 0;
  const auto is_rank = [&](std::size_t last) {
    constexpr std::string_view kWord = "rank";
    if (last == 0 || lower(head[last - 1]) != 'n') return false;
    const std::size_t at = last + 1 < kWord.size() ? head.size() : last + 1 - kWord.size();
    if (lower(head.substr(at, kWord.size())) != kWord) return false;
    std::string_view rest = head.substr(last + 1);
    const bool is_key = rest.starts_with('"');
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(is_key ? "\" :" : " _-")));
    return !leading_digits(rest).empty() && (!is_key || ++arguments >= kLeastRanks);
  };
  return any_place(head, '[', is_label) || any_place(head, 'k', is_rank) || any_place(head, 'K', is_rank);
}

/// True if device names have VeOmni's form, "Rank 3 - NVIDIA H100". With many ranks, device names fill the head of the
/// file.
bool names_devices(std::string_view head) {
  constexpr std::string_view kStart = "\"Rank ";
  for (std::size_t at = head.find(kStart); at != std::string_view::npos; at = head.find(kStart, at + 1)) {
    const std::string_view digits = leading_digits(head.substr(at + kStart.size()));
    if (!digits.empty() && head.substr(at + kStart.size() + digits.size()).starts_with(" - ")) return true;
  }
  return false;
}

/// Counts events by the location of their rank.
class LayoutSink final : public EventSink {
 public:
  void event(const RawEvent& event) override {
    if (event.phase == 0) return;
    ++events_;
    if (trace::role_of_category(event.category) != trace::Role::other) of_pytorch_ = true;
    processes_ += split_axes(event.process).axes.empty() ? 0 : 1;
    names_ += split_rank(event.name) ? 1 : 0;
    arguments_ += fused_arguments(event.arguments).rank ? 1 : 0;
    if (event.phase == 'M' && event.name == "process_name")
      named_ |= label_in_name(argument(event.arguments, "name")).has_value();
  }
  void metadata(std::string_view key, std::string_view) override {
    of_pytorch_ |= key == "schemaVersion" || key == "deviceProperties" || key == "distributedInfo";
  }
  [[nodiscard]] bool of_pytorch() const { return of_pytorch_; }
  [[nodiscard]] std::size_t events() const { return events_; }
  [[nodiscard]] Layout layout() const {
    const auto most = [this](std::size_t count) { return count > 0 && count * 2 >= events_; };
    if (most(processes_)) return Layout::process;
    if (most(names_)) return Layout::name;
    if (most(arguments_)) return Layout::argument;
    return named_ ? Layout::process_name : Layout::none;
  }

 private:
  std::size_t events_ = 0;
  std::size_t processes_ = 0;
  std::size_t names_ = 0;
  std::size_t arguments_ = 0;
  bool named_ = false;
  bool of_pytorch_ = false;
};

}  // namespace

RankLabel label_of(std::int64_t rank) { return {"rank " + std::to_string(rank), rank}; }

AxesBefore split_axes(std::string_view process) {
  const std::size_t end = process.find(']');
  if (!process.starts_with('[') || end == std::string_view::npos) return {{}, process};
  const std::string_view axes = process.substr(1, end - 1);
  if (axes.starts_with("rank ") || !is_rank_label(axes)) return {{}, process};
  std::string_view rest = process.substr(end + 1);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  return {axes, rest};
}

std::optional<RankBefore> split_rank(std::string_view name) {
  if (!name.starts_with("[R")) return std::nullopt;
  const std::string_view digits = leading_digits(name.substr(2));
  const auto rank = rank_of(digits);
  std::string_view rest = name.substr(2 + digits.size());
  if (!rank || !rest.starts_with(']')) return std::nullopt;
  rest.remove_prefix(rest.starts_with("] ") ? 2 : 1);
  return RankBefore{*rank, rest};
}

std::optional<RankLabel> label_in_name(std::string_view process_name) {
  if (const std::string_view axes = split_axes(process_name).axes; !axes.empty())
    return RankLabel{std::string(axes), std::nullopt};
  const std::string name = lower(process_name);
  constexpr std::string_view kWord = "rank";
  for (std::size_t at = name.find(kWord); at != std::string::npos; at = name.find(kWord, at + 1)) {
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    if (at > 0 && is_letter(name[at - 1])) continue;
    std::string_view rest = std::string_view(name).substr(at + kWord.size());
    if (rest.starts_with(' ') || rest.starts_with('_') || rest.starts_with('-')) rest.remove_prefix(1);
    if (const auto rank = rank_of(leading_digits(rest))) return label_of(*rank);
  }
  return std::nullopt;
}

FusedArguments fused_arguments(std::string_view arguments) {
  FusedArguments fused;
  for_each_argument(arguments, [&](std::string_view key, std::string_view value) {
    if (key == "rank") fused.rank = rank_of(value);
    if (key == "pid_raw") fused.process = value;
  });
  return fused;
}

Layout layout_of(std::string_view head, bool of_pytorch) {
  if (!may_be_merged(head)) return Layout::none;
  LayoutSink sink;
  look_at_events(head, sink);
  if (!of_pytorch && !sink.of_pytorch()) return Layout::none;
  return sink.events() == 0 && names_devices(head) ? Layout::name : sink.layout();
}

}  // namespace warpscope::ingest::merged
