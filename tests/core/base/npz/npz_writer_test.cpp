// .npz files: names, types and values of the arrays, the ZIP archive around them, and files beyond 4 GiB. The Python
// package's tests read the same files with NumPy.
#include "core/base/npz/npz_writer.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/npz/stored_zip.hpp"
#include "tests/catch.hpp"

using namespace warpscope;

namespace {

template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T value{};
  REQUIRE(at + sizeof value <= bytes.size());
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct Member {
  std::string name;
  std::string_view data;
};

/// Reads an archive by its directory, as other programs do, and checks that the local headers agree with it.
std::vector<Member> members_of(std::string_view zip) {
  const std::size_t end = zip.rfind("PK\5\6");
  REQUIRE(end != std::string_view::npos);
  std::uint64_t count = number_at<std::uint16_t>(zip, end + 10);
  std::uint64_t at = number_at<std::uint32_t>(zip, end + 16);
  if (count == 0xFFFF) {
    REQUIRE(zip.substr(end - 20, 4) == "PK\6\7");
    const auto end64 = static_cast<std::size_t>(number_at<std::uint64_t>(zip, end - 12));
    REQUIRE(zip.substr(end64, 4) == "PK\6\6");
    count = number_at<std::uint64_t>(zip, end64 + 32);
    at = number_at<std::uint64_t>(zip, end64 + 48);
  }
  std::vector<Member> members;
  for (; members.size() < count;) {
    REQUIRE(zip.substr(at, 4) == "PK\1\2");
    std::uint64_t size = number_at<std::uint32_t>(zip, at + 24);
    std::uint64_t local = number_at<std::uint32_t>(zip, at + 42);
    const auto name_size = number_at<std::uint16_t>(zip, at + 28);
    const auto extra_size = number_at<std::uint16_t>(zip, at + 30);
    std::size_t extra = at + 46 + name_size + 4;
    if (size == 0xFFFFFFFF) {
      size = number_at<std::uint64_t>(zip, extra);
      extra += 16;
    }
    if (local == 0xFFFFFFFF) local = number_at<std::uint64_t>(zip, extra);
    const std::string_view name = zip.substr(at + 46, name_size);
    REQUIRE(zip.substr(local, 4) == "PK\3\4");
    REQUIRE(zip.substr(local + 30, name_size) == name);
    const std::size_t data = local + 30 + name_size + number_at<std::uint16_t>(zip, local + 28);
    CHECK(data % 64 == 0);
    members.push_back({std::string(name), zip.substr(data, size)});
    const auto* bytes = reinterpret_cast<const Bytef*>(zip.data() + data);
    CHECK(number_at<std::uint32_t>(zip, local + 14) == crc32_z(0, bytes, size));
    CHECK(number_at<std::uint32_t>(zip, at + 16) == crc32_z(0, bytes, size));
    at += std::size_t{46} + name_size + extra_size;
  }
  return members;
}

/// An array as "<i8 1 2 3", and its raw values.
template <class T>
std::vector<T> values_of(const Member& member, std::string_view type) {
  const auto header = number_at<std::uint16_t>(member.data, 8);
  CHECK(member.data.substr(0, 8) == std::string_view("\x93NUMPY\1\0", 8));
  CHECK((10 + header) % 64 == 0);
  const std::string_view text = member.data.substr(10, header);
  CHECK(text.find("'descr': '" + std::string(type) + "'") != std::string_view::npos);
  CHECK(text.back() == '\n');
  std::vector<T> values((member.data.size() - 10 - header) / sizeof(T));
  CHECK(text.find("'shape': (" + std::to_string(values.size()) + ",)") != std::string_view::npos);
  std::memcpy(values.data(), member.data.data() + 10 + header, values.size() * sizeof(T));
  return values;
}

std::string names_of(const std::vector<Member>& members) {
  std::string names;
  for (const Member& member : members) names += member.name + ' ';
  return names;
}

/// The texts of a column from its three arrays; "-" if missing.
std::vector<std::string> texts_of(const std::vector<Member>& members, std::size_t first) {
  const auto utf8 = values_of<char>(members[first + 1], "|u1");
  const auto ends = values_of<std::int64_t>(members[first + 2], "<i8");
  std::vector<std::string> texts;
  for (const std::int32_t code : values_of<std::int32_t>(members[first], "<i4")) {
    if (code < 0) {
      texts.emplace_back("-");
      continue;
    }
    const auto at = static_cast<std::size_t>(code);
    const std::int64_t begin = at == 0 ? 0 : ends.at(at - 1);
    texts.emplace_back(utf8.data() + begin, static_cast<std::size_t>(ends.at(at) - begin));
  }
  return texts;
}

template <class T>
std::string npz_of(const T& what) {
  std::string out;
  write_npz([&](std::string_view bytes) { out += bytes; }, what);
  return out;
}

}  // namespace

