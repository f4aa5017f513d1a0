#pragma once
// Converts the output of samplers to text.
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "core/record/sampler.hpp"

namespace warpscope::tests {

/// Values by "type/name/dimension".
using SampledValues = std::map<std::string, double>;

inline SampledValues sampled(record::Sampler& sampler, double seconds) {
  std::vector<record::Sample> samples;
  sampler.sample(seconds, samples);
  SampledValues values;
  for (const record::Sample& sample : samples)
    values[fmt::format("{}/{}/{}", sample.type, sample.name, sample.dimension)] = sample.value;
  return values;
}

/// Collects messages.
struct Said {
  std::vector<std::string> texts;

  record::Say say() {
    return [this](const std::string& text) { texts.push_back(text); };
  }
};

}  // namespace warpscope::tests
