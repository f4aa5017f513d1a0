#include "tests/core/trace/same_rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

namespace warpscope::tests {

namespace {

class RankComparison {
 public:
  RankComparison(const trace::Rank& a, const trace::Dictionary& names_a, const trace::Rank& b,
                 const trace::Dictionary& names_b)
      : a_(a), b_(b), names_a_(names_a), names_b_(names_b) {}

  std::string difference() {
    scalars();
    tracks_and_devices();
    same("lanes", a_.lanes.size(), b_.lanes.size());
    for (std::size_t l = 0; l < a_.lanes.size() && found_.empty(); ++l) lane(l);
    same("lane_start", a_.lane_start == b_.lane_start, true);
    counters();
    connections("launches", a_.launches, b_.launches);
    connections("forward_backward", a_.forward_backward, b_.forward_backward);
    connections("graph_edges", a_.graph_edges, b_.graph_edges);
    same("transfers", a_.transfers.size(), b_.transfers.size());
    same("transfers' slices", std::ranges::equal(a_.transfers.slices(), b_.transfers.slices()), true);
    same("transfers' bytes", std::ranges::equal(a_.transfers.bytes(), b_.transfers.bytes()), true);
    steps();
    return found_;
  }

 private:
  template <class T>
  void same(const std::string& what, const T& a, const T& b) {
    if (found_.empty() && !(a == b)) found_ = fmt::format("{}: {} and {}", what, a, b);
  }
  [[nodiscard]] std::string category(const trace::Dictionary& names, trace::CategoryId id) const {
    return fmt::format("{}/{}", names.categories.name(id), static_cast<int>(names.categories.role(id)));
  }

  void scalars() {
    same("path", a_.source.path, b_.source.path);
    same("size", a_.source.size, b_.source.size);
    same("modified_ns", a_.source.modified_ns, b_.source.modified_ns);
    same("inode", a_.source.inode, b_.source.inode);
    same("text_bytes", a_.source.text_bytes, b_.source.text_bytes);
    same("number", a_.number, b_.number);
    same("world_size", a_.world_size, b_.world_size);
    same("number_assigned", a_.number_assigned, b_.number_assigned);
    same("host", a_.host, b_.host);
    same("process", a_.process, b_.process);
    same("properties", a_.properties == b_.properties, true);
    same("annotations", a_.annotations == b_.annotations, true);
    same("span.begin", a_.span.begin, b_.span.begin);
    same("span.end", a_.span.end, b_.span.end);
    same("events", a_.counts.events, b_.counts.events);
    same("slices", a_.counts.slices, b_.counts.slices);
    same("runs", a_.counts.runs, b_.counts.runs);
    same("launches", a_.counts.launches, b_.counts.launches);
    std::map<std::string, std::uint64_t> by_a;
    std::map<std::string, std::uint64_t> by_b;
    for (const auto& [id, count] : a_.counts.by_category) by_a[category(names_a_, id)] += count;
    for (const auto& [id, count] : b_.counts.by_category) by_b[category(names_b_, id)] += count;
    same("by_category", by_a == by_b, true);
    // Whether a parser notices damaged arguments depends on the events that it has seen.
    const auto others = [](const Diagnostics& diagnostics) {
      std::vector<Diagnostic> all = diagnostics.all();
      std::erase_if(all, [](const Diagnostic& one) { return one.code == "arguments-damaged"; });
      return all;
    };
    const std::vector<Diagnostic> of_a = others(a_.diagnostics);
    const std::vector<Diagnostic> of_b = others(b_.diagnostics);
    same("diagnostics", of_a.size(), of_b.size());
    for (std::size_t i = 0; i < of_a.size() && found_.empty(); ++i) {
      const Diagnostic& x = of_a[i];
      const Diagnostic& y = of_b[i];
      same("diagnostic code", x.code, y.code);
      same("diagnostic severity", to_string(x.severity), to_string(y.severity));
      same("diagnostic count of " + x.code, x.count, y.count);
      same("diagnostic file", x.file, y.file);
      same("diagnostic offset of " + x.code, x.offset, y.offset);
      same("diagnostic example", x.example, y.example);
    }
  }

  void tracks_and_devices() {
    same("tracks", a_.tracks.size(), b_.tracks.size());
    for (std::size_t t = 0; t < a_.tracks.size() && found_.empty(); ++t) {
      const trace::Track& x = a_.tracks[t];
      const trace::Track& y = b_.tracks[t];
      same("track kind", static_cast<int>(x.kind), static_cast<int>(y.kind));
      same("track label", x.label, y.label);
      same("track process", x.process, y.process);
      same("track id", x.id, y.id);
      same("first_lane", x.first_lane, y.first_lane);
      same("lane_count", x.lane_count, y.lane_count);
      same("track launches", x.launches, y.launches);
      same("track device", x.device, y.device);
      same("communication", x.communication, y.communication);
      same("runs", x.runs, y.runs);
    }
    same("devices", a_.devices.size(), b_.devices.size());
    for (std::size_t d = 0; d < a_.devices.size() && found_.empty(); ++d) {
      same("device id", a_.devices[d].id, b_.devices[d].id);
      same("device model", a_.devices[d].model, b_.devices[d].model);
      same("device streams", a_.devices[d].streams == b_.devices[d].streams, true);
      tree(fmt::format("device {}", d), a_.devices[d].busy.get(), b_.devices[d].busy.get());
    }
  }

