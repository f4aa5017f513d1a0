#!/usr/bin/env bash
# Navigation: keys, wheel and drags change the visible time range and the scroll position.
source "${BASH_SOURCE[0]%/*}/lib.sh"

generate small --preset small
launch "$work/small"
expect "a directory from the command line is shown" \
  '.page == "timeline" and .complete and .ranks == 2 and t.begin_ns < 1000 and span > 10e6 and t.rows.count > 10'
cp "$state" "$work/whole.json"

left=$(get 't.canvas | .x + .width / 8')  # off the middle: zooms must keep the time under the pointer
middle=$(get 't.canvas | .y + .height / 2')
pointer "$left" "$middle"
expect "the pointer is on the canvas" 't.hover.kind != "none"'
at="time_at(${left%.*})"

# tap KEY WHAT CONDITION: presses a key once.
tap() {
  remember
  key "$1"
  expect "$1 $2" "$3"
}
# held KEY WHAT CONDITION: holds the key until the view has moved further than a tap can move it.
held() {
  remember
  hold "$1"
  expect_now "$1 held $2" "$3"
  release "$1"
  expect "$1 is released" 'true'
}
still="close($at; was | $at; span / 100)"
same_span='close(span; was | span; span / 100)'

for keys in "w s a d" "Up Down Left Right"; do
  read -r in out left_key right_key <<<"$keys"
  tap "$in" "zooms in, keeping the time under the pointer" "span < 0.9 * (was | span) and $still"
  tap "$in" "does so again" "span < 0.9 * (was | span) and $still"
  tap "$right_key" "pans to later times" "t.begin_ns > (was | t.begin_ns + span / 20) and $same_span"
  tap "$left_key" "pans to earlier times" "t.begin_ns < (was | t.begin_ns - span / 20) and $same_span"
  tap "$out" "zooms out, keeping the time under the pointer" "span > 1.1 * (was | span) and $still"
  held "$in" "goes on zooming in" 'span < 0.3 * (was | span)'
  held "$right_key" "goes on panning" 't.begin_ns > (was | t.begin_ns + span / 2)'
  held "$left_key" "goes on panning back" 't.begin_ns < (was | t.begin_ns - span / 2)'
  held "$out" "goes on zooming out" 'span > 2 * (was | span)'
  tap 0 "shows all" 't.begin_ns < 1000 and span > 10e6 and t.can_undo'
done

remember
key w w w
expect "three quick taps zoom in three times" "span < 0.6 * (was | span) and $still"
tap d "pans" 't.begin_ns > (was | t.begin_ns)'
slow=$(get '(t.begin_ns - (was | t.begin_ns)) / span')
tap shift+d "pans faster" "(t.begin_ns - (was | t.begin_ns)) / span > 2 * $slow and $same_span"
tap w "zooms" 'span < (was | span)'
slow=$(get '(was | span) / span')
tap shift+w "zooms faster" "(was | span) / span > 1.3 * $slow"

# wheel_with MODIFIER up|down WHAT CONDITION: holds the modifier until the effect is visible.
wheel_with() {
  remember
  hold "$1"
  wheel "$2"
  expect "$3" "$4"
  release "$1"
}
wheel_with ctrl up "Ctrl+wheel zooms in at the pointer" \
  "span < 0.9 * (was | span) and $still and t.scroll == (was | t.scroll)"
wheel_with ctrl down "Ctrl+wheel zooms out at the pointer" "span > 1.1 * (was | span) and $still"
wheel_with shift down "Shift+wheel pans" \
  "t.begin_ns > (was | t.begin_ns + span / 20) and $same_span and t.scroll == (was | t.scroll)"
wheel_with shift up "Shift+wheel pans back" "t.begin_ns < (was | t.begin_ns - span / 20) and $same_span"
remember
wheel down 2
expect "the wheel scrolls the tracks" 't.scroll > (was | t.scroll) + 40 and same_view'
remember
wheel up
expect "the wheel scrolls back" 't.scroll < (was | t.scroll) and same_view'
tap Page_Down "scrolls a page" 't.scroll > (was | t.scroll) + t.canvas.height / 2 and same_view'
tap Page_Up "scrolls back" 't.scroll < (was | t.scroll) - t.canvas.height / 2 and same_view'

for button in 2 3; do
  remember
  drag "$left" "$middle" "$(get 't.canvas | .x + .width * 5 / 8')" "$(get 't.canvas | .y + .height / 4')" "$button"
  expect "dragging with button $button pans in both directions" \
    "close(t.begin_ns; was | t.begin_ns - span / 2; span / 50)"
  expect "button $button: the rows follow the pointer" \
    "$same_span and close(t.scroll - (was | t.scroll); t.canvas.height / 4; 4)"
  remember
  drag "$(get 't.canvas | .x + .width * 5 / 8')" "$(get 't.canvas | .y + .height / 4')" "$left" "$middle" "$button"
  expect "button $button: the view returns" 't.scroll < (was | t.scroll) and t.begin_ns > (was | t.begin_ns)'
done
expect "panning neither marks nor selects" 't.range == null and .selection == null'

cp "$state" "$work/before.json"
key 0
expect "0 shows all" 't.begin_ns < 1000 and span > 10e6'
cp "$work/before.json" "$was"
key BackSpace
expect "Backspace restores the previous view" 'same_view and t.can_redo'
key shift+BackSpace
cp "$work/whole.json" "$was"
expect "Shift+Backspace restores the later view" 'same_view'

key n
expect "N shows and marks a step" 't.range != null and
  t.range.begin_ns >= t.begin_ns and t.range.end_ns <= t.end_ns and
  span < 1.2 * t.range.length_ns'
remember
key n
expect "N goes to the next step" 't.range.begin_ns >= (was | t.range.end_ns) - 1000 and t.begin_ns > (was | t.begin_ns)'
first=$(get 'was | t.range.begin_ns')
key p
expect "P goes to the previous step" "t.range.begin_ns == $first and same_view"
tap Escape "clears the mark and leaves the view" 't.range == null and same_view'

remember
click "$(get 't.steps | .x + .width / 2')" "$(get 't.steps | .y + .height / 2')"
expect "clicking the steps strip marks that step" \
  't.range != null and t.range.begin_ns <= (was | middle) and t.range.end_ns >= (was | middle)'
key Escape 0
expect "the whole profile is shown again" 't.begin_ns < 1000 and span > 10e6 and t.range == null'
key w w w w w
expect "the view is zoomed in" 'span < 8e6'
remember
click "$(get 't.overview | .x + .width * 9 / 10')" "$(get 't.overview | .y + .height / 2')"
expect "clicking the overview moves the view there" "t.begin_ns > (was | t.begin_ns) and $same_span"
