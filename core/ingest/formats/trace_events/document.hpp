#pragma once
// Reads the document around the events: finds the array of events and the metadata next to it, passes each event to the
// event parser, and resynchronizes where the document itself is corrupt.
#include "core/ingest/formats/trace_events/boundary.hpp"
#include "core/ingest/formats/trace_events/event_parser.hpp"
#include "core/ingest/formats/trace_events/parse_events.hpp"
#include "core/ingest/json/text_window.hpp"

namespace warpscope::ingest::json {

/// Number of bytes of text shown in diagnostics.
inline constexpr std::size_t kExampleLength = 80;
/// How many of those bytes precede the reported position. Constant, so examples do not depend on the amount of text in
/// memory.
inline constexpr std::ptrdiff_t kExampleLead = 24;
static_assert(kExampleLead <= static_cast<std::ptrdiff_t>(kLead));

/// Reports a problem at `where`, in text that starts at document offset `base`.
void report_oddity(Diagnostics& diagnostics, const std::string& file, std::string_view code, Severity severity,
                   std::string_view text, std::uint64_t base, const char* where);

[[nodiscard]] inline std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

class DocumentReader {
 public:
  /// `ahead` and `cancel` may be null.
  DocumentReader(TextSource& source, EventSink& sink, Diagnostics& diagnostics, const std::string& file,
                 ParsedAhead* ahead, const CancelToken* cancel, const ParseLimits& limits,
                 ArgumentCheck check = ArgumentCheck::new_shapes);

  [[nodiscard]] ParseOutcome run();

 private:
  enum class Container : std::uint8_t { object, array };
  static constexpr int kEnd = -1;

  bool grow();
  int token();
  int peek(std::ptrdiff_t skip);
  std::string_view head(std::ptrdiff_t length);
  [[nodiscard]] const char* end() const { return window_.end(); }

  void read_document();
  [[nodiscard]] bool has_single_quotes();
  void read_text();
  void read_object();
  void describe_foreign_text();
  void read_members();
  void read_member();
  void read_metadata(const std::string& key, std::ptrdiff_t value);
  void recover_metadata(std::string key, std::ptrdiff_t value);
  void deliver_damaged(const std::string& key, const char* from, const char* to);
  void report(const Notes& notes);
  void read_entries(Container container);
  void read_event(bool& comma);
  bool take_ahead(bool& comma);
  void read_other_entry(bool& comma);
  void skip_to_event(bool& comma);
  bool is_top_level_key();
  bool ends_events(Container container);
  void drain();

  void deliver(const char* begin);
  void report_truncation();
  /// Reports the bytes from `begin`, an offset, to at_; `example` is the text there.
  void report_skipped(std::uint64_t begin, std::string_view example);
  void report_here(std::string_view code, Severity severity);
  void report(std::string_view code, Severity severity, const char* where);
  [[nodiscard]] bool can_show(const char* where) const;
  void make_showable();

  EventSink& sink_;
  Diagnostics& diagnostics_;
  const std::string& file_;
  ParsedAhead* ahead_;
  const CancelToken* cancel_;
  TextWindow window_;
  EventParser parser_;
  ParseOutcome outcome_;
  const char* at_;         ///< everything before this is processed
  bool too_long_ = false;  ///< the last grow() reached the size limit
  bool found_events_ = false;
  int swallowed_ = 0;  ///< metadata values without an end
  std::uint64_t other_entries_ = 0;
};

}  // namespace warpscope::ingest::json