  void time(const std::string& where, const trace::TimeColumn& x, const trace::TimeColumn& y) {
    same(where + " size", x.size(), y.size());
    same(where + " blocks", x.blocks(), y.blocks());
    for (std::uint32_t block = 0; block < x.blocks() && found_.empty(); ++block)
      same(where + " base", x.block_begin(block), y.block_begin(block));
    for (std::uint32_t i = 0; i < x.size() && found_.empty(); ++i) {
      if (x.begin(i) == y.begin(i) && x.duration(i) == y.duration(i)) continue;
      same(fmt::format("{} begin of {}", where, i), x.begin(i), y.begin(i));
      same(fmt::format("{} duration of {}", where, i), x.duration(i), y.duration(i));
    }
  }

  void tree(const std::string& where, const trace::IntervalTree& x, const trace::IntervalTree& y) {
    time(where, x.time(), y.time());
    if (!found_.empty()) return;
    same(where + " families", x.families_present(), y.families_present());
    for (std::uint32_t block = 0; found_.empty() && !x.empty() && block <= x.time().blocks(); ++block) {
      same(where + " busy", x.busy_before_block(block), y.busy_before_block(block));
      const auto by_x = x.busy_by_family_before_block(block);
      const auto by_y = y.busy_by_family_before_block(block);
      same(where + " busy by family", by_x.by_family == by_y.by_family, true);
    }
    for (std::uint32_t i = 0; i < x.size() && found_.empty(); ++i)
      if (x.family(i) != y.family(i)) found_ = fmt::format("{}: family of {}", where, i);
    for (std::uint32_t first = 0; first < x.size() && found_.empty(); first = 2 * first + 1)
      same(where + " longest", x.longest({first, x.size()}), y.longest({first, x.size()}));
  }

  void lane(std::size_t l) {
    const trace::Lane& x = a_.lanes[l];
    const trace::Lane& y = b_.lanes[l];
    const std::string where = fmt::format("lane {}", l);
    same(where + " kind", static_cast<int>(x.kind()), static_cast<int>(y.kind()));
    same(where + " depth", x.depth(), y.depth());
    same(where + " size", x.size(), y.size());
    tree(where, x.tree(), y.tree());
    if (x.folded()) time(where + " folded", x.time(), y.time());
    for (std::uint32_t i = 0; i < x.size() && found_.empty(); ++i) {
      if (names_a_.names.view(x.name(i)) != names_b_.names.view(y.name(i)))
        found_ = fmt::format("{}: name of {}: {} and {}", where, i, names_a_.names.view(x.name(i)),
                             names_b_.names.view(y.name(i)));
      if (names_a_.categories.name(x.category(i)) != names_b_.categories.name(y.category(i)))
        found_ = fmt::format("{}: category of {}", where, i);
      if (x.event(i) != y.event(i)) same(fmt::format("{} event id of {}", where, i), x.event(i), y.event(i));
    }
  }

  void counters() {
    same("counters", a_.counters.size(), b_.counters.size());
    for (std::size_t c = 0; c < a_.counters.size() && found_.empty(); ++c) {
      const trace::Counter& x = a_.counters[c];
      const trace::Counter& y = b_.counters[c];
      same("counter name", x.name(), y.name());
      same("counter unit", x.unit(), y.unit());
      same("counter size", x.size(), y.size());
      for (std::size_t i = 0; i < x.size() && found_.empty(); ++i) {
        same("counter time", x.time(i), y.time(i));
        same("counter value", fmt::format("{}", x.value(i)), fmt::format("{}", y.value(i)));
      }
    }
  }

  void connections(const std::string& what, const trace::Connections& x, const trace::Connections& y) {
    same(what, x.size(), y.size());
    if (!found_.empty()) return;
    same(what + " pairs", std::equal(x.all().begin(), x.all().end(), y.all().begin(), y.all().end()), true);
    for (const trace::Connection& pair : x.all()) {
      const trace::Connection* other = y.cause_of(pair.to);
      const trace::Connection* own = x.cause_of(pair.to);
      if (other == nullptr || own == nullptr || !(*other == *own)) same(what + " cause of", pair.to, pair.to + 1);
    }
  }

  void steps() {
    same("steps", a_.steps.size(), b_.steps.size());
    for (std::size_t s = 0; s < a_.steps.size() && found_.empty(); ++s) {
      same("step name", names_a_.names.view(a_.steps[s].name), names_b_.names.view(b_.steps[s].name));
      same("step begin", a_.steps[s].time.begin, b_.steps[s].time.begin);
      same("step end", a_.steps[s].time.end, b_.steps[s].time.end);
      same("step slice", a_.steps[s].slice, b_.steps[s].slice);
    }
  }

  const trace::Rank& a_;
  const trace::Rank& b_;
  const trace::Dictionary& names_a_;
  const trace::Dictionary& names_b_;
  std::string found_;
};

}  // namespace

std::string difference(const trace::Rank& a, const trace::Dictionary& names_a, const trace::Rank& b,
                       const trace::Dictionary& names_b) {
  return RankComparison(a, names_a, b, names_b).difference();
}

}  // namespace warpscope::tests
