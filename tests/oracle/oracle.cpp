#include "tests/oracle/oracle.hpp"

#include <cmath>

#include "core/base/table_writers.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"

namespace fs = std::filesystem;

namespace warpscope::tests {
namespace {

std::vector<OracleSet> find_sets() {
  const auto shared = shared_dir();
  if (!shared || !fs::is_directory(*shared / "oracle")) {
    WARN("skipped, no shared folder with HTA's answers");
    return {};
  }
  struct Known {
    const char* name;
    const char* traces;
    enum Times { us, ns, rounded } times;  // whole µs; ns as floating µs; ns that HTA rounded
    std::int64_t first_rank;
  };
  std::vector<OracleSet> sets;
  for (const Known& known :
       {Known{"dlrm8", "dlrm8", Known::us, 0},
        {"sampled2", "sampled2", Known::us, 0},
        {"v100_5steps", "v100_5steps", Known::us, 1},
        {"diff_control", "diff/control", Known::us, 3},
        {"diff_test", "diff/test", Known::us, 1},
        {"ns_resolution", "ns_resolution", Known::ns, 0},
        {"mi300_resnet_ddp", "mi300_resnet_ddp", Known::ns, 0},
        {"resnet50_torch1.9", "resnet50_torch1.9", Known::us, 0},
        {"critical_path_alexnet", "critical_path/alexnet", Known::us, 0},
        {"critical_path_cuda_event_sync", "critical_path/cuda_event_sync", Known::us, 0},
        {"critical_path_cuda_event_sync_multi_stream", "critical_path/cuda_event_sync_multi_stream", Known::us, 0},
        {"critical_path_simple_add", "critical_path/simple_add", Known::us, 0},
        {"cupti", "cupti", Known::us, 0},
        {"mtia", "mtia", Known::rounded, 0},
        {"amd_mi250", "amd_mi250", Known::rounded, 0},
        {"triton", "triton", Known::rounded, 0}})
    sets.push_back({.name = known.name,
                    .traces = *shared / "traces" / known.traces,
                    .answers = *shared / "oracle" / known.name,
                    .rounded = known.times == Known::rounded,
                    .exact = known.times != Known::ns,
                    .first_rank = known.first_rank});
  return sets;
}

bool close(double ours, double theirs, double absolute, double relative) {
  if (std::isnan(ours) || std::isnan(theirs)) return std::isnan(ours) == std::isnan(theirs);
  return std::abs(ours - theirs) <= absolute + relative * std::abs(theirs);
}

}  // namespace

fs::path OracleSet::path_of(const std::string& file) const {
  for (const fs::path& path : {answers / file, answers / (file + ".gz")})
    if (fs::exists(path)) return path;
  return {};
}

Ns OracleSet::zero() const {
  const auto values = analysis::ParameterValues::parse(analysis::find_analysis("call_graph")->parameters, as_hta());
  const auto traces_read = profile();
  return analysis::csv_zero({*traces_read, {}, *values});
}

std::vector<analysis::Setting> OracleSet::as_hta() const {
  std::vector<analysis::Setting> settings{{"hta", "true"}};
  if (rounded) settings.emplace_back("hta_rounding", "true");
  return settings;
}

std::shared_ptr<const trace::Profile> OracleSet::profile() const {
  static std::map<std::string, std::shared_ptr<const trace::Profile>> loaded;
  std::shared_ptr<const trace::Profile>& profile = loaded[name];
  if (!profile) profile = load(traces);
  return profile;
}

const Brute& OracleSet::brute() const {
  static std::map<std::string, Brute> read;
  return read.try_emplace(name, traces).first->second;
}

const std::vector<OracleSet>& oracle_sets() {
  static const std::vector<OracleSet> sets = find_sets();
  return sets;
}

const OracleSet* oracle_set(const std::string& name) {
  for (const OracleSet& set : oracle_sets())
    if (set.name == name) return &set;
  return nullptr;
}

CsvFrame run_as_csv(const trace::Profile& profile, std::string_view name, std::vector<analysis::Setting> settings,
                    std::string_view part, const analysis::Scope& scope) {
  const analysis::Analysis* found = analysis::find_analysis(name);
  REQUIRE(found != nullptr);
  const auto tables = analysis::run_analysis(*found, profile, scope, settings);
  INFO((tables ? std::string() : tables.error().message()));
  REQUIRE(tables);
  for (const Table& table : *tables) {
    if (!part.empty() && table.id != part) continue;
    std::string csv;
    write_csv(csv, table);
    return CsvFrame(csv);
  }
  FAIL("no table " << part);
  return CsvFrame("");
}

void check_sets(const std::string& file, const Differences& differ,
                const std::function<void(const OracleSet&)>& check) {
  for (const auto& [name, fault] : differ) {
    INFO(name << " is excused by " << fault << ", but there is no such set, or no answer");
    const OracleSet* set = oracle_set(name);
    CHECK((oracle_sets().empty() || (set != nullptr && set->has(file))));
  }
  for (const OracleSet& set : oracle_sets()) {
    if (!set.has(file) || differ.contains(set.name)) continue;
    INFO(set.name);
    check(set);
  }
}

void check_equal(const CsvFrame& ours, const CsvFrame& theirs, const Comparison& how) {
  std::map<std::string, std::size_t> own;
  for (std::size_t row = 0; row < ours.rows(); ++row) {
    const bool unique = own.emplace(ours.key(row, how.keys), row).second;
    INFO("ours twice: " << ours.key(row, how.keys));
    CHECK(unique);
  }
  CHECK(ours.rows() == theirs.rows());
  for (std::size_t row = 0; row < theirs.rows(); ++row) {
    const std::string key = theirs.key(row, how.keys);
    INFO("row " << key);
    const auto found = own.find(key);
    CHECK(found != own.end());
    if (found == own.end()) continue;
    for (const auto& [column, tolerance] : how.columns) {
      const double a = ours.number(found->second, column);
      const double b = theirs.number(row, column);
      INFO(column << ": ours " << a << ", theirs " << b);
      CHECK(close(a, b, tolerance, how.relative));
    }
  }
}

}  // namespace warpscope::tests
