// The Information page in the application without a display.
#include "app/ui/information/information_page.hpp"

#include <imgui.h>

#include <map>
#include <string>

#include "app/ui/model/session.hpp"
#include "app/ui/shell/offscreen_app.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/app/ui/timeline_fixture.hpp"
#include "tests/catch.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::test;
using ProfilePtr = std::shared_ptr<const trace::Profile>;
using Profiles = std::map<std::string, ProfilePtr>;

class Loaded final : public ProfileLoader {
 public:
  explicit Loaded(Profiles& profiles, std::string path) : profiles_(profiles), path_(std::move(path)) {}
  [[nodiscard]] ProfilePtr profile() const override { return profiles_[path_]; }
  [[nodiscard]] LoadStatus progress() override { return {}; }
  void cancel() override {}
  void watch(bool) override {}

 private:
  Profiles& profiles_;
  std::string path_;
};

class InformationBench {
 public:
  explicit InformationBench(Profiles& profiles) {
    AppOptions app;
    app.scale = 1;
    app.loader = [&profiles](const std::filesystem::path& path, const LoadChoices&, const std::function<void()>&) {
      return std::make_unique<Loaded>(profiles, path.filename().string());
    };
    app.pages = with_load_and_settings({make_page<InformationPage>});
    auto made = OffscreenApp::create(std::move(app), 1280, 800);
    if (!made.ok()) {
      WARN("OpenGL is not available without a display: " << made.error().message());
      return;
    }
    window_ = std::move(*made);
  }
  [[nodiscard]] bool works() const { return window_ != nullptr; }
  [[nodiscard]] OffscreenApp& window() { return *window_; }
  [[nodiscard]] Session& session() { return window_->app().context().session; }
  [[nodiscard]] bool has(std::string_view words) {
    return window_->app().state_text().find(words) != std::string::npos;
  }
  void open(const char* path) {
    window_->open(path);
    REQUIRE(window_->settle());
    show("information");
  }
  void show(const char* page) {
    window_->app().show_page(page);
    REQUIRE(window_->settle());
  }
  void play(std::string_view text) {
    const auto script = parse_script(text);
    REQUIRE(script.ok());
    REQUIRE(window_->play(*script));
  }

 private:
  std::unique_ptr<OffscreenApp> window_;
};

TEST_CASE("the Information page shows the current profile", "[window]") {
  Profiles profiles{{"a", job_profile(2)}, {"b", job_profile(3)}};
  InformationBench bench(profiles);
  if (!bench.works()) return;
  bench.open("a");
  CHECK(bench.has("\"page\": \"information\""));
  CHECK(bench.has("\"section\": \"overview\""));
  CHECK(bench.has("\"ranks\": 2"));
  bench.play("run:information.next");
  CHECK_FALSE(bench.has("\"section\": \"overview\""));
  bench.play("run:information.previous");
  CHECK(bench.has("\"section\": \"overview\""));
  bench.play("run:information.diagnostics");
  CHECK(bench.has("\"section\": \"diagnostics\""));
  bench.open("b");
  CHECK(bench.has("\"ranks\": 3"));

  profiles["b"] = job_profile(4);  // a more complete profile
  REQUIRE(bench.window().settle());
  CHECK(bench.has("\"ranks\": 4"));
}

TEST_CASE("the Information page releases a profile that is unloaded while another page is shown", "[window]") {
  Profiles profiles{{"a", job_profile(2)}};
  InformationBench bench(profiles);
  if (!bench.works()) return;
  bench.open("a");
  bench.show("load");
  const std::weak_ptr<const trace::Profile> profile = profiles["a"];
  REQUIRE(bench.session().profile() == profiles["a"]);
  profiles.clear();
  bench.session().close();
  REQUIRE(bench.window().settle());
  CHECK(profile.expired());
}

}  // namespace
}  // namespace warpscope::ui
