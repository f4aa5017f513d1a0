#pragma once
// Controls for the parameters of any analysis, made from their description: numbers and texts as fields, choices as
// joined words, flags as switches. What is written is checked at once, and what is wrong is said.
#include <map>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "core/analysis/request/registry.hpp"

namespace warpscope::ui {

class ParameterFields {
 public:
  /// Settings that differ from the presets, in the order of the parameters.
  [[nodiscard]] std::vector<analysis::Setting> settings(const analysis::Analysis& analysis) const;
  /// Sets one as the command line would; nothing changes if it is no value.
  Failure set(const analysis::Analysis& analysis, std::string_view parameter, std::string_view value);
  /// Back to the presets.
  void reset(const analysis::Analysis& analysis);

  /// Takes as many lines as it needs within `width` px; true if anything changed.
  bool draw(const AppContext& app, const analysis::Analysis& analysis, float width);

 private:
  using Values = std::map<std::string, std::string, std::less<>>;  // of one analysis: what differs from the presets

  [[nodiscard]] std::string value(const analysis::Analysis& analysis, const analysis::Parameter& parameter) const;
  bool field(const AppContext& app, const analysis::Analysis& analysis, const analysis::Parameter& parameter);

  std::map<std::string, Values, std::less<>> values_;              // by analysis
  std::map<std::string, std::string, std::less<>> being_written_;  // by analysis and parameter
  std::string problem_;
  std::string problem_of_;  // analysis
};

}  // namespace warpscope::ui
