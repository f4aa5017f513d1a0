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
                     ProfileStatus status = ProfileStatus::completed, std::optional<std::size_t> ranks = std::nullopt,
                     std::uint64_t bytes = 0) {
  FoundProfile one;
  one.path = "/runs/" + name;
  one.name = name;
  one.created = created;
  one.status = status;
  one.ranks = ranks;
  one.bytes = bytes;
  return one;
}

std::vector<std::string> names(const ProfileList& list) {
  std::vector<std::string> found;
  for (const ProfileList::Row& row : list.shown()) found.push_back(row.profile.name);
  return found;
}

using Names = std::vector<std::string>;

ProfileList some() {
  ProfileScans::Root root;
  root.path = "/runs";
  root.profiles = {profile("llama-70b", local(2026, 5, 1, 14, 30), ProfileStatus::failed, 16, 3000),
                   profile("llama-8b", local(2026, 5, 2, 9, 0), ProfileStatus::completed, 8, 1000),
                   profile("bert10", local(2025, 12, 31, 23, 59), ProfileStatus::incomplete, std::nullopt, 2000),
                   profile("bert9", std::nullopt, ProfileStatus::in_progress, 2, 5000)};
  ProfileList list;
  list.set_rows(std::span(&root, 1));
  return list;
}

Names found_by(ListFilter filter) {
  ProfileList list = some();
  list.sort_by(ListColumn::name, false);
  list.set_filter(std::move(filter));
  return names(list);
}

Names found_by(const std::string& query) { return found_by({words_to_find(query), {}, {}}); }

}  // namespace

TEST_CASE("the find field finds profiles by words in their names and paths") {
  CHECK(found_by("") == Names{"bert9", "bert10", "llama-8b", "llama-70b"});
  CHECK(found_by("LLAMA") == Names{"llama-8b", "llama-70b"});
  CHECK(found_by("  llama 70 ") == Names{"llama-70b"});
  CHECK(found_by("runs/bert1") == Names{"bert10"});
  CHECK(found_by("status:failed").empty());
}

TEST_CASE("the list can be limited to one status or a maximum age") {
  const Zone zone;
  CHECK(found_by({{}, {}, ProfileStatus::failed}) == Names{"llama-70b"});
  CHECK(found_by({{"llama"}, {}, ProfileStatus::in_progress}).empty());
  const auto at_most = [](ListAge age) { return found_by({{}, earliest(age, local(2026, 5, 2, 23)), {}}); };
  CHECK(at_most(ListAge::any).size() == 4);
  CHECK(at_most(ListAge::day) == Names{"llama-8b"});
  CHECK(at_most(ListAge::week) == Names{"llama-8b", "llama-70b"});
  CHECK(at_most(ListAge::month) == Names{"llama-8b", "llama-70b"});
  CHECK(at_most(ListAge::year) == Names{"bert10", "llama-8b", "llama-70b"});
  CHECK(earliest(ListAge::day, local(2026, 5, 2, 0, 0)) == local(2026, 5, 2));
}

TEST_CASE("a creation date based on the file date is marked") {
  const Zone zone;
  FoundProfile one = profile("x", local(2026, 5, 1, 14, 30));
  one.created_from = ingest::TimeOrigin::content;
  CHECK(created_text(one) == "2026-05-01 14:30");
  one.created_from = ingest::TimeOrigin::modified;
  CHECK(created_text(one) == "file, 2026-05-01 14:30");
  CHECK(created_tip(one).find("Modification time of the oldest file") != std::string::npos);
  one.created.reset();
  CHECK(created_text(one) == "–");
}

TEST_CASE("columns sort in both directions, with unknown values last") {
  ProfileList list = some();
  CHECK(names(list) == Names{"llama-8b", "llama-70b", "bert10", "bert9"});  // most recent first
  struct Order {
    ListColumn column;
    bool descending;
    Names names;
  };
  const Order orders[] = {{ListColumn::created, false, {"bert10", "llama-70b", "llama-8b", "bert9"}},
                          {ListColumn::ranks, true, {"llama-70b", "llama-8b", "bert9", "bert10"}},
                          {ListColumn::ranks, false, {"bert9", "llama-8b", "llama-70b", "bert10"}},
                          {ListColumn::size, true, {"bert9", "llama-70b", "bert10", "llama-8b"}},
                          {ListColumn::status, false, {"llama-8b", "llama-70b", "bert9", "bert10"}},
                          {ListColumn::name, true, {"llama-70b", "llama-8b", "bert10", "bert9"}}};
  for (const Order& order : orders) {
    INFO(to_string(order.column) << (order.descending ? ", descending" : ""));
    list.sort_by(order.column, order.descending);
    CHECK(names(list) == order.names);
  }
}

TEST_CASE("cursor and checks stay on their profiles while the list changes") {
  ProfileList list = some();
  list.sort_by(ListColumn::name, false);
  CHECK_FALSE(list.cursor());
  CHECK(list.move_cursor(1));
  CHECK(list.cursor() == 0u);
  CHECK(list.move_cursor(100));
  CHECK(list.cursor() == 3u);
  list.check("/runs/llama-70b", true);
  list.sort_by(ListColumn::name, true);
  CHECK(list.cursor() == 0u);
  CHECK(list.checked_paths() == Names{"/runs/llama-70b"});

  list.set_filter({{"bert"}, {}, {}});
  CHECK_FALSE(list.cursor());
  CHECK(list.checked_paths() == Names{"/runs/llama-70b"});
  list.check_shown();
  CHECK(list.checked_paths() == Names{"/runs/bert10", "/runs/bert9", "/runs/llama-70b"});
  list.check_shown();
  CHECK(list.checked_paths() == Names{"/runs/llama-70b"});
  list.clear_checks();
  CHECK(list.checked_paths().empty());

  ProfileScans::Root once;
  once.path = "/runs";
  once.profiles = {profile("a", 1)};
  const std::vector<ProfileScans::Root> twice{once, once};
  list.set_filter({});
  list.set_rows(twice);
  CHECK(list.shown().size() == 1);  // a profile below two folders is listed only once
  CHECK_FALSE(list.cursor());
}

TEST_CASE("folders are scanned on another thread, and known profiles stay listed during a second scan") {
  const tests::TestFolder folder;
  const char* const text = R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "name": "k", "ts": 12, "dur": 5}]})";
  folder.write("a/rank0.json", text);
  ProfileScans scans({});
  const auto wait = [&scans] {
    bool changed = false;
    for (int i = 0; i < 5000 && scans.looking(); ++i) {
      changed = scans.update() || changed;
      ::usleep(1000);
    }
    REQUIRE_FALSE(scans.looking());
    return changed;
  };
  const std::vector<std::string> roots{folder.path().string(), (folder.path() / "nowhere").string()};
  scans.set_roots(roots);
  CHECK(scans.looking());
  CHECK(wait());
  REQUIRE(scans.roots().size() == 2);
  CHECK(scans.roots()[0].profiles.size() == 1);
  CHECK(scans.roots()[1].problem == "no such folder");
  CHECK_FALSE(scans.update());

  folder.write("b/rank0.json", text);
  scans.look_again();
  CHECK(scans.roots()[0].profiles.size() == 1);
  CHECK(wait());
  CHECK(scans.roots()[0].profiles.size() == 2);
  scans.set_roots({roots[0]});
  CHECK_FALSE(scans.looking());
  REQUIRE(scans.roots().size() == 1);
  CHECK(scans.roots()[0].profiles.size() == 2);
  scans.set_roots({});
  CHECK(scans.roots().empty());
}
