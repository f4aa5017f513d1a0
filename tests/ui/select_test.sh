#!/usr/bin/env bash
# Selecting: a click on a kernel names it and what launched it, the arrow can be followed to the launch and back, a drag
# marks a range and counts what lies in it.
# shellcheck disable=SC2016  # in conditions $name is of jq
source "${BASH_SOURCE[0]%/*}/lib.sh"

generate small --preset small
launch "$work/small"
expect "the trace is open" '.page == "timeline" and .complete'

# A kernel to click: the find field brings one into view.
key slash
type_text "cat:kernel and dur>20us and rank:1"
expect "kernels are found" '.query == "cat:kernel and dur>20us and rank:1" and t.search.count > 0'
key F3
expect "the first one is selected, in the middle of the view" '.selection != null and t.search.current == 1 and
  t.selection.box != null and (t | close(.selection.box | .x + .width / 2; .canvas | .x + .width / 2; 2))'
cp "$state" "$work/kernel.json"
x=$(get 't.selection.box | .x + .width / 2') y=$(get 't.selection.box | .y + .height / 2')
key Escape  # leaves the field
remember
key Escape
expect "Esc clears the selection and leaves the view" '.selection == null and t.arrows == 0 and same_view'
key Escape
expect "Esc clears the search" '.query == "" and t.search.count == 0'

cp "$work/kernel.json" "$was"
slice='t.selection | {name, track, begin_ns, duration_ns}'
is_kernel="($slice) == (was | $slice)"
pointer "$x" "$y"
expect "the pointer over it names it" 't.hover.kind == "slice" and t.hover.name == (was | t.selection.name)'
click "$x" "$y"
expect "a click selects it, and the view stays" "$is_kernel and same_view"
expect "the Current selection tab tells of it" 't.bottom.tab == "selection" and (tab("selection") |
  .selected and .category == "kernel" and .rank == 1 and .name == (was | t.selection.name) and
  .duration_ns == (was | t.selection.duration_ns) and (.step | startswith("ProfilerStep#")))'
expect "and lists its arguments, read from the file" '(t.selection.track | split("stream ")[1]) as $stream |
  tab("selection") | .arguments_ready and .error == null and .arguments["args.stream"] == $stream and
  (.arguments["args.correlation"] | tonumber > 0) and (.arguments.dur | tonumber * 1000 | round) == .duration_ns'
expect "an arrow leads to it from its launch" 't.arrows == 1'
expect "the Connections tab has launch and run with the latency between" 'tab("connections") |
  .count == 2 and (.rows[0] | .what == "launch" and .latency_ns == null and (.name | test("Launch"))) and
  (.rows[1] | .what == "run" and .selected and .latency_ns > 0) and
  .rows[1].latency_ns == .rows[1].begin_ns - .rows[0].begin_ns and .rows[1].name == (was | t.selection.name)'

click "$(get 'tab("connections").x')" "$(get 'tab("connections").y')"
expect "a click opens the Connections tab" 't.bottom.tab == "connections" and all(tab("connections").rows[]; .y > 0)'

centred='(t | close(.selection.box | .x + .width / 2; .canvas | .x + .width / 2; 2)) and
  t.selection.box.y >= t.canvas.y and (t | .selection.box.y + .selection.box.height <= .canvas.y + .canvas.height)'
