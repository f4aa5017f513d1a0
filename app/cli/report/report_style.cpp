#include "app/cli/report/report_style.hpp"

#include <fmt/format.h>

namespace warpscope::cli {
namespace {

constexpr std::string_view kRules = R"(
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
       font: 15px/1.45 Inter, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 24px 32px 64px; }
h1 { font-size: 26px; margin: 0 0 4px; }
h2 { font-size: 20px; margin: 48px 0 4px; padding-top: 12px; border-top: 1px solid var(--line); }
h3 { font-size: 15px; margin: 20px 0 4px; }
p { margin: 4px 0 8px; max-width: 90ch; }
.note { color: var(--muted); font-size: 13px; }
a { color: var(--accent); text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
nav { columns: 4 220px; column-gap: 24px; margin: 16px 0; font-size: 13px; }
nav div { break-inside: avoid-column; padding-bottom: 12px; }
nav h3 { margin: 0 0 2px; font-size: 13px; color: var(--muted); }
nav ul { padding: 0; margin: 0; list-style: none; }
.findings > li { margin-bottom: 16px; }
.verdict { display: inline-block; padding: 0 8px; border-radius: 9px; border: 1px solid var(--line); color: var(--muted);
           font-size: 12px; line-height: 18px; font-weight: 500; white-space: nowrap; }
h2 .verdict { margin-left: 12px; vertical-align: 3px; }
.verdict.issue { background: var(--issue); border-color: var(--issue); color: var(--on-issue); }
.verdict.good { color: var(--accent); border-color: var(--accent); }
.rules td { overflow-wrap: break-word; }
.rules td.words { width: 27%; }
.rules td.note { min-width: 24ch; }
td.note { font-size: 12px; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(440px, 1fr)); gap: 0 24px; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: 8px 12px; overflow-x: auto;
      font: 12px/1.45 "JetBrains Mono", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
summary { cursor: pointer; color: var(--accent); margin: 12px 0 4px; font-size: 14px; }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { padding: 3px 10px; text-align: left; vertical-align: top; overflow-wrap: anywhere; min-width: 7ch; }
th { background: var(--panel); color: var(--muted); font-weight: 600; border-bottom: 1px solid var(--line); }
tbody tr:nth-child(even) { background: var(--panel); }
.figure { text-align: right; white-space: nowrap; overflow-wrap: normal;
          font-family: "JetBrains Mono", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
th.figure { font-family: inherit; }
svg { max-width: 100%; height: auto; display: block; margin: 8px 0; overflow: visible; font-family: inherit; }
.table + svg { margin-top: 24px; }
@media print {
  main { max-width: none; padding: 0; }
  nav { display: none; }
  h2 { break-after: avoid; }
  h3, thead { break-after: avoid; }
  tr, svg { break-inside: avoid; }
  .table { overflow: visible; }
}
)";

std::string properties(const charts::SvgColors& colors, scene::Theme theme) {
  const scene::ThemeColors& frame = scene::theme_colors(theme);
  const auto hex = [](scene::Color color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color & 0xFF, color >> 8 & 0xFF, color >> 16 & 0xFF);
  };
  std::string out = fmt::format(
      "color-scheme:{};--ground:{};--panel:{};--line:{};--text:{};--muted:{};--accent:{};--issue:{};--on-issue:{};",
      scene::is_dark(theme) ? "dark" : "light", hex(frame.ground), hex(frame.panel), hex(frame.line), hex(frame.text),
      hex(frame.muted), hex(frame.accent), hex(frame.warning), hex(scene::text_on(frame.warning)));
  colors.write_properties(out, scene::is_dark(theme));
  return out;
}

}  // namespace

std::string report_style(const charts::SvgColors& colors) {
  return fmt::format(":root{{{}}}\n@media screen and (prefers-color-scheme: dark){{:root{{{}}}}}\n{}",
                     properties(colors, scene::Theme::light), properties(colors, scene::Theme::dark), kRules);
}

}  // namespace warpscope::cli
