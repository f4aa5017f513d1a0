#!/usr/bin/env bash
# The Dashboard: adding a histogram by name, listing the steps of a bar, showing one in the Timeline, restricting all
# panels to a time range.
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
expect "all panels show data" '[d.panels[] | select(.absent | not)] | length == 14 and
  all(.[]; .ready) and (map(select(.empty)) | length == 0)'
expect "panels of system metrics are left out" '[d.panels[] | select(.absent) | .id] == ["host_memory", "disk", "network"]'

key b
rest
type_text "step"
key Return
expect "typing a name adds a histogram" 'ready and ([d.panels[] | select(.id == "histogram")] | length == 1) and
  (panel("histogram") | .title == "step on the CPU" and .ready and .items > 1)'
key e
expect "the panel can be enlarged" 'ready and d.enlarged == "histogram" and panel("histogram").height > 200'

# The longest bar ends at the right edge of the chart.
click "$(get 'panel("histogram") | .x + .width - 6')" "$(get 'panel("histogram") | .y + .height - 40')"
expect "clicking the longest bar lists the longest steps" 'ready and d.list.calls > 0 and
  (d.list.calls_of | startswith("step ")) and .selection != null and (.selection.name | test("step"; "i"))'
expect "the longest step is selected in the list" 'd.list.call == 1'
remember
key f
expect "the Timeline shows and selects that step" '.page == "timeline" and .selection == was.selection and
  (t.selection.box != null) and (t | .selection.box.x < .canvas.x + .canvas.width)'

key alt+3
expect "the Dashboard is shown again" '.page == "dashboard" and ready'
key Escape Escape
expect "Esc closes the list, then the enlarged panel" 'd.list.calls == -1 and d.enlarged == ""'

key Home
drag "$(get 'panel("gpu_utilization") | .x + .width * 0.4')" "$(get 'panel("gpu_utilization") | .y + .height / 2')" \
  "$(get 'panel("gpu_utilization") | .x + .width * 0.7')" "$(get 'panel("gpu_utilization") | .y + .height / 2')"
expect "dragging over a time chart restricts the Dashboard" 'ready and d.scope != ""'
key shift+r
expect "a key removes the restriction" 'ready and d.scope == ""'

key ctrl+q
check "Ctrl+Q ends the program" ended
check "exit status is 0 (was $status)" test "$status" = 0
