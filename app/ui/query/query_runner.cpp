#include "app/ui/query/query_runner.hpp"

#include <algorithm>
#include <utility>

#include "app/settings/user_rules.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/query/result_columns.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/sql/database.hpp"

namespace warpscope::ui {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

/// The database and what it refers to.
struct QueryRunner::Kept {
  std::shared_ptr<const trace::Profile> profile;
  std::shared_ptr<const ingest::EventLookup> events;
  std::string kernel_rules;
  std::filesystem::path folder;
  std::uint64_t generation = 0;
  settings::UserRules rules{};
  std::unique_ptr<sql::Database> database{};

  Failure open() {
    if (database) return {};
    rules = settings::read_user_rules(folder);
    auto opened = sql::Database::open(
        profile,
        {.events = events.get(), .kernel_rules = kernel_rules, .rules = rules.settings, .custom = rules.custom});
    if (!opened) return opened.error();
    database = std::move(*opened);
    return {};
  }

  [[nodiscard]] std::vector<SchemaTable> schema() const {
    std::vector<SchemaTable> all;
    if (!database) return all;
    for (const auto* group : {&database->tables(), &database->analyses()})
      for (const auto& each : *group)
        all.push_back({each->name, each->about, group == &database->analyses(), each->fields});
    return all;
  }

  [[nodiscard]] Result<Table> run(const std::string& query, std::vector<std::size_t>& slices,
                                  const CancelToken& cancel) {
    if (const Failure failure = open()) return *failure;
    return database->run(query,
                         {.rows = kMostRows, .cancel = &cancel, .describe = [&](auto& columns, const auto& fields) {
                            slices = describe_columns(columns, fields, query);
                          }});
  }

  [[nodiscard]] std::shared_ptr<const QueryAnswer> answer(const std::string& query, const CancelToken& cancel) {
    auto answer = std::make_shared<QueryAnswer>();
    const Clock::time_point start = Clock::now();
    auto rows = run(query, answer->slices, cancel);
    answer->query = query;
    answer->seconds = seconds_since(start);
    answer->result.generation = generation;
    if (rows) {
      answer->result.tables->clear();
      answer->result.tables->push_back(std::move(*rows));
    } else {
      answer->result.tables = rows.error();
    }
    return answer;
  }

  [[nodiscard]] Failure describe(const std::string& analysis, const CancelToken& cancel) {
    if (Failure failure = open()) return failure;
    const auto found = std::ranges::find(database->analyses(), analysis, [](const auto& each) { return each->name; });
    if (found == database->analyses().end()) return {};
    database->context().cancel = &cancel;
    Failure failure = (*found)->prepare();
    database->context().cancel = nullptr;
    return failure;
  }
};

void QueryRunner::profile_changed(const AppContext& app) {
  const auto& profile = app.session.profile();
  const std::string path = profile ? app.session.path().string() : std::string();
  if (path != path_) {
    stop();
    schema_.clear();
    opened_ = false;
  }
  wanted_.clear();
  failed_.clear();
  path_ = path;
  kept_.reset();
}

std::string_view QueryRunner::describe(const std::string& analysis) {
  if (const auto failed = failed_.find(analysis); failed != failed_.end()) return failed->second;
  wanted_ = analysis;
  return {};
}

void QueryRunner::run(const AppContext& app, std::string query) { start(app, std::move(query), {}); }

void QueryRunner::start(const AppContext& app, std::string query, std::string analysis) {
  if (!app.session.profile()) return;
  if (!kept_)
    kept_ = std::make_shared<Kept>(app.session.profile(), app.session.events(), app.settings.kernel_class,
                                   app.user_folder, app.session.generation());
  asked_ = query;
  started_ = Clock::now();
  work_.start(
      [kept = kept_, query = std::move(query), analysis = std::move(analysis)](const CancelToken& cancel) {
        auto reply = std::make_shared<Reply>();
        if (query.empty()) {
          reply->failure = kept->describe(analysis, cancel);
          reply->analysis = analysis;
        } else {
          reply->answer = kept->answer(query, cancel);
        }
        reply->schema = kept->schema();
        return std::shared_ptr<const Reply>(std::move(reply));
      },
      app.wake);
}

std::shared_ptr<const QueryAnswer> QueryRunner::update(const AppContext& app) {
  std::shared_ptr<const QueryAnswer> answer;
  if (const auto reply = work_.take(); reply && *reply) {
    asked_.clear();
    answer = (*reply)->answer;
    if (!(*reply)->schema.empty()) schema_ = (*reply)->schema;
    if ((*reply)->failure) failed_[(*reply)->analysis] = sentence((*reply)->failure->message());
  }
  // The first job only opens the database, for the schema.
  if (!work_.running() && app.session.profile() && (!std::exchange(opened_, true) || !wanted_.empty()))
    start(app, {}, std::exchange(wanted_, {}));
  return answer;
}

void QueryRunner::stop() {
  work_.stop();
  asked_.clear();
}

double QueryRunner::seconds() const { return seconds_since(started_); }

}  // namespace warpscope::ui
