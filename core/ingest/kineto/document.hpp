#pragma once
// The document around the events: finds the array of events and the metadata beside it, hands each event to the event
// parser, and finds its way again where the document itself is damaged.
#include "core/ingest/kineto/event_parser.hpp"
#include "core/ingest/kineto/parse_kineto.hpp"
#include "core/ingest/kineto/text_window.hpp"

namespace warpscope::ingest::kineto {

/// Bytes of text that a diagnostic shows.
inline constexpr std::size_t kExampleLength = 80;

[[nodiscard]] inline std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

class DocumentReader {
 public:
  DocumentReader(ByteStream& stream, EventSink& sink, Diagnostics& diagnostics, const std::string& file,
                 Progress* progress, const CancelToken* cancel, const ParseLimits& limits);

  [[nodiscard]] ParseOutcome run();

 private:
  enum class Container : std::uint8_t { object, array };
  static constexpr int kEnd = -1;

  bool grow();
  int token();
  int peek(std::ptrdiff_t skip);
  [[nodiscard]] const char* end() const { return window_.end(); }

  void read_document();
  void describe_foreign_text();
  void read_members();
  void read_member();
  void read_metadata(const std::string& key, std::ptrdiff_t value);
  void recover_metadata(std::string key, std::ptrdiff_t value);
  void deliver_damaged(const std::string& key, const char* from, const char* to);
  void report(const Notes& notes);
  void read_entries(Container container);
  void read_event(bool& comma);
  void read_other_entry(bool& comma);
  void skip_to_event(bool& comma);
  bool is_top_level_key();
  void drain();

  void deliver(const char* begin);
  void report_truncation();
  void report(std::string_view code, Severity severity, const char* where, std::uint64_t count = 1);

  ByteStream& stream_;
  EventSink& sink_;
  Diagnostics& diagnostics_;
  const std::string& file_;
  Progress* progress_;
  const CancelToken* cancel_;
  TextWindow window_;
  EventParser parser_;
  ParseOutcome outcome_;
  const char* at_;         ///< everything before it is done with
  bool too_long_ = false;  ///< the last grow() was refused
  bool found_events_ = false;
  std::uint64_t other_entries_ = 0;
  std::uint64_t reported_input_ = 0;
};

}  // namespace warpscope::ingest::kineto
