#pragma once
// Runs SQL on the current profile on another thread. The database is opened there with the first query, and kept until
// the profile changes; queries use it one after the other (model/background.hpp). The window never waits.
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/model/analysis_results.hpp"
#include "app/ui/model/background.hpp"
#include "core/sql/relation.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

/// A table or analysis that queries can name.
struct SchemaTable {
  std::string name;
  std::string about;
  bool is_analysis = false;
  std::vector<sql::Field> fields;  ///< of an analysis: empty until a query or describe() used it
};

struct QueryAnswer {
  std::string query;
  AnalysisAnswer result;            ///< one table; its columns are described (result_columns.hpp)
  std::vector<std::size_t> slices;  ///< columns that contain slices
  double seconds = 0;

  /// Null if the query failed.
  [[nodiscard]] const Table* rows() const { return result.tables.ok() ? &result.tables->front() : nullptr; }
};

class QueryRunner {
 public:
  /// Rows that are shown of a result.
  static constexpr std::size_t kMostRows = 1'000'000;

  /// Call when the profile changes. A running query goes on if the same path has only loaded further.
  void profile_changed(const AppContext& app);
  void run(const AppContext& app, std::string query);
  /// Finds out the columns of an analysis, as soon as no query runs. Returns why that failed; "" so far.
  [[nodiscard]] std::string_view describe(const std::string& analysis);
  /// Call once per frame. Returns the answer to the last query once.
  [[nodiscard]] std::shared_ptr<const QueryAnswer> update(const AppContext& app);
  /// Stops the query; nothing comes of it.
  void stop();

  /// True while a query runs.
  [[nodiscard]] bool running() const { return work_.running() && !asked_.empty(); }
  [[nodiscard]] bool busy() const { return work_.running(); }
  /// Time since the query was started.
  [[nodiscard]] double seconds() const;
  [[nodiscard]] const std::vector<SchemaTable>& schema() const { return schema_; }

 private:
  struct Kept;
  struct Reply {
    std::shared_ptr<const QueryAnswer> answer;  ///< null for describe()
    std::vector<SchemaTable> schema;
    std::string analysis;  ///< of describe()
    Failure failure;       ///< same
  };

  void start(const AppContext& app, std::string query, std::string analysis);

  std::string path_;
  std::shared_ptr<Kept> kept_;                              // used by one job at a time
  std::string asked_;                                       // the query that runs
  std::string wanted_;                                      // analysis to describe
  std::map<std::string, std::string, std::less<>> failed_;  // why analyses have no columns
  bool opened_ = false;                                     // for the schema
  std::chrono::steady_clock::time_point started_{};
  std::vector<SchemaTable> schema_;
  Background<std::shared_ptr<const Reply>> work_;
};

}  // namespace warpscope::ui
