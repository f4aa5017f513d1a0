#pragma once
// Controls for any analysis's parameters, generated from the parameter descriptions: fields for numbers and text,
// segmented buttons for choices, switches for flags. Validates input immediately and shows errors.
#include <map>
#include <span>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "core/analysis/request/registry.hpp"

namespace warpscope::ui {

class ParameterFields {
 public:
  /// Returns the settings that differ from the presets, in parameter order.
  [[nodiscard]] std::vector<analysis::Setting> settings(const analysis::Analysis& analysis) const;
  /// Sets a parameter from command-line text. An invalid value leaves the parameter unchanged.
  Failure set(const analysis::Analysis& analysis, std::string_view parameter, std::string_view value);
  /// Selects the next value of the first parameter with choices; returns false if there is no such parameter.
  bool turn_first(const analysis::Analysis& analysis, std::span<const std::string_view> hidden = {});
  /// Resets all parameters to their presets.
  void reset(const analysis::Analysis& analysis);

  /// Draws the fields, wrapped at `width` px. Returns true if anything changed. `hidden`: parameters without a field.
  bool draw(const AppContext& app, const analysis::Analysis& analysis, float width,
            std::span<const std::string_view> hidden = {});

 private:
  using Values = std::map<std::string, std::string, std::less<>>;  // of one analysis: non-preset values

  [[nodiscard]] std::string value(const analysis::Analysis& analysis, const analysis::Parameter& parameter) const;
  bool field(const AppContext& app, const analysis::Analysis& analysis, const analysis::Parameter& parameter);

  std::map<std::string, Values, std::less<>> values_;              // by analysis
  std::map<std::string, std::string, std::less<>> being_written_;  // text being edited, by analysis and parameter
  std::string problem_;
  std::string problem_of_;  // analysis
};

}  // namespace warpscope::ui
