#!/usr/bin/env bash
# The Operators page: grouping, sorting and filtering a table, the calls of a row, the Timeline and back, without stalls.
source "${BASH_SOURCE[0]%/*}/lib.sh"

words+='
  def o: .pages.operators;
  def ready: o | .busy == false;
'

generate small --preset small
page=operators
launch "$work/small"
expect "the Operators page is shown with its first tab" '.page == "operators" and .complete and ready and
  o.tab == "overview" and o.rows > 0'

key ctrl+Right
expect "a key shows the next tab" 'ready and o.tab == "operators" and o.rows > 10 and o.listed == o.rows'
remember
key g
expect "operators group by shape" 'ready and o.settings.group == "shape"'
key s s s
expect "operators are sorted by calls" 'ready and o.sorted == 2'
key slash
rest
type_text "aten::mm"
expect "typing filters the rows" 'ready and o.listed > 0 and o.listed < o.rows and o.filter == "aten::mm"'
key Escape
rest
key Down
expect "a row is selected, and its calls are counted" 'ready and o.chosen >= 0 and (o.calls_of | startswith("aten::mm"))
  and o.calls > 0'
remember
key period
expect "the next call is selected" 'o.call == 2 or o.calls == 1'
key t
expect "the Timeline highlights all calls" '.page == "timeline" and (.selection.name | startswith("aten::mm"))'
key alt+6
expect "the page is as it was left" '.page == "operators" and ready and o.chosen == (was | o.chosen) and
  o.filter == (was | o.filter)'

echo "  longest frame: $(get '.longest_frame_ns / 1e6') ms ($(get .longest_frame_page))"
expect_now "no frame takes more than ${STALL_MS:=250} ms" ".longest_frame_ns <= $STALL_MS * 1e6"
key ctrl+q
check "Ctrl+Q ends the program" ended
