#pragma once
// Helpers that write objects and arrays into the window's state (shell/state_dump.hpp).
#include <functional>
#include <string_view>

#include "core/base/json_writer.hpp"

namespace warpscope::ui {

/// Writes a member whose value is an object; `write` writes the object's members.
template <class Write>
void write_object(JsonWriter& writer, std::string_view key, const Write& write,
                  JsonWriter::Layout layout = JsonWriter::Layout::lines) {
  writer.key(key);
  writer.begin_object(layout);
  write();
  writer.end_object();
}

/// Writes a member whose value is an array of objects; `write` writes the members of one object.
template <class Items, class Write>
void write_objects(JsonWriter& writer, std::string_view key, Items&& items, const Write& write,
                   JsonWriter::Layout layout = JsonWriter::Layout::lines) {
  writer.key(key);
  writer.begin_array();
  for (auto&& item : items) {
    writer.begin_object(layout);
    write(item);
    writer.end_object();
  }
  writer.end_array();
}

/// Writes a member whose value is an array with one value per item.
template <class Items, class ValueOf = std::identity>
void write_values(JsonWriter& writer, std::string_view key, Items&& items, const ValueOf& value_of = {}) {
  writer.key(key);
  writer.begin_array();
  for (auto&& item : items) writer.value(std::invoke(value_of, item));
  writer.end_array();
}

}  // namespace warpscope::ui