TEST_CASE("npz keeps the order, types and values of columns", "[table]") {
  Table table("kernels", "",
              {col::text("name"), col::integer("count"), col::ns("total"), col::percent("share"),
               Column("late", col::start).csv("late(us)", 1000)});
  table.add_row({"gemm", 3, 1'000, 0.25, 1'500});
  table.add_row({Cell(), Cell(), 2.5, Cell(), Cell()});
  table.add_row({"gemm", std::numeric_limits<std::int64_t>::min(), 7, 0.5, 2'000});
  const std::string out = npz_of(table);
  const auto members = members_of(out);
  REQUIRE(names_of(members) ==
          "name.npy name.utf8.npy name.ends.npy count.npy count.null.npy total_ns.npy share_pct.npy late(us).npy ");
  CHECK(texts_of(members, 0) == std::vector<std::string>{"gemm", "-", "gemm"});
  CHECK(values_of<char>(members[1], "|u1").size() == 4);
  CHECK(values_of<std::int64_t>(members[3], "<i8") ==
        std::vector<std::int64_t>{3, 0, std::numeric_limits<std::int64_t>::min()});
  CHECK(values_of<std::uint8_t>(members[4], "|b1") == std::vector<std::uint8_t>{0, 1, 0});
  CHECK(values_of<double>(members[5], "<f8") == std::vector<double>{1'000, 2.5, 7});
  const auto shares = values_of<double>(members[6], "<f8");
  CHECK(shares[0] == 25);
  CHECK(std::isnan(shares[1]));
  CHECK(values_of<double>(members[7], "<f8")[2] == 2);
}

TEST_CASE("npz writes numbers beside text as text, and empty columns by their kind", "[table]") {
  Table table("", "", {col::text("mixed"), col::integer("nothing"), col::real("no number"), col::text("no text")});
  for (const Cell& cell : {Cell(7), Cell("7"), Cell(0.1), Cell(""), Cell()}) table.add_row({cell});
  std::string out = npz_of(table);
  auto members = members_of(out);
  CHECK(texts_of(members, 0) == std::vector<std::string>{"7", "7", "0.1", "", "-"});
  CHECK(values_of<std::int64_t>(members[2], "<i8").size() == 3);
  CHECK(values_of<std::int64_t>(members[3], "<i8").size() == 5);
  CHECK(values_of<std::uint8_t>(members[4], "|b1") == std::vector<std::uint8_t>(5, 1));
  CHECK(values_of<double>(members[5], "<f8").size() == 5);
  CHECK(texts_of(members, 6) == std::vector<std::string>(5, "-"));

  const Table empty("", "", {col::integer("a"), col::text("b")});
  out = npz_of(empty);
  members = members_of(out);
  CHECK(names_of(members) == "a.npy b.npy b.utf8.npy b.ends.npy ");
  CHECK(values_of<std::int64_t>(members[0], "<i8").empty());
  out = npz_of(Table());
  CHECK(members_of(out).empty());
}

TEST_CASE("npz of a packed table has the values of its cells", "[table]") {
  Table table("", "", {col::integer("n"), col::text("t"), col::real("r")});
  for (int i = 0; i < 10'000; ++i)
    table.add_row({i % 7 == 0 ? Cell() : Cell(std::int64_t{1} << i % 63), i % 5 == 0 ? Cell() : Cell(std::to_string(i)),
                   i % 3 == 0 ? Cell() : Cell(1.0 / i)});
  const std::string out = npz_of(table);
  const auto members = members_of(out);
  const auto numbers = values_of<std::int64_t>(members[0], "<i8");
  const auto missing = values_of<char>(members[1], "|b1");
  const auto texts = texts_of(members, 2);
  const auto reals = values_of<double>(members[5], "<f8");
  bool equal = numbers.size() == table.rows();
  for (std::size_t row = 0; equal && row < table.rows(); ++row) {
    const Cell n = table.at(row, 0);
    const Cell t = table.at(row, 1);
    const Cell r = table.at(row, 2);
    equal = numbers[row] == n.integer() && (missing[row] != 0) == n.missing() &&
            texts[row] == (t.missing() ? "-" : t.text()) &&
            (r.missing() ? std::isnan(reals[row]) : reals[row] == r.number());
    INFO(row);
    CHECK(equal);
  }
}

TEST_CASE("npz of several tables prefixes columns and keeps notes", "[table]") {
  Table one("one", "", {col::integer("a")});
  one.note = "2 of 3 ranks";
  Table two("two", "", {col::text("a"), col::integer("b")});
  two.note = "nothing";
  const std::string out = npz_of(std::vector<NamedTable>{{"x", &one}, {"x_two", &two}});
  const auto members = members_of(out);
  CHECK(names_of(members) ==
        "x.note.npy x/a.npy x_two.note.npy x_two/a.npy x_two/a.utf8.npy x_two/a.ends.npy x_two/b.npy ");
  const auto note = values_of<char>(members[0], "|u1");
  CHECK(std::string(note.begin(), note.end()) == one.note);
}

TEST_CASE("a ZIP archive with large members uses ZIP64", "[table]") {
  for (const std::uint64_t limit : {std::uint64_t{1}, std::uint64_t{500}, kZip64From}) {
    INFO(limit);
    std::string out;
    StoredZip zip([&](std::string_view bytes) { out += bytes; }, limit);
    const auto add = [&](const std::string& name, const std::string& text) {
      zip.add(name, text.size(), [&](std::span<char> into) { std::ranges::copy(text, into.data()); });
    };
    add("small", "abc");
    add("large", std::string(1'000, 'x'));
    add("far", "def");
    zip.finish();
    const auto read = members_of(out);
    CHECK(names_of(read) == "small large far ");
    CHECK(read[0].data == "abc");
    CHECK(read[1].data == std::string(1'000, 'x'));
    CHECK(read[2].data == "def");
    CHECK((out.find("PK\6\6") != std::string::npos) == (limit != kZip64From));
  }
}
