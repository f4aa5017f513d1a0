#!/usr/bin/env bash
# The critical path by keyboard: shown with its arrows, gone through segment by segment, and let go of; at rest it
# costs nothing.
source "${BASH_SOURCE[0]%/*}/lib.sh"

generate small --preset small
launch "$work/small"
expect "the trace is open" '.page == "timeline" and .complete and t.path == null'
key n
expect "a step is marked" 't.range.all_lanes'
key c
expect "c shows its critical path, with arrows" 't.path != null and t.path.arrows > 0 and t.path.segments > 2 and
  t.path.begin_ns >= t.range.begin_ns and t.search.highlighted > 0 and t.path.segment == -1'
remember
key shift+n
expect "Shift+N goes to a segment and selects what it is of" 't.path.segment >= 0 and t.selection != null and
  t.begin_ns < t.path.segment_end_ns and t.end_ns > t.path.segment_begin_ns'
remember
key shift+n
expect "and to the next" 't.path.segment == (was | t.path.segment) + 1'
key shift+p
expect "Shift+P goes back" 't.path.segment == (was | t.path.segment)'
key shift+c
expect "Shift+C shows all of it" 't.begin_ns <= t.path.begin_ns and t.end_ns >= t.path.end_ns'
rest
before=$(ticks)
sleep 2
took=$(($(ticks) - before))
check "2 s without input cost $took ticks, at most 2" test "$took" -le 2
key c
expect "c takes it away" 't.path == null and t.search.highlighted == 0'
