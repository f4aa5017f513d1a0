#include "core/ingest/json/compact.hpp"

#include <algorithm>

#include "core/base/json_writer.hpp"
#include "core/ingest/json/scan.hpp"
#include "core/ingest/json/text.hpp"

namespace warpscope::ingest::json {
namespace {

bool is_structure(char c) { return c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':'; }

class Compactor {
 public:
  Compactor(std::string_view json, Words words) : json_(json), words_(words) {}

  std::string run() {
    while (at_ < json_.size()) {
      const char c = json_[at_];
      if (is_space(c))
        ++at_;
      else if (c == '"')
        string();
      else if (is_structure(c))
        structure(c);
      else
        word();
    }
    return std::move(out_);
  }

 private:
  /// Writes a comma only when a value follows.
  void put_comma() {
    if (comma_) out_ += words_ == Words::keep ? ", " : ",";
    comma_ = false;
    behind_word_ = false;
  }

  void structure(char c) {
    ++at_;
    switch (c) {
      case ',':
        comma_ = true;
        return;
      case ':':
        out_ += words_ == Words::keep ? ": " : ":";
        behind_word_ = false;
        return;
      case '{':
      case '[':
        put_comma();
        out_ += c;
        return;
      default:
        comma_ = false;
        behind_word_ = false;
        out_ += c;
    }
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < json_.size() && !is_structure(json_[at_]) && !is_space(json_[at_]) && json_[at_] != '"') ++at_;
    const std::string_view text = json_.substr(begin, at_ - begin);
    const bool touching = behind_word_ && !comma_;  // keeps adjacent words separate
    put_comma();
    if (touching) out_ += ' ';
    behind_word_ = true;
    if (is_scalar(text))
      out_ += text;
    else
      out_ += words_ == Words::keep ? excerpt(text, text.size()) : "null";
  }

  void string() {
    const std::size_t begin = ++at_;
    while (at_ < json_.size() && json_[at_] != '"') at_ += json_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, json_.size());
    put_comma();
    Notes notes;
    Scratch scratch;
    const std::string_view raw = json_.substr(begin, at_ - begin);
    const std::string_view text = decode_string(raw, scratch, notes);
    if (notes.empty())
      out_.append(1, '"').append(raw).append(1, '"');
    else
      append_json_string(out_, text);
    if (at_ < json_.size()) ++at_;
  }

  std::string_view json_;
  Words words_;
  std::size_t at_ = 0;
  bool comma_ = false;
  bool behind_word_ = false;
  std::string out_;
};

}  // namespace

std::string compact_json(std::string_view json, Words words) { return Compactor(json, words).run(); }

}  // namespace warpscope::ingest::json
