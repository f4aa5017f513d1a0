#!/usr/bin/env bash
# The Dashboard: a histogram is added by a typed name, its longest bar lists the longest steps, and
# the Timeline shows the longest of them; a drag over a chart of time restricts all panels; what was added is there again
# the next time.
source "${BASH_SOURCE[0]%/*}/lib.sh"

words+='
  def d: .pages.dashboard;
  def panel(id): d.panels[] | select(.id == id);
  def ready: d | .busy == false;
'

generate small --preset small
page=dashboard
launch "$work/small"
expect "the Dashboard is shown" '.page == "dashboard" and .complete and ready'
expect "all panels are there, with their data" '[d.panels[] | select(.hidden | not)] | length == 14 and
  all(.[]; .ready) and (map(select(.empty)) | length == 0)'

key b
rest
type_text "step"
key Return
expect "a typed name is a histogram" 'ready and ([d.panels[] | select(.id == "histogram")] | length == 1) and
  (panel("histogram") | .title == "step on the CPU" and .ready and .items > 1)'
key e
expect "it can be enlarged" 'ready and d.enlarged == "histogram" and panel("histogram").height > 200'

# The longest bar ends at the chart's right edge.
click "$(get 'panel("histogram") | .x + .width - 6')" "$(get 'panel("histogram") | .y + .height - 40')"
expect "a click on the longest bar lists the longest steps" 'ready and d.list.open and d.list.count > 0 and
  (d.list.label | startswith("step ")) and .selection != null and (.selection.name | test("step"; "i"))'
expect "the longest of all is chosen" 'd.list.chosen == 1'
remember
key f
expect "the Timeline shows that step selected" '.page == "timeline" and .selection == was.selection and
  (t.selection.box != null) and (t | .selection.box.x < .canvas.x + .canvas.width)'

key alt+3
expect "and back" '.page == "dashboard" and ready'
key Escape Escape
expect "Esc closes the list, then the large panel" 'd.list.open == false and d.enlarged == ""'

key Home
drag "$(get 'panel("gpu_utilization") | .x + .width * 0.4')" "$(get 'panel("gpu_utilization") | .y + .height / 2')" \
  "$(get 'panel("gpu_utilization") | .x + .width * 0.7')" "$(get 'panel("gpu_utilization") | .y + .height / 2')"
expect "a drag over a chart of time restricts the dashboard" 'ready and d.scope != ""'
key shift+r
expect "and a key takes that back" 'ready and d.scope == ""'

key ctrl+q
check "Ctrl+Q ends the program" ended
check "with exit status 0 (it was $status)" test "$status" = 0
launch "$work/small"
expect "the histogram is there again" '.page == "dashboard" and ready and
  ([d.panels[] | select(.id == "histogram")] | length == 1)'
