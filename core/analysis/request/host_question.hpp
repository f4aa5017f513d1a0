#pragma once
// Questions about a profile on another machine (trace::ProfileHost). A caller asks before it computes something from
// all slices; the host computes it with the same function and sends the result. A question begins with what both sides
// must agree on: the version of the analyses, the ranks, the shifts of their clocks and the scope.
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/store/byte_stream.hpp"

namespace warpscope::analysis {

class HostedProfile;

/// A kind of question and the function that answers it on the host.
struct HostQuestionKind {
  std::string_view name;
  trace::HostAnswer (*answer)(HostedProfile& profile, store::StreamReader& content, const CancelToken& cancel);
};

class HostQuestion {
 public:
  /// A question about a profile, whose host must not be null.
  HostQuestion(const trace::Profile& profile, const Scope& scope);

  /// For what else the host must know.
  [[nodiscard]] store::StreamWriter& stream() { return stream_; }

  /// Asks and passes the answer to `read(StreamReader&)`, which returns the result; nullopt if the host cannot answer,
  /// so the caller must compute the result. Errors: those of the host.
  template <class Read>
  [[nodiscard]] auto ask(const HostQuestionKind& kind, const CancelToken* cancel, Read read)
      -> std::optional<Result<std::invoke_result_t<Read, store::StreamReader&>>> {
    auto answer = profile_.host->ask(kind.name, stream_.bytes(), cancel);
    if (!answer) return answer.error();
    if (!*answer) return std::nullopt;
    store::StreamReader reader(**answer);
    auto result = read(reader);
    if (!reader.ok()) return Error{"", "the answer of the other machine is invalid", "install the same version there"};
    return result;
  }

 private:
  const trace::Profile& profile_;
  store::StreamWriter stream_;
};

/// A profile as the other end sees it.
struct AskedProfile {
  std::shared_ptr<const trace::Profile> profile;
  std::shared_ptr<SharedResults> shared;
  std::shared_ptr<const ingest::EventLookup> events;
  Scope scope;
};

/// The host's side: reads the beginnings of questions about one profile. Thread-safe.
class HostedProfile {
 public:
  explicit HostedProfile(std::shared_ptr<const trace::Profile> profile,
                         std::shared_ptr<const ingest::EventLookup> events = {})
      : profile_(std::move(profile)), events_(std::move(events)) {}
  /// Returns nullopt if the question is about another profile or from another version.
  [[nodiscard]] std::optional<AskedProfile> read(store::StreamReader& stream) EXCLUDES(mutex_);

 private:
  std::shared_ptr<const trace::Profile> profile_;
  std::shared_ptr<const ingest::EventLookup> events_;
  Mutex mutex_;
  std::vector<Ns> shifts_ GUARDED_BY(mutex_);  // of `shown_`
  std::shared_ptr<const trace::Profile> shown_ GUARDED_BY(mutex_);
  std::shared_ptr<SharedResults> shared_ GUARDED_BY(mutex_);
};

}  // namespace warpscope::analysis
