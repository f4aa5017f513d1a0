#!/usr/bin/env bash
# An idle window uses no CPU; the window responds while a big directory loads, and ends on SIGTERM and SIGINT.
source "${BASH_SOURCE[0]%/*}/lib.sh"

"$TRACEGEN" "$work/big" --preset small --gpus 8 --slices 5000000 --format gz >/dev/null &
maker=$!
generate small --preset small

# idle WHAT SECONDS: checks that the idle window uses no CPU time for that long and shows the same.
idle() {
  local before end=$((SECONDS + patience))
  expect "$1: the window becomes idle" 'true'
  while before=$(ticks) && sleep 1 && [ "$(ticks)" != "$before" ]; do
    [ "$SECONDS" -lt "$end" ] || fail "$1: still uses CPU time after $patience s without input"
  done
  remember
  local file
  file=$(stat -c %i "$state")
  before=$(ticks)
  sleep "$2"
  local took=$(($(ticks) - before))
  check "$1: $2 s without input used $took ticks, at most 2" test "$took" -le 2
  check "$1: the state file is not rewritten" test "$(stat -c %i "$state")" = "$file"
}

launch "$work/small"
expect "the trace is open" '.page == "timeline" and .complete'
key slash
type_text "cat:kernel"
expect "the search finds its kernels" '.query == "cat:kernel" and t.search.count > 0'
idle "with the cursor in the find field" 2
key F3
expect "a kernel is selected" 't.selection.box != null and t.arrows == 1'
key Escape
pointer "$(get 't.selection.box | .x + .width / 2')" "$(get 't.selection.box | .y + .height / 2')"
expect "the pointer hovers over the kernel" 't.hover.kind == "slice"'
idle "with a selection, an arrow and a hover card" 3
remember
key w
expect "the window still responds" 'span < (was | span)'
key ctrl+b
expect "the sidebar collapses" 't.canvas.x < (was | t.canvas.x)'
remember
key ctrl+q
check "Ctrl+Q ends the program" ended
check "exit status is 0 (was $status)" test "$status" = 0
launch "$work/small"
expect "the sidebar is still collapsed after a restart" '.complete and t.canvas.x == (was | t.canvas.x)'
remember
key ctrl+b
expect_now "the sidebar expands" 't.canvas.x > (was | t.canvas.x)'
kill -TERM "$app"  # sooner than settings are written
check "SIGTERM ends the program" ended
check "it ended by that signal (status was $status)" test "$status" = 143
under=(env --default-signal=INT)  # which a shell has its background jobs ignore
launch "$work/small"
expect "settings changed before the signal are kept" '.complete and t.canvas.x > (was | t.canvas.x)'
kill -INT "$app"
check "SIGINT ends the program" ended
check "it ended by that signal (status was $status)" test "$status" = 130
under=()

# A big directory, loaded on one CPU so that it takes a while on fast machines too.
wait "$maker" || fail "tracegen --slices 5000000"
cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
! command -v taskset >/dev/null || under=(taskset -c "$cpu")
launch --no-store "$work/big"
expect_now "ranks are shown while others load" \
  '.loading and .page == "timeline" and .ranks > 0 and .ranks < 8 and t.rows.count > 3'
remember
key w
expect_now "W zooms during a load" '.loading and span < 0.9 * (was | span)'
key question
expect_now "? shows the shortcuts during a load" '.loading and .dialog == "palette"'
key Escape
expect_now "Esc closes them and the load continues" '.dialog == "" and (.loading or .ranks == 8)'
expect "all ranks are loaded and the view did not move" \
  '.ranks == 8 and .complete and span < 0.9 * (was | span)'

pointer 1256 20  # where the top bar's button to stop loading is going to stand
key ctrl+r
expect_now "Ctrl+R reloads" '.loading and .load_share < 1'
xdotool click 1
expect "the button in the top bar stops the load" '.loading == false and .load_share < 1'
remember
key w
expect "the loaded part stays and can be navigated" '.ranks <= 8 and .page == "timeline" and span < (was | span)'
key ctrl+r
expect_now "the second reload starts" '.loading and .load_share < 1'
key ctrl+shift+p
type_text "stop loading"
key Return
expect "the command palette stops the load" '.loading == false and .load_share < 1 and .dialog == ""'
key ctrl+r
expect_now "the third reload starts" '.loading and .load_share < 1'
kill -TERM "$app"
check "SIGTERM ends the program during a load" ended
check "it ended by that signal (status was $status)" test "$status" = 143
check "the program printed no messages" test ! -s "$work/app.log"
