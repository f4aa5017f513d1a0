#!/usr/bin/env bash
# What the window costs and how it lives: no CPU when nothing happens, answers while a big directory loads, and ends
# when it is told to.
source "${BASH_SOURCE[0]%/*}/lib.sh"

"$TRACEGEN" "$work/big" --preset small --gpus 8 --slices 5000000 --format gz >/dev/null &
maker=$!
generate small --preset small

# idle WHAT SECONDS: once it has come to rest it takes no CPU time for that long, and shows the same.
idle() {
  local before end=$((SECONDS + patience))
  expect "$1: comes to rest" 'true'
  while before=$(ticks) && sleep 1 && [ "$(ticks)" != "$before" ]; do
    [ "$SECONDS" -lt "$end" ] || fail "$1: still takes CPU time after $patience s without input"
  done
  remember
  local file
  file=$(stat -c %i "$state")
  before=$(ticks)
  sleep "$2"
  local took=$(($(ticks) - before))
  check "$1: $2 s without input cost $took ticks, at most 2" test "$took" -le 2
  check "$1: the state is not written again" test "$(stat -c %i "$state")" = "$file"
}

launch "$work/small"
expect "a trace is open" '.page == "timeline" and .complete'
key slash
type_text "cat:kernel"
expect "its kernels are found" '.query == "cat:kernel" and t.search.count > 0'
idle "with the cursor in the find field" 2
key F3
expect "one is selected" 't.selection.box != null and t.arrows == 1'
key Escape
pointer "$(get 't.selection.box | .x + .width / 2')" "$(get 't.selection.box | .y + .height / 2')"
expect "the pointer rests on it" 't.hover.kind == "slice"'
idle "with a selection, an arrow and a hover card" 3
remember
key w
expect "and it still answers" 'span < (was | span)'
key ctrl+b
expect "the rail folds" 't.canvas.x < (was | t.canvas.x)'
remember
key ctrl+q
check "Ctrl+Q ends the program" ended
check "with exit status 0 (it was $status)" test "$status" = 0
launch "$work/small"
expect "the next start remembers the folded rail" '.complete and t.canvas.x == (was | t.canvas.x)'
remember
key ctrl+b
expect_now "the rail unfolds" 't.canvas.x > (was | t.canvas.x)'
kill -TERM "$app"  # sooner than settings are written
check "SIGTERM ends the program" ended
check "by that signal (it was $status)" test "$status" = 143
under=(env --default-signal=INT)  # which a shell has its background jobs ignore
launch "$work/small"
expect "and nothing that was set is lost" '.complete and t.canvas.x > (was | t.canvas.x)'
kill -INT "$app"
check "SIGINT ends it too" ended
check "by that signal (it was $status)" test "$status" = 130
under=()

# A big directory, on one CPU so that loading takes a while on fast machines too.
wait "$maker" || fail "tracegen --slices 5000000"
cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
! command -v taskset >/dev/null || under=(taskset -c "$cpu")
launch --no-store "$work/big"
expect_now "while it loads, the ranks that are there already are shown" \
  '.loading and .page == "timeline" and .ranks > 0 and .ranks < 8 and t.rows.count > 3'
remember
key w
expect_now "w zooms while it loads" '.loading and span < 0.9 * (was | span)'
key question
expect_now "? shows the keys while it loads" '.loading and .dialog == "help"'
key Escape
expect_now "Esc closes them, and loading goes on" '.dialog == "" and (.loading or .ranks == 8)'
expect "at last all ranks are there, and the view stays where it was" \
  '.ranks == 8 and .complete and span < 0.9 * (was | span)'

pointer 1256 20  # where the top bar's button to stop loading is going to stand
key ctrl+r
expect_now "Ctrl+R loads again" '.loading and .load_share < 1'
xdotool click 1
expect "the top bar's button stops it" '.loading == false and .load_share < 1'
remember
key w
expect "what was read stays, and can be moved about in" '.ranks <= 8 and .page == "timeline" and span < (was | span)'
key ctrl+r
expect_now "it loads again" '.loading and .load_share < 1'
key ctrl+shift+p
type_text "stop loading"
key Return
expect "the palette's command stops it too" '.loading == false and .load_share < 1 and .dialog == ""'
key ctrl+r
expect_now "and again" '.loading and .load_share < 1'
kill -TERM "$app"
check "SIGTERM ends the program while it loads" ended
check "by that signal (it was $status)" test "$status" = 143
check "it had nothing to complain about" test ! -s "$work/app.log"