is_row() { echo "(t.selection | [.name, .begin_ns]) == (was | tab(\"connections\").rows[$1] | [.name, .begin_ns])"; }
remember
click "$(get 'tab("connections").row_x')" "$(get 'tab("connections").rows[0].y')"
expect "a click on the launch row selects the launch and brings it to the middle" "$(is_row 0) and $centred and
  (same_view | not) and (t.selection.track | test(\"host\")) and t.arrows == 1 and t.bottom.tab == \"connections\""
key bracketright
expect "] follows the arrow to the run" "$(is_row 1) and $centred"
key bracketleft
expect "[ follows it back to the launch" "$(is_row 0) and $centred"
key bracketright
expect "] goes to the run again" "$(is_row 1) and $centred"

remember
key s s s
expect "zoomed out a little" 'span > 1.5 * (was | span) and span > 2 * t.selection.duration_ns'
key f
expect "f zooms to the selection" 'span < 1.5 * t.selection.duration_ns and t.begin_ns < t.selection.begin_ns and
  t.end_ns > (t.selection | .begin_ns + .duration_ns)'
remember
key f
expect "f again shows its surroundings" 'span > 5 * (was | span) and t.begin_ns < (was | t.begin_ns) and
  t.end_ns > (was | t.end_ns)'
key period
expect ". selects the next slice of the track" "t.selection.track == (was | t.selection.track) and
  t.selection.begin_ns > (was | t.selection.begin_ns)"
key comma
expect ", selects the one before" "$is_kernel"

# The arrow stays when the other end has no row of its own any more: it ends at what contains it.
expect "there is an arrow while all is unfolded" 't.arrows == 1'
key ctrl+Up
expect "folding all leaves few rows, and the arrow" 't.rows.count < 10 and t.arrows == 1'
key ctrl+Down
expect "unfolding all brings them back" 't.rows.count > 20'
key f
expect "f shows the kernel" "$is_kernel and span < 1.5 * t.selection.duration_ns"
key s s s s s s
expect "zoomed out, it is smaller" 'span > 3 * t.selection.duration_ns and t.selection.box.width > 20'
xdotool mousemove "$(get 't.selection.box | .x + .width / 2 | floor')" \
  "$(get 't.selection.box | .y + .height / 2 | floor')" click --repeat 2 --delay 60 1
expect "a double click zooms to it" "$is_kernel and span < 1.5 * t.selection.duration_ns"
key Escape
expect "Esc clears" '.selection == null and t.arrows == 0 and t.selection == null and tab("connections").count == 0'

# A range, by dragging over rows.
key 0 n
expect "a step is shown" 't.range.all_lanes and span < 1.2 * t.range.length_ns'
key Escape Home
expect "nothing is marked" 't.range == null and t.scroll == 0'
row='[t.rows.visible[] | select(.label == "stream 20" and .rank == 0)][0]'
y=$(get "$row | .y + .height / 2")
from=$(get 't.canvas | .x + .width / 5 | floor') to=$(get 't.canvas | .x + .width * 4 / 5 | floor')
drag "$from" "$y" "$to" "$y"
expect "a drag marks the time that it covers" "t.range != null and
  close(t.range.begin_ns; time_at($from); span / 100) and close(t.range.end_ns; time_at($to); span / 100) and
  (t.range.all_lanes | not) and t.range.lanes == 1"
expect "the Range tab lists what lies in it, by name" 't.bottom.tab == "range" and (tab("range") |
  .ready and .names > 0 and
  all(.rows[]; .count > 0 and .total_ns > 0 and (.name | startswith("nccl"))))'
remember
y=$(get 't.ruler | .y + .height / 2')
from=$(get 't.canvas | .x + .width / 10 | floor')  # away from the edges of the range, which could be grabbed
drag "$from" "$y" "$to" "$y"
expect "a drag on the ruler marks all tracks" "t.range.all_lanes and
  close(t.range.begin_ns; time_at($from); span / 100)"
expect "more lies in that" 'tab("range") | .ready and .names > 2 * (was | tab("range").names)'
remember
y=$(get 't.canvas | .y + .height / 2')
drag "$to" "$y" "$(get 't.canvas | .x + .width / 2')" "$y"
expect "its edge can be dragged" 'close(t.range.begin_ns; was | t.range.begin_ns; 1) and
  t.range.length_ns < 0.7 * (was | t.range.length_ns)'
key f
expect "f zooms to the range" 't.begin_ns < t.range.begin_ns and
  t.end_ns > t.range.end_ns and span < 1.5 * t.range.length_ns'
key Escape
expect "Esc clears the range" 't.range == null and (tab("range").marked | not)'
