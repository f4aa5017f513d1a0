#include "core/analysis/request/event_numbers.hpp"

#include <string>

#include "core/base/parse_number.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::analysis {

std::optional<Cell> number_in(std::string_view text) {
  if (const auto whole = parse_number<std::int64_t>(text)) return Cell(*whole);
  if (const auto real = parse_number<double>(text)) return Cell(*real);
  return std::nullopt;
}

std::int64_t whole_number_of(const ingest::EventText& event, std::string_view path, std::int64_t missing) {
  const std::string* const text = event.find(path);
  return text == nullptr ? missing : parse_number<std::int64_t>(*text).value_or(missing);
}

std::optional<double> figure_of(const ingest::EventText& event, std::string_view path) {
  const std::string* const text = event.find(path);
  const auto cell = text == nullptr ? std::nullopt : number_in(*text);
  return cell && !cell->missing() ? std::optional(cell->number()) : std::nullopt;
}

Failure read_events(const AnalysisInput& input, const trace::Rank& rank, const std::vector<trace::SliceOrdinal>& slices,
                    std::span<const std::string_view> wanted,
                    const std::function<void(trace::SliceOrdinal, const ingest::EventText&)>& visit) {
  const ingest::EventLookup sources;
  const ingest::EventLookup& events = input.events != nullptr ? *input.events : sources;
  return events.read_each(rank, slices, visit, input.cancel, wanted);
}

Failure read_numbers(const AnalysisInput& input, const trace::Rank& rank,
                     const std::vector<trace::SliceOrdinal>& slices, std::string_view name,
                     const std::function<void(trace::SliceOrdinal, double)>& visit) {
  const std::string path = "args." + std::string(name);
  const std::string_view wanted = path;
  const auto look = [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
    const std::string* text = event.find(path);
    const std::optional<Cell> figure = text == nullptr ? std::nullopt : number_in(*text);
    if (figure) visit(slice, figure->number());
  };
  return read_events(input, rank, slices, std::span(&wanted, 1), look);
}

}  // namespace warpscope::analysis
