#include "app/ui/widgets/chart_export.hpp"

#include <cmath>
#include <utility>

#include "app/ui/widgets/chart_picture.hpp"
#include "app/ui/widgets/chart_view.hpp"
#include "app/ui/widgets/messages.hpp"
#include "core/base/ascii.hpp"
#include "core/base/files/new_file.hpp"
#include "render/charts/svg_writer.hpp"

namespace warpscope::ui {
namespace {

constexpr float kFigureWidth = 960;

}  // namespace

scene::Theme figure_theme(const AppContext& app) {
  return scene::with_hues(scene::Theme::light, scene::hues_of(app.theme.kind));
}

std::optional<std::filesystem::path> FigureSaver::draw(const AppContext& app) {
  if (const auto written = writing_.take()) {
    if (*written)
      app.messages.error(**written);
    else
      app.messages.info("Saved " + name_, app.now);
  }
  return dialog_.draw(app);
}

void FigureSaver::save(const AppContext& app, const charts::Figure& figure, float chart_height,
                       const std::filesystem::path& path) {
  const scene::Theme theme = figure_theme(app);
  name_ = path.filename().string();
  if (lower(path.extension().string()) != ".png") {
    std::string text;
    charts::write_svg_file(text, charts::draw_figure(figure, kFigureWidth, chart_height, charts::svg_style(theme)),
                           figure.title);
    writing_.start([path, text = std::move(text)](const CancelToken&) { return replace_file(path, text); }, app.wake);
    return;
  }
  AppContext own = app;
  own.theme = make_theme(false, scene::hues_of(theme));
  const charts::Drawing drawing =
      charts::draw_figure(figure, own.px(kFigureWidth), own.px(chart_height), chart_style(own, own.theme.ground));
  auto image = draw_picture(static_cast<int>(drawing.width), static_cast<int>(drawing.height), own.theme.ground,
                            [&](ImDrawList& list) {
                              paint(own, list, drawing, {0, 0});
                            });
  if (!image) return app.messages.error(image.error());
  writing_.start([path, image = std::move(*image)](const CancelToken&) { return gl::write_png(path, image); },
                 app.wake);
}

std::string figure_name(std::string_view profile, std::string_view what) {
  std::string name = std::string(profile) + "-" + std::string(what);
  constexpr std::string_view kPlain = "-_.#";  // kept, like letters, digits and non-ASCII characters
  for (char& c : name) {
    const bool letter = lower(c) >= 'a' && lower(c) <= 'z';
    if (!letter && !is_digit(c) && static_cast<unsigned char>(c) < 0x80 && kPlain.find(c) == std::string_view::npos)
      c = '_';
  }
  return name + ".svg";
}

}  // namespace warpscope::ui
