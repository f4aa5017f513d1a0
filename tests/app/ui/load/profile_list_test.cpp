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
constexpr Ns kDay = 86400 * kSecond;

/// The zone of this machine as the tests want it, for as long as it lives: two hours ahead of UTC from the end of March
/// to the end of October, else one.
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

/// A time of the clock on the wall in that zone; not within days of a change of it.
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
  one.kinds = 1;
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

Names found_by(const std::string& query, Ns now = local(2026, 5, 3)) {
  ProfileList list = some();
  list.sort_by(ListColumn::name, false);
  const auto filter = parse_list_filter(query, now);
  REQUIRE(filter);
  list.set_filter(*filter);
  return names(list);
}

}  // namespace

TEST_CASE("profiles are found by words of their names, by status, by time and by kind") {
  const Zone zone;
  CHECK(found_by("") == Names{"bert9", "bert10", "llama-8b", "llama-70b"});
  CHECK(found_by("LLAMA") == Names{"llama-8b", "llama-70b"});
  CHECK(found_by("llama 70") == Names{"llama-70b"});
  CHECK(found_by("runs/bert1") == Names{"bert10"});
  CHECK(found_by("status:fail") == Names{"llama-70b"});
  CHECK(found_by("status:in status:progress") == Names{"bert9"});
  CHECK(found_by("status:InProgress") == Names{"bert9"});  // as AWS writes it
  CHECK(found_by("status:in-progress") == Names{"bert9"});
  CHECK(found_by("status:").size() == 4);
  CHECK(found_by("kind:kineto").size() == 4);
  CHECK(found_by("kind:metrics").empty());
  CHECK(found_by("created:2026") == Names{"llama-8b", "llama-70b"});
  CHECK(found_by("created:2026-05-01") == Names{"llama-70b"});
  CHECK(found_by("created:2026-05-01T14:30") == Names{"llama-70b"});
  CHECK(found_by("created:2025-12") == Names{"bert10"});
  CHECK(found_by("created>2026-05-01") == Names{"llama-8b"});
  CHECK(found_by("created>=2026-05-01") == Names{"llama-8b", "llama-70b"});
  CHECK(found_by("created<2026") == Names{"bert10"});
  CHECK(found_by("created<=2026-05-01") == Names{"bert10", "llama-70b"});
  CHECK(found_by("created>2025 created<2026-05-02") == Names{"llama-70b"});
  CHECK(found_by("created:2d", local(2026, 5, 2, 23)) == Names{"llama-8b", "llama-70b"});
  CHECK(found_by("created:today", local(2026, 5, 2, 23)) == Names{"llama-8b"});
  for (const char* bad : {"created:yesterdayish", "created:2026-13", "created:", "created:26-05-01"})
    CHECK_FALSE(parse_list_filter(bad, kDay));
  for (const char* unknown : {"status:foo", "status:failed status:done", "kind:parquet"}) {
    INFO(unknown);
    CHECK_FALSE(parse_list_filter(unknown, kDay));
  }
}

TEST_CASE("a file date is marked as one") {
  const Zone zone;
  FoundProfile one = profile("x", local(2026, 5, 1, 14, 30));
  one.created_from = ingest::TimeOrigin::content;
  CHECK(created_text(one) == "2026-05-01 14:30");
  one.created_from = ingest::TimeOrigin::modified;
  CHECK(created_text(one) == "file, 2026-05-01 14:30");
  CHECK(created_tip(one).find("Modification time of its oldest file") != std::string::npos);
  one.created.reset();
  CHECK(created_text(one) == "–");
}

TEST_CASE("columns sort both ways, with what is unknown at the end") {
  ProfileList list = some();
  CHECK(names(list) == Names{"llama-8b", "llama-70b", "bert10", "bert9"});  // latest first
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

TEST_CASE("cursor and checks hold on to their profiles while the list changes") {
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

  list.set_filter(*parse_list_filter("bert", kDay));
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
  CHECK(list.shown().size() == 1);  // what lies below two folders is listed once
  CHECK_FALSE(list.cursor());
}

TEST_CASE("folders are looked through elsewhere, and anew without losing what was known") {
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
