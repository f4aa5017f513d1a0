#include "core/ingest/formats/trace_events/event_inserter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/ingest/json/json_check.hpp"
#include "core/ingest/json/json_mender.hpp"

namespace warpscope::ingest {
namespace {

constexpr std::size_t kCopyBlock = std::size_t{1} << 20;
constexpr std::size_t kMostHeld = std::size_t{64} << 20;
constexpr std::string_view kList = "traceEvents";

/// Scans the text and reports structural positions.
class Follower {
 public:
  enum class What : std::uint8_t {
    nothing,
    list_opens,   ///< of events
    item,         ///< the first character of an event
    event_ends,   ///< with this bracket
    list_closes,  ///< with this bracket
    text_ends,    ///< with this bracket
  };

  What take(char c) {
    if (in_string_) {
      string(c);
      return What::nothing;
    }
    switch (c) {
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        return What::nothing;
      case '"': {
        const What what = first_of_item();
        in_string_ = true;
        key_.clear();
        return what;
      }
      case '{':
      case '[':
        return opens(c);
      case '}':
      case ']':
        return closes();
      case ',':
        if (depth_ == 1) after_key_ = false;
        return What::nothing;
      case ':':
        if (depth_ == 1) after_key_ = key_ == kList;
        return What::nothing;
      default:
        return first_of_item();
    }
  }

  [[nodiscard]] bool found() const { return list_depth_ > 0; }
  [[nodiscard]] bool in_list() const { return found() && !list_closed_; }
  /// Returns true if the list is the whole text.
  [[nodiscard]] bool bare() const { return list_depth_ == 1; }
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  void string(char c) {
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      in_string_ = false;
      return;
    }
    if (depth_ == 1 && !found() && key_.size() <= kList.size()) key_ += c;
  }
  What first_of_item() {
    if (!first_item_ || depth_ != list_depth_) return What::nothing;
    first_item_ = false;
    return What::item;
  }
  What opens(char c) {
    const bool list = c == '[' && !found() && (depth_ == 0 || (depth_ == 1 && after_key_));
    const What what = list ? What::list_opens : first_of_item();
    ++depth_;
    if (list) list_depth_ = depth_, first_item_ = true;
    return what;
  }
  What closes() {
    if (depth_ == 0) return What::nothing;
    --depth_;
    if (in_list() && depth_ == list_depth_) return What::event_ends;
    if (in_list() && depth_ < list_depth_) {
      list_closed_ = true;
      ended_ = depth_ == 0;
      return What::list_closes;
    }
    if (depth_ > 0) return What::nothing;
    ended_ = true;
    return What::text_ends;
  }

  std::string key_;  // the last string at depth 1
  std::uint64_t depth_ = 0;
  std::uint64_t list_depth_ = 0;
  bool after_key_ = false;  // of the list
  bool first_item_ = false;
  bool list_closed_ = false;
  bool ended_ = false;
  bool in_string_ = false;
  bool escaped_ = false;
};

class Copy {
 public:
  Copy(const std::string& name, const MoreEvents& more, const TakeText& out) : name_(name), more_(more), out_(out) {}

  Failure take(std::string_view block) {
    std::size_t held_from = 0;  // in the block; earlier text was passed on or is in held_
    for (std::size_t i = 0; i < block.size(); ++i) {
      const auto what = follower_.take(block[i]);
      if (what == Follower::What::nothing) continue;
      const auto pass = [&](std::size_t end) { return pass_on(block.substr(held_from, end - held_from)); };
      const std::size_t end = what == Follower::What::item ? i : i + 1;
      if (what == Follower::What::item && !inserted_) continue;
      if (auto failure = pass(end)) return failure;
      held_from = end;
      if (what == Follower::What::list_opens)
        if (auto failure = insert()) return failure;
      comma_due_ |= what == Follower::What::item;
    }
    // Until the list opens everything can be passed on; after that incomplete events wait.
    held_ += block.substr(held_from);
    if (!follower_.found() || follower_.ended()) return pass_on({});
    if (held_.size() > kMostHeld)
      return Error{name_, "contains an event of more than 64 MiB, so it is corrupt", "record the trace again"};
    return {};
  }

  /// Call after the last block. `broken`: why the text ended early, if it did.
  Result<Insertion> finish(const Failure& broken) {
    if (!follower_.found()) return broken ? *broken : Error{name_, "contains no list of events", "give a trace"};
    if (follower_.ended()) return Insertion{.cut_short = broken.has_value()};
    std::string end = follower_.in_list() ? "\n]" : "";
    if (!follower_.bare()) end += "}";
    if (auto failure = out_(end + "\n")) return *failure;
    return Insertion{.cut_short = true};
  }

 private:
  Failure pass_on(std::string_view text) {
    // Adds the comma between the inserted events and the first of the file, once that one is known to be complete.
    if (comma_due_ && held_.size() + text.size() > 0) {
      comma_due_ = false;
      if (auto failure = out_(",\n")) return failure;
    }
    if (!held_.empty()) {
      if (auto failure = out_(held_)) return failure;
      held_.clear();
    }
    return text.empty() ? Failure() : out_(text);
  }
  Failure insert() {
    std::string text;
    for (bool more = true; more; text.clear()) {
      more = more_(text);
      if (text.empty()) continue;
      if (auto failure = out_(inserted_ ? ",\n" : "\n")) return failure;
      if (auto failure = out_(text)) return failure;
      inserted_ = true;
    }
    return {};
  }

  const std::string& name_;
  const MoreEvents& more_;
  const TakeText& out_;
  Follower follower_;
  std::string held_;
  bool inserted_ = false;
  bool comma_due_ = false;
};

}  // namespace

Result<Insertion> copy_with_events(ByteStream& in, const std::string& name, const MoreEvents& more, const TakeText& out,
                                   Progress* progress, std::uint64_t most_text) {
  JsonCheck check;
  const auto not_json = [&] {
    return Error{
        name,
        fmt::format("is not valid JSON, and could not be repaired beyond byte {} of the copy", check.sound_bytes()),
        "other viewers would reject the copy; record the trace again"};
  };
  const TakeText checked = [&](std::string_view piece) -> Failure {
    if (!check.take(piece)) return not_json();
    return out(piece);
  };
  Copy copy(name, more, checked);
  JsonMender mender;
  std::vector<char> block(kCopyBlock);
  std::string text;
  std::uint64_t counted = 0;
  Failure broken;
  for (bool more_text = true; more_text;) {
    const std::span<char> room(block.data(),
                               static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), most_text)));
    const auto got = room.empty() ? Error{name, "is corrupt from here on", "record the trace again"} : in.read(room);
    if (progress != nullptr) progress->done += in.consumed() - counted;
    counted = in.consumed();
    text.clear();
    if (!got) broken = got.error();
    if (got) most_text -= *got;
    more_text = got && *got > 0;
    if (more_text)
      mender.take({block.data(), *got}, text);
    else
      mender.finish(text);
    if (auto failure = copy.take(text)) return *failure;
  }
  auto done = copy.finish(broken);
  if (done && !check.whole()) return not_json();
  if (done) done->mended = mender.mended();
  return done;
}

}  // namespace warpscope::ingest
