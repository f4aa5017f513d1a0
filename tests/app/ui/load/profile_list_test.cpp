// The list of the Load page, without drawing.
#include "app/ui/load/profile_list.hpp"

#include <unistd.h>

#include <chrono>
#include <ctime>
#include <optional>

#include "tests/catch.hpp"
#include "tests/environment.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::ui;
using ingest::FoundProfile;
using ingest::ProfileStatus;

namespace {

constexpr Ns kSecond = 1'000'000'000;

/// Sets the time zone during its lifetime: UTC+2 from the end of March to the end of October, otherwise UTC+1.
class Zone {
 public:
  Zone() { ::tzset(); }
  ~Zone() {
    zone_.reset();
    ::tzset();
  }
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;

 private:
  std::optional<tests::Variable> zone_{std::in_place, "TZ", "CET-1CEST,M3.5.0,M10.5.0/3"};
};

/// Local time in that zone; not valid within days of an offset change.
Ns local(int year, int month, int day, int hour = 0, int minute = 0) {
  const std::chrono::sys_days date = std::chrono::year(year) / month / day;
  const int ahead = month > 3 && month < 11 ? 2 : 1;
  return Ns{std::chrono::seconds(date.time_since_epoch()).count() + (hour - ahead) * 3600 + minute * 60} * kSecond;
}

FoundProfile profile(const std::string& name, std::optional<Ns> created,
                     ProfileStatus status = ProfileStatus::completed, std::optional<std::size_t> ranks = std::nullopt) {
  FoundProfile one;
  one.path = "/runs/" + name;
  one.name = name;
  one.created = created;
  one.status = status;
  one.ranks = ranks;
  return one;
}

}  // namespace

TEST_CASE("profiles are listed once, most recent first, with unknown times last") {
  std::vector<ListedProfile> listed;
  for (const char* root : {"/runs", "/runs/again"})
    for (const FoundProfile& one : {profile("bert9", std::nullopt, ProfileStatus::in_progress, 2),
                                    profile("llama-70b", local(2026, 5, 1, 14, 30), ProfileStatus::failed, 16),
                                    profile("llama-8b", local(2026, 5, 2, 9, 0), ProfileStatus::completed, 8),
                                    profile("bert10", local(2025, 12, 31, 23, 59), ProfileStatus::incomplete)})
      listed.push_back({one, root});
  sort_profiles(listed);
  std::vector<std::string> names;
  for (const ListedProfile& one : listed) names.push_back(one.profile.name);
  CHECK(names == std::vector<std::string>{"llama-8b", "llama-70b", "bert10", "bert9"});
  CHECK(listed[0].root == "/runs");
}

TEST_CASE("the table shows times, reasons and folders; a time based on the file date is marked") {
  const Zone zone;
  std::vector<ListedProfile> listed{{profile("x", local(2026, 5, 1, 14, 30), ProfileStatus::failed), "/data/runs"},
                                    {profile("y", std::nullopt), "/data/runs"}};
  listed[0].profile.path = "/data/runs/may/x";
  listed[0].profile.reason = "out of memory";
  listed[0].profile.created_from = ingest::TimeOrigin::modified;
  listed[1].profile.path = "/data/runs";
  const Table table = profiles_table(listed);
  REQUIRE(table.rows() == 2);
  CHECK(table.at(0, 1).text() == "2026-05-01 14:30 (file)");
  CHECK(table.at(0, 2).text() == "Failed");
  CHECK(table.at(0, 7).text() == "runs/may");
  CHECK(table.at(0, 8).text() == "out of memory");
  CHECK(table.at(1, 1).text().empty());
  CHECK(table.at(1, 4).missing());
  CHECK(table.at(1, 7).text() == "runs");
  CHECK(profile_tip(listed[0].profile).find("modification time of the oldest file") != std::string::npos);
}

TEST_CASE("folders are scanned on another thread, and known profiles stay listed during a second scan") {
  const tests::TestFolder folder;
  const char* const text = R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "name": "k", "ts": 12, "dur": 5}]})";
  folder.write("a/rank0.json", text);
  ProfileList list({});
  const auto wait = [&list] {
    bool changed = false;
    for (int i = 0; i < 5000 && list.looking(); ++i) {
      changed = list.update() || changed;
      ::usleep(1000);
    }
    REQUIRE_FALSE(list.looking());
    return changed;
  };
  const std::vector<std::string> roots{folder.path().string(), (folder.path() / "nowhere").string()};
  list.set_roots(roots);
  CHECK(list.looking());
  CHECK(wait());
  CHECK(list.profiles().size() == 1);
  CHECK(list.problem() == roots[1] + ": no such folder");
  CHECK_FALSE(list.update());

  folder.write("b/rank0.json", text);
  list.look_again();
  CHECK(list.profiles().size() == 1);
  CHECK(wait());
  CHECK(list.profiles().size() == 2);
  list.set_roots({});
  CHECK(list.profiles().empty());
}
