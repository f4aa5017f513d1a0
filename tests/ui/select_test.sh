#!/usr/bin/env bash
# Selection: clicking a kernel shows its details and its launch, following the arrow to the launch and back, and marking
# a range to summarize it.
# shellcheck disable=SC2016  # $name in conditions belongs to jq
source "${BASH_SOURCE[0]%/*}/lib.sh"

generate small --preset small
launch "$work/small"
expect "the trace is open" '.page == "timeline" and .complete'

# The find field brings a kernel into view, to be clicked.
key slash
type_text "cat:kernel and dur>20us and rank:1"
expect "the search finds kernels" '.query == "cat:kernel and dur>20us and rank:1" and t.search.count > 0'
key F3
expect "the first match is selected and centered" '.selection != null and t.search.current == 1 and
  t.selection.box != null and (t | close(.selection.box | .x + .width / 2; .canvas | .x + .width / 2; 2))'
cp "$state" "$work/kernel.json"
x=$(get 't.selection.box | .x + .width / 2') y=$(get 't.selection.box | .y + .height / 2')
key Escape  # leaves the field
remember
key Escape
expect "Esc clears the selection and keeps the view" '.selection == null and t.arrows == 0 and same_view'
key Escape
expect "Esc clears the search" '.query == "" and t.search.count == 0'

cp "$work/kernel.json" "$was"
slice='t.selection | {name, track, begin_ns, duration_ns}'
is_kernel="($slice) == (was | $slice)"
pointer "$x" "$y"
expect "hovering over the kernel shows its name" 't.hover.kind == "slice" and t.hover.name == (was | t.selection.name)'
click "$x" "$y"
expect "clicking selects it without moving the view" "$is_kernel and same_view"
expect "the Current selection tab shows its details" 't.bottom.tab == "selection" and (tab("selection") |
  .selected and .category == "kernel" and .rank == 1 and .name == (was | t.selection.name) and
  .duration_ns == (was | t.selection.duration_ns) and (.step | startswith("ProfilerStep#")))'
expect "the tab lists its arguments, read from the file" '(t.selection.track | split("stream ")[1]) as $stream |
  tab("selection") | .arguments_ready and .error == null and .arguments["args.stream"] == $stream and
  (.arguments["args.correlation"] | tonumber > 0) and (.arguments.dur | tonumber * 1000 | round) == .duration_ns'
expect "an arrow connects it to its launch" 't.arrows == 1'
expect "the Connections tab shows launch, kernel and launch latency" 'tab("connections") |
  .count == 2 and (.rows[0] | .what == "launch" and .latency_ns == null and (.name | test("Launch"))) and
  (.rows[1] | .what == "run" and .selected and .latency_ns > 0) and
  .rows[1].latency_ns == .rows[1].begin_ns - .rows[0].begin_ns and .rows[1].name == (was | t.selection.name)'

click "$(get 'tab("connections").x')" "$(get 'tab("connections").y')"
expect "clicking opens the Connections tab" 't.bottom.tab == "connections" and all(tab("connections").rows[]; .y > 0)'

centred='(t | close(.selection.box | .x + .width / 2; .canvas | .x + .width / 2; 2)) and
  t.selection.box.y >= t.canvas.y and (t | .selection.box.y + .selection.box.height <= .canvas.y + .canvas.height)'
