#include "core/analysis/information/rank_values.hpp"

#include "core/base/json_facts.hpp"

namespace warpscope::analysis {

std::string number_ranges(const std::set<std::int64_t>& numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const std::int64_t first = *at;
    std::int64_t last = first;
    for (++at; at != numbers.end() && *at == last + 1; ++at) last = *at;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) text += (last == first + 1 ? ", " : "–") + std::to_string(last);
  }
  return text;
}

std::string ranks_text(const trace::Profile& profile, const std::set<std::int64_t>& ranks) {
  if (profile.ranks.size() > 1 && ranks.size() > 1) {
    bool all = true;
    for (const auto& rank : profile.ranks) all = all && ranks.contains(rank->number);
    if (all) return "all";
  }
  return number_ranges(ranks);
}

void RankValues::add(std::string_view name, std::string_view value, std::int64_t rank) {
  auto known = order_.find(name);
  if (known == order_.end()) {
    known = order_.emplace(std::string(name), names_.size()).first;
    names_.emplace_back(name);
  }
  values_[{known->second, std::string(value)}].insert(rank);
}

std::vector<RankValues::Row> RankValues::rows() const {
  std::vector<Row> rows;
  for (const auto& [key, ranks] : values_) rows.push_back({names_[key.first], key.second, ranks});
  return rows;
}

std::string plain_text(const std::string& json) {
  const auto facts = json_facts(json);
  return facts && facts->size() == 1 && facts->front().name.empty() ? facts->front().value : json;
}

}  // namespace warpscope::analysis
