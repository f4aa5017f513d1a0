#include <algorithm>
#include <cmath>
#include <tuple>

#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// A name as HTA shortens it: what stands in <> and () is left out, and of what remains the last word is taken.
std::string hta_short(const std::string& name) {
  if (name.starts_with("Mem") || name.find_first_of("<(") == std::string::npos) return name;
  std::string kept;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.compare(i, 2, "->") == 0) {
      ++i;
      continue;
    }
    const char open = name[i] == '>' ? '<' : name[i] == ')' ? '(' : '\0';
    if (open == '\0') {
      kept += name[i];
      continue;
    }
    const std::size_t at = kept.rfind(open);
    kept.resize(at == std::string::npos ? 0 : at);
  }
  const std::size_t blank = kept.rfind(' ');
  return blank == std::string::npos ? kept : kept.substr(blank + 1);
}

/// Stream, begin, length, row: HTA's begins are rounded, so rows are put beside each other in their order.
using Place = std::tuple<double, double, double, std::size_t>;

std::vector<Place> places(const CsvFrame& frame) {
  std::vector<Place> result;
  for (std::size_t row = 0; row < frame.rows(); ++row)
    result.emplace_back(frame.number(row, "stream"), frame.number(row, "ts"), frame.number(row, "dur"), row);
  std::sort(result.begin(), result.end());
  return result;
}

/// Whether a shadow of that name and the run of that row end and begin at the same time on the stream: as floating µs,
/// HTA's times may overlap there (B24).
bool touches(const OracleSet& set, const std::string& annotation, const CsvFrame& ours, std::size_t row) {
  const Brute& brute = set.brute();
  const Ns zero = set.profile()->span.begin + set.zero();
  const Ns begin = zero + std::llround(1000 * ours.number(row, "ts"));
  const Ns end = begin + std::llround(1000 * ours.number(row, "dur"));
  const double stream = ours.number(row, "stream");
  for (const NaiveFile* file : brute.files())
    for (const NaiveSlice& slice : file->slices)
      if (is_shadow(slice) && hta_short(slice.name) == annotation && static_cast<double>(slice.tid) == stream &&
          (slice.end() == begin || slice.begin == end))
        return true;
  return false;
}

}  // namespace

TEST_CASE("gpu_kernels_with_user_annotations matches HTA with --hta", "[oracle]") {
  check_sets("gpu_kernels_with_user_annotations.csv", {}, [](const OracleSet& set) {
    const CsvFrame ours = run_as_csv(*set.profile(), "gpu_kernels_with_user_annotations", set.as_hta());
    const CsvFrame theirs = set.answer("gpu_kernels_with_user_annotations.csv");
    REQUIRE(ours.rows() == theirs.rows());
    const std::vector<Place> own = places(ours);
    const std::vector<Place> hta = places(theirs);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto [own_stream, own_begin, own_length, row] = own[i];
      const auto [stream, begin, length, other] = hta[i];
      INFO("stream " << stream << " at " << begin << " us");
      CHECK(own_stream == stream);
      CHECK(own_begin == Approx(begin).epsilon(0).margin(set.exact ? 1e-6 : 0.6));
      CHECK(own_length == Approx(length).margin(0.001));
      CHECK(hta_short(ours.text(row, "s_name")) == theirs.text(other, "s_name"));
      const std::string annotation = theirs.text(other, "s_user_annotation");
      if (hta_short(ours.text(row, "s_user_annotation")) != annotation)
        CHECK((!set.exact && touches(set, annotation, ours, row)));
    }
  });
}

TEST_CASE("gpu_kernels_with_user_annotations agrees with the traces' text", "[oracle]") {
  std::size_t annotated = 0;
  for (const OracleSet& set : oracle_sets()) {
    INFO(set.name);
    const Brute& brute = set.brute();
    const auto profile = set.profile();
    const CsvFrame ours = run_as_csv(*profile, "gpu_kernels_with_user_annotations");
    // Several runs may be alike; then each expects an annotation, and the sets of them must agree.
    using Alike = std::tuple<std::string, std::string, std::string, std::string, std::string>;
    std::map<Alike, std::multiset<std::string>> expected;
    for (const NaiveFile* file : brute.files()) {
      std::map<std::pair<std::int64_t, std::int64_t>, std::vector<const NaiveSlice*>> shadows;
      for (const NaiveSlice& slice : file->slices)
        if (is_shadow(slice)) shadows[{slice.pid, slice.tid}].push_back(&slice);
      for (const NaiveSlice& slice : file->slices) {
        if (!slice.run()) continue;
        const std::int64_t middle = slice.begin + slice.duration / 2;
        const NaiveSlice* innermost = nullptr;
        for (const NaiveSlice* shadow : shadows[{slice.pid, slice.tid}])
          if (shadow->begin <= middle && middle < shadow->end() &&
              (innermost == nullptr || shadow->duration < innermost->duration))
            innermost = shadow;
        annotated += innermost != nullptr;
        expected[{std::to_string(rank_of(*file, *profile)), std::to_string(slice.begin - profile->span.begin),
                  std::to_string(slice.duration), std::to_string(slice.tid), slice.name}]
            .insert(innermost == nullptr ? "" : innermost->name);
      }
    }
    std::map<Alike, std::multiset<std::string>> told;
    const auto ns = [&](std::size_t row, const std::string& column) {
      return std::to_string(std::llround(1000 * ours.number(row, column)));
    };
    for (std::size_t row = 0; row < ours.rows(); ++row)
      told[{ours.text(row, "rank"), ns(row, "ts"), ns(row, "dur"), ours.text(row, "stream"), ours.text(row, "s_name")}]
          .insert(ours.text(row, "s_user_annotation"));
    CHECK(told.size() == expected.size());
    CHECK((told == expected));
  }
  CHECK((oracle_sets().empty() || annotated > 100));
}
