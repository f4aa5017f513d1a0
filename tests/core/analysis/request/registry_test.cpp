#include "core/analysis/request/registry.hpp"

#include <set>

#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::analysis;

TEST_CASE("every analysis has a name, a description and valid presets") {
  std::set<std::string_view> names;
  for (const Analysis& analysis : analyses()) {
    INFO(analysis.name);
    CHECK(names.insert(analysis.name).second);
    CHECK(analysis.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos);
    CHECK_FALSE(analysis.title.empty());
    CHECK(analysis.about.ends_with('.'));
    CHECK((analysis.still_ours.empty() || (analysis.still_ours.ends_with('.') && has_parameter(analysis, "hta"))));
    CHECK(description(analysis).starts_with(analysis.about));
    CHECK(description(analysis).ends_with(analysis.still_ours));
    CHECK(find_analysis(analysis.name) == &analysis);
    std::vector<Setting> presets;
    for (const Parameter& parameter : analysis.parameters) {
      CHECK_FALSE(parameter.about.empty());
      if (parameter.kind != ParameterKind::text)
        CHECK((parameter.kind == ParameterKind::choice) == !parameter.choices.empty());
      presets.emplace_back(parameter.name, parameter.preset);
    }
    const auto plain = ParameterValues::parse(analysis.parameters, {});
    const auto told = ParameterValues::parse(analysis.parameters, presets);
    REQUIRE(plain);
    REQUIRE(told);
    CHECK(*plain == *told);
  }
  CHECK(find_analysis("no_such") == nullptr);
}

TEST_CASE("analyses are listed group by group") {
  std::vector<std::string_view> groups;
  for (const Analysis& analysis : analyses())
    if (const std::string_view group = group_of(analysis); groups.empty() || groups.back() != group)
      groups.push_back(group);
  CHECK(groups == std::vector<std::string_view>{"Time", "Communication", "Host and launches", "Memory", "Kernels",
                                                "Operators", "Compare"});
  CHECK(group_of(*find_analysis("idle_time_breakdown")) == "Host and launches");
}

TEST_CASE("every analysis of an empty profile explains its empty tables") {
  const auto profile = trace::assemble_profile("", std::make_shared<trace::Dictionary>(), {}, {}, true);
  for (const Analysis& analysis : analyses()) {
    INFO(analysis.name);
    const auto tables = run_analysis(analysis, *profile, {}, {});
    REQUIRE(tables);
    REQUIRE_FALSE(tables->empty());
    std::set<std::string> ids;
    for (const Table& table : *tables) {
      CHECK(ids.insert(table.id).second);
      CHECK_FALSE(table.title.empty());
    }
    CHECK_FALSE(tables->front().note.empty());
  }
}

TEST_CASE("parameters are checked, and errors list valid values") {
  static constexpr std::array<std::string_view, 2> kSides{"cpu", "gpu"};
  const std::array parameters{
      Parameter{.name = "k", .about = "", .kind = ParameterKind::integer, .preset = "15", .least = 0, .most = 100},
      Parameter{.name = "bin", .about = "", .kind = ParameterKind::duration, .preset = "auto", .least = 1},
      Parameter{.name = "side", .about = "", .kind = ParameterKind::choice, .preset = "gpu", .choices = kSides},
      Parameter{.name = "log", .about = "", .kind = ParameterKind::flag, .preset = "false"},
      Parameter{.name = "over", .about = "", .kind = ParameterKind::real, .preset = "0.5"},
      Parameter{.name = "name", .about = "", .kind = ParameterKind::text, .preset = "step"}};
  const auto parse = [&](std::vector<Setting> settings) { return ParameterValues::parse(parameters, settings); };

  const auto presets = parse({});
  REQUIRE(presets);
  CHECK(presets->integer("k") == 15);
  CHECK(presets->automatic("bin"));
  CHECK(presets->text("side") == "gpu");
  CHECK_FALSE(presets->flag("log"));
  CHECK(presets->real("over") == 0.5);
  CHECK(presets->text("name") == "step");

  const auto given = parse({{"k", "3"}, {"bin", "1.5ms"}, {"side", "cpu"}, {"log", "true"}, {"k", "4"}});
  REQUIRE(given);
  CHECK(given->integer("k") == 4);
  CHECK_FALSE(given->automatic("bin"));
  CHECK(given->duration("bin") == 1'500'000);
  CHECK(given->text("side") == "cpu");
  CHECK(given->flag("log"));

  CHECK(parse({{"q", "3"}}).error().message() ==
        "q: is not a parameter of this analysis; its parameters are k, bin, side, log, over, name");
  CHECK(parse({{"k", "many"}}).error().message() == "k: cannot be \"many\"; use a whole number from 0 to 100");
  CHECK(parse({{"bin", "0"}}).error().message() ==
        "bin: cannot be \"0\"; use a duration such as 500ms from 1 ns, or auto");
  CHECK(parse({{"side", "both"}}).error().message() == "side: cannot be \"both\"; use one of cpu, gpu");
  CHECK_FALSE(parse({{"k", "101"}}));
  CHECK_FALSE(parse({{"k", "auto"}}));
  CHECK_FALSE(parse({{"log", "maybe"}}));
  CHECK_FALSE(parse({{"over", "nan"}}));
}
