#!/usr/bin/env bash
# Search and dialogs: find field, filter expressions, track filter, help, command palette and file browser.
source "${BASH_SOURCE[0]%/*}/lib.sh"

generate small --preset small
generate other --preset small --gpus 1
mkdir "$work/nothing"
# Replaces ssh: runs the command on this machine.
mkdir "$work/bin" "$work/host"
ln -s "$WARPSCOPE" "$work/host/warpscope"
printf '#!/bin/bash\nexport PATH="%s:$PATH" XDG_CACHE_HOME="%s/cache"\nsh -c "${!#}"\n' "$work/host" "$work/host" >"$work/bin/ssh"
chmod +x "$work/bin/ssh"
export PATH="$work/bin:$PATH"
kernels=$("$WARPSCOPE" info "$work/small" --json | jq '.slices_by_category.kernel')
launch "$work/small"
expect "the trace is open" '.page == "timeline" and .complete and .ranks == 2'

# Fast typing: no key may be lost or reordered.
remember
key slash
type_text "cat:kernel"
expect "/ opens the find field, and typing searches" '.query == "cat:kernel" and t.search.query == .query'
expect "the match count equals the number of kernels" "t.search.count == $kernels and t.search.highlighted == $kernels"
expect "letters typed in the field run no commands" 'same_view and .dialog == "" and t.rows.count == (was | t.rows.count)'
key Return
expect "Enter selects a match" 't.search.current > 0 and .selection != null'
rest  # the field lets the keyboard go and takes it again
remember
key Return
expect "Enter goes to the next match" 't.search.current == (was | t.search.current) + 1 and
  t.selection.begin_ns >= (was | t.selection.begin_ns) and t.selection != (was | t.selection)'
rest
key shift+Return
expect "Shift+Enter goes to the previous match" 't.search.current == (was | t.search.current) and
  t.selection.begin_ns == (was | t.selection.begin_ns)'
rest
key F3
expect "F3 goes to the next match" 't.search.current == (was | t.search.current) + 1'
key shift+F3 shift+F3
expect "Shift+F3 goes back and wraps from the first match to the last" "t.search.current == $kernels"
key ctrl+a
type_text "cat:kernel and name~nccl"
expect "two conditions find fewer slices" ".query == \"cat:kernel and name~nccl\" and
  t.search.count > 0 and t.search.count < $kernels"
nccl=$(get t.search.count)
key ctrl+a
type_text "cat:kernel and not name~nccl"
expect "the negated condition finds the others" ".query == \"cat:kernel and not name~nccl\" and t.search.count == $kernels - $nccl"
key ctrl+Return
expect "Ctrl+Enter keeps the filter and clears the field" '.query == "" and t.search.count == '"$kernels - $nccl"' and
  (t.search.filters | length == 1)'
rest
type_text "rank:0"
expect "matches then pass both filters" ".query == \"rank:0\" and
  t.search.count > 0 and t.search.count < $kernels - $nccl"
key ctrl+a
type_text "colour:red"
expect "an unknown field is reported as an error" '.query == "colour:red" and (t.search.error | test("colour"))'
key ctrl+a BackSpace
expect "clearing the query clears the error" '.query == "" and t.search.error == ""'
key Escape

remember
key question
expect "? shows the shortcuts" '.dialog == "palette"'
type_text "ww"  # into the help's own search field
key Escape
expect "Esc closes the help; typing in it did not move the view" '.dialog == "" and same_view'
key F1
expect "F1 also shows the help" '.dialog == "palette"'
key Escape
expect "Esc closes the help" '.dialog == ""'

expect "the theme is dark" '.theme == "dark"'
key ctrl+shift+p
expect "Ctrl+Shift+P opens the palette" '.dialog == "palette"'
type_text "light theme"
key Return
expect "a command found by words runs" '.dialog == "" and .theme == "light"'
key ctrl+shift+p
type_text "expand the bottom"
key Return
expect "a command typed in one go runs" '.dialog == "" and t.bottom.folded'
key ctrl+shift+p
expect "the palette is open" '.dialog == "palette"'
key Escape
expect "Esc closes the palette without running a command" '.dialog == "" and .theme == "light" and t.bottom.folded'

remember
key t
type_text "stream 20"
expect "T filters the tracks" 't.rows.count < (was | t.rows.count) and
  ([t.rows.visible[].label | select(startswith("stream"))] | length > 0 and all(. == "stream 20")) and same_view'
key ctrl+a BackSpace Escape
expect "clearing the filter shows all tracks again" 't.rows.count == (was | t.rows.count)'

key ctrl+o
expect "Ctrl+O opens the file browser" '.dialog == "browser"'
rest
key ctrl+a
type_text "$work/other/"
key Return
expect "a typed path opens" '.dialog == "" and .profile == "other" and .complete and .ranks == 1 and
  .page == "timeline" and .selection == null'
key ctrl+o
expect "the file browser opens again" '.dialog == "browser"'
rest
key ctrl+a
type_text "$work/nothi"
key Tab Return
expect "a directory without traces shows a message" '.profile == "nothing" and .page == "load" and .ranks == 0 and
  (.messages | length > 0)'
key ctrl+o
expect "the file browser opens again" '.dialog == "browser"'
rest
type_text "ssh://node7$work/small"
key Return
expect "an ssh path opens, also after a directory" ".dialog == \"\" and .path == \"ssh://node7$work/small\" and
  .complete and .ranks == 2"
key ctrl+w
expect "it can be unloaded" '.profile == "nothing"'
key ctrl+o
expect "the file browser opens again" '.dialog == "browser"'
key Escape
expect "Esc closes the file browser without opening anything" '.dialog == "" and .profile == "nothing"'
