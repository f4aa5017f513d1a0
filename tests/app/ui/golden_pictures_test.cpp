// Compares each page in both themes with an accepted image in golden/. The images are averages of 3 × 3 pixels, which
// hides driver rounding differences but not a missing button. `./dev pictures` accepts the current images.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "app/settings/page_names.hpp"
#include "assets/assets.hpp"
#include "render/gl/image.hpp"
#include "render/gl/offscreen.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/environment.hpp"
#include "tests/pictures.hpp"
#include "tests/shared_dir.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

constexpr int kReduction = 3;
constexpr int kTolerance = 16;           // of 255
constexpr double kMostOff = 1 / 1600.0;  // share of all pixels

gl::Image reduced(const gl::Image& image) {
  gl::Image made{image.width / kReduction, image.height / kReduction, {}};
  for (int y = 0; y < made.height; ++y)
    for (int x = 0; x < made.width; ++x)
      for (int shift = 16; shift >= 0; shift -= 8) {
        unsigned sum = 0;
        for (int i = 0; i < kReduction * kReduction; ++i)
          sum += image.pixel(x * kReduction + i % kReduction, y * kReduction + i / kReduction) >> shift & 0xFF;
        made.rgb.push_back(static_cast<std::uint8_t>(sum / (kReduction * kReduction)));
      }
  return made;
}

/// The pages show file paths and dates, so both are fixed; only one process at a time uses the files.
class Job {
 public:
  Job() : lock_(::open("/tmp/warpscope-pictures.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (lock_ < 0) return;
    ::flock(lock_, LOCK_EX);
    fs::remove_all(root_);
    tracegen::Options options = *tracegen::preset("small");
    options.stragglers = {{1, 150}};
    (void)tracegen::generate(options, path());
    const std::chrono::sys_seconds date = std::chrono::sys_days{std::chrono::year{2026} / 1 / 15};
    for (const auto& entry : fs::recursive_directory_iterator(root_))
      fs::last_write_time(entry.path(), std::chrono::file_clock::from_sys(date));
  }
  ~Job() {
    if (lock_ < 0) return;
    fs::remove_all(root_);
    ::close(lock_);
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  /// False if another user owns the folder.
  [[nodiscard]] bool written() const { return lock_ >= 0; }
  [[nodiscard]] std::string path() const { return (root_ / "job").string(); }
  [[nodiscard]] fs::path root() const { return root_; }

 private:
  fs::path root_ = "/tmp/warpscope-pictures";
  int lock_;
  Variable cache_{"XDG_CACHE_HOME", root_.c_str()};
  Variable zone_{"TZ", "UTC"};
};

/// Identifies the font version, because glyph shapes and widths differ between versions.
std::string fonts() {
  return std::to_string(assets::asset("fonts/ui").size()) + " " + std::to_string(assets::asset("fonts/mono").size());
}

std::string accepted_fonts(const fs::path& golden) {
  std::ifstream file(golden / "fonts.txt");
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

TEST_CASE("each page, and a collective, matches the accepted image in both themes", "[pictures]") {
  if (!gl::OffscreenContext::create(64, 64)) {
    WARN("skipped: OpenGL is not available without a display");
    return;
  }
  const fs::path golden = source_dir() / "tests" / "app" / "ui" / "golden";
  const bool accept = std::getenv("WARPSCOPE_ACCEPT_PICTURES") != nullptr;
  if (accept)
    std::ofstream(golden / "fonts.txt") << fonts() << '\n';
  else if (accepted_fonts(golden) != fonts()) {
    WARN("skipped: the accepted images use another font version");
    return;
  }
  const Job job;
  if (!job.written()) {
    WARN("skipped: another user owns " << job.root().string());
    return;
  }
  struct Picture {
    std::string name;
    std::vector<std::string> options;
  };
  std::vector<Picture> pictures;
  for (const std::string_view page : settings::kPageNames)
    pictures.push_back({std::string(page), {"--page", std::string(page)}});
  // An error and completions, because a result would show how long it took.
  for (const char* option : {"--script",
                             "run:query.edit;wait:3;key:Ctrl+A;type:SELECT nme FROM gpu_activity g;key:Ctrl+Enter;"
                             "settle;type: WHERE g.;wait:3"})
    std::ranges::find(pictures, "query", &Picture::name)->options.emplace_back(option);
  // A collective of all ranks with its ribbon, and the list of its kernels.
  pictures.push_back({"collective",
                      {"--select", "name~AllReduce cat:kernel rank:0", "--script",
                       "run:panel.collective;run:tracks.filter;type:communication;key:Enter;settle"}});
  for (const Picture& each : pictures)
    for (const char* theme : {"dark", "light"}) {
      const std::string name = each.name + "-" + theme + ".png";
      CAPTURE(name);
      const std::string picture = (job.root() / name).string();
      std::vector<std::string> arguments{"snapshot", job.path(), "--out",  picture,    "--theme",   theme,
                                         "--size",   "960x600",  "--root", job.path(), "--no-store"};
      arguments.insert(arguments.end(), each.options.begin(), each.options.end());
      const Outcome outcome = run(arguments);
      REQUIRE(outcome.status == cli::kDone);
      const auto drawn = tests::read_png(picture);
      REQUIRE(drawn.ok());
      const gl::Image now = reduced(*drawn);
      if (accept) {
        REQUIRE_FALSE(gl::write_png(golden / name, now));
        continue;
      }
      const auto before = tests::read_png(golden / name);
      REQUIRE(before.ok());
      const auto most = static_cast<std::size_t>(kMostOff * now.width * now.height);
      const std::size_t off = tests::differing_pixels(now, *before, kTolerance);
      if (off > most) {
        fs::copy_file(picture, fs::temp_directory_path() / name, fs::copy_options::overwrite_existing);
        INFO("current page: " << (fs::temp_directory_path() / name).string());
        INFO("if this is correct, accept it with ./dev pictures");
        CHECK(off <= most);
      }
    }
}
