#!/usr/bin/env bash
# The critical path by keyboard: showing it with arrows, stepping through segments, hiding it, and no CPU use when idle.
source "${BASH_SOURCE[0]%/*}/lib.sh"

generate small --preset small
launch "$work/small"
expect "the trace is open" '.page == "timeline" and .complete and t.path == null'
key n
expect "a step is marked" 't.range.all_lanes'
key c
expect "C shows its critical path with arrows" 't.path != null and t.path.arrows > 0 and t.path.segments > 2 and
  t.path.begin_ns >= t.range.begin_ns and t.search.highlighted > 0 and t.path.segment == -1'
remember
key shift+n
expect "Shift+N goes to a segment and selects its slice" 't.path.segment >= 0 and t.selection != null and
  t.begin_ns < t.path.segment_end_ns and t.end_ns > t.path.segment_begin_ns'
remember
key shift+n
expect "Shift+N goes to the next segment" 't.path.segment == (was | t.path.segment) + 1'
key shift+p
expect "Shift+P goes to the previous segment" 't.path.segment == (was | t.path.segment)'
key shift+c
expect "Shift+C shows the whole path" 't.begin_ns <= t.path.begin_ns and t.end_ns >= t.path.end_ns'
rest
before=$(ticks)
sleep 2
took=$(($(ticks) - before))
check "2 s without input used $took ticks, at most 2" test "$took" -le 2
key c
expect "C hides the path" 't.path == null and t.search.highlighted == 0'