is_row() { echo "(t.selection | [.name, .begin_ns]) == (was | tab(\"connections\").rows[$1] | [.name, .begin_ns])"; }
remember
click "$(get 'tab("connections").row_x')" "$(get 'tab("connections").rows[0].y')"
expect "clicking the launch row selects and centers the launch" "$(is_row 0) and $centred and
  (same_view | not) and (t.selection.track | test(\"host\")) and t.arrows == 1 and t.bottom.tab == \"connections\""
key bracketright
expect "] goes to the kernel" "$(is_row 1) and $centred"
key bracketleft
expect "[ goes back to the launch" "$(is_row 0) and $centred"
key bracketright
expect "] goes to the kernel again" "$(is_row 1) and $centred"

remember
key s s s
expect "the view is zoomed out a little" 'span > 1.5 * (was | span) and span > 2 * t.selection.duration_ns'
key f
expect "F zooms to the selection" 'span < 1.5 * t.selection.duration_ns and t.begin_ns < t.selection.begin_ns and
  t.end_ns > (t.selection | .begin_ns + .duration_ns)'
remember
key f
expect "F again shows its surroundings" 'span > 5 * (was | span) and t.begin_ns < (was | t.begin_ns) and
  t.end_ns > (was | t.end_ns)'
key period
expect ". selects the next slice of the track" "t.selection.track == (was | t.selection.track) and
  t.selection.begin_ns > (was | t.selection.begin_ns)"
key comma
expect ", selects the previous slice" "$is_kernel"

# The arrow stays if its other end has no row: it then ends at the collapsed track.
expect "the arrow is drawn while all tracks are expanded" 't.arrows == 1'
key ctrl+Up
expect "collapsing all tracks leaves few rows and the arrow" 't.rows.count < 10 and t.arrows == 1'
key ctrl+Down
expect "expanding all tracks restores the rows" 't.rows.count > 20'
key f
expect "F shows the kernel" "$is_kernel and span < 1.5 * t.selection.duration_ns"
key s s s s s s
expect "the kernel is smaller after zooming out" 'span > 3 * t.selection.duration_ns and t.selection.box.width > 20'
xdotool mousemove "$(get 't.selection.box | .x + .width / 2 | floor')" \
  "$(get 't.selection.box | .y + .height / 2 | floor')" click --repeat 2 --delay 60 1
expect "double-clicking zooms to it" "$is_kernel and span < 1.5 * t.selection.duration_ns"
key Escape
expect "Esc clears the selection" '.selection == null and t.arrows == 0 and t.selection == null and tab("connections").count == 0'

# Mark a range by dragging over rows.
key 0 n
expect "a step is shown" 't.range.all_lanes and span < 1.2 * t.range.length_ns'
key Escape Home
expect "no range is marked" 't.range == null and t.scroll == 0'
row='[t.rows.visible[] | select(.label == "stream 20" and .rank == 0)][0]'
y=$(get "$row | .y + .height / 2")
from=$(get 't.canvas | .x + .width / 5 | floor') to=$(get 't.canvas | .x + .width * 4 / 5 | floor')
drag "$from" "$y" "$to" "$y"
expect "dragging marks the covered time range" "t.range != null and
  close(t.range.begin_ns; time_at($from); span / 100) and close(t.range.end_ns; time_at($to); span / 100) and
  (t.range.all_lanes | not) and t.range.lanes == 1"
expect "the Range tab summarizes the range by name" 't.bottom.tab == "range" and (tab("range") |
  .ready and .names > 0 and
  all(.rows[]; .count > 0 and .total_ns > 0 and (.name | startswith("nccl"))))'
remember
y=$(get 't.ruler | .y + .height / 2')
from=$(get 't.canvas | .x + .width / 10 | floor')  # away from the edges of the range, which could be grabbed
drag "$from" "$y" "$to" "$y"
expect "dragging on the ruler marks all tracks" "t.range.all_lanes and
  close(t.range.begin_ns; time_at($from); span / 100)"
expect "that range contains more slices" 'tab("range") | .ready and .names > 2 * (was | tab("range").names)'
remember
y=$(get 't.canvas | .y + .height / 2')
drag "$to" "$y" "$(get 't.canvas | .x + .width / 2')" "$y"
expect "the edge of the range can be dragged" 'close(t.range.begin_ns; was | t.range.begin_ns; 1) and
  t.range.length_ns < 0.7 * (was | t.range.length_ns)'
key f
expect "F zooms to the range" 't.begin_ns < t.range.begin_ns and
  t.end_ns > t.range.end_ns and span < 1.5 * t.range.length_ns'
key Escape
expect "Esc clears the range" 't.range == null and (tab("range").marked | not)'
