#!/usr/bin/env bash
# The Load page: adding and searching a folder of profiles, loading several, switching between them, unloading one while
# another loads, cancelling a load, and freeing memory.
# shellcheck disable=SC2016  # $name in conditions belongs to jq
source "${BASH_SOURCE[0]%/*}/lib.sh"

generate runs/llama --preset small
generate runs/bert --preset small --gpus 1 --seed 7
generate runs/gaps --preset small --defect missing-rank
generate big/mixtral --preset small --slices 2500000 --format gz
mkdir -p "$work/runs/empty"

words+='
  def l: .pages.load;
  def row(name): first(l.rows[] | select(.name == name));
  def loaded(name): first(l.loaded[] | select(.name == name));
  def one(name): first(.open[] | select(.name == name));
  def still: (.unloading or l.looking) | not;
'
# resident: memory use of the program in kB.
resident() { awk '/^VmRSS:/ {print $2}' "/proc/$app/status"; }
# back_to KILOBYTES: waits until memory use is at most a tenth above that; freeing takes a moment.
back_to() {
  local i
  for ((i = 0; i < 100; i++)); do
    if [ "$(resident)" -le $(($1 * 11 / 10)) ]; then return 0; fi
    sleep 0.1
  done
  echo "  $1 kB at the start, $(resident) kB now"
  return 1
}

launch
expect "without an argument the Load page is shown with an empty list" '.page == "load" and (.open | length) == 0 and
  l.listed == 0'
rest
key ctrl+shift+o
expect "Ctrl+Shift+O asks for a folder" '.dialog == "browser"'
rest
key ctrl+a
type_text "$work/runs/"
rest
key Return
expect "the profiles of the folder are listed" '.dialog == "" and still and l.listed == 3 and l.found == 3 and
  (l.roots | length) == 1 and l.roots[0].profiles == 3'
rest
start=$(resident)

key slash
type_text "ber"
expect "the search finds a profile" '.query == "ber" and l.found == 1 and row("bert").name == "bert"'
key Escape
rest
key Escape
expect "Esc clears the search" '.query == "" and l.found == 3'

key slash
type_text "llama"
key Return
expect "Enter selects the match" 'l.found == 1 and row("llama").cursor'
key Return
expect "Enter again loads and shows the profile" '.page != "load" and .profile == "llama" and .complete and .ranks == 2'

key alt+1
expect "the Load page lists it as loaded" '.page == "load" and (.open | length) == 1 and
  (loaded("llama").state | test("Loaded")) and still'
remember
click_at_once "$(get 'loaded("llama").bin_x')" "$(get 'loaded("llama").y')"
expect "the eject button unloads it" '(.open | length) == 0 and still'
check "memory use returns to the initial level" back_to "$start"

# Load two with the keyboard.
key Down
expect "Down selects a profile" 'any(l.rows[]; .cursor)'
key Return
expect "Enter loads it" '.page != "load" and (.open | length) == 1 and all(.open[]; .ranks > 0)'
key alt+1
expect "the Load page is shown again" '.page == "load"'
key Up
expect "Up selects another profile" 'l.rows[1].cursor'
key Return
expect "it is loaded next to the first" '.page != "load" and (.open | length) == 2 and all(.open[]; .loading | not)'
key alt+1
expect "the Load page lists both" '(l.loaded | length) == 2'
rest  # until the rows have their final positions
one=$(get 'first(.open[] | select(.current)) | .name')
other=$(get 'first(.open[] | select(.current | not)) | .name')
click "$(get "loaded(\"$other\").radio_x")" "$(get "loaded(\"$other\").y")"
expect "the radio button switches to the other profile and shows it" ".page != \"load\" and .profile == \"$other\""
key ctrl+Prior
expect "Ctrl+PageUp switches back to the first" ".profile == \"$one\" and (.open | length) == 2"

# Load a third, unload another meanwhile, then cancel the load.
key alt+1
expect "the Load page is shown" '.page == "load"'
rest
key ctrl+o
expect "Ctrl+O opens the file browser" '.dialog == "browser"'
rest
key ctrl+a
type_text "$work/big/mixtral/"
rest
key Return
expect_now "a third profile loads next to them" '.dialog == "" and (.open | length) == 3 and one("mixtral").loading'
expect_now "it is shown as soon as its first part is loaded" '.page == "timeline" and .profile == "mixtral"'
key alt+1
expect_now "it has its own row" '.page == "load" and loaded("mixtral").bin_x > 0'
click_at_once "$(get "loaded(\"$other\").bin_x")" "$(get "loaded(\"$other\").y")"
expect_now "another profile is unloaded during the load" "(.open | length) == 2 and (l.loaded | length) == 2 and
  all(.open[]; .name != \"$other\")"
if judge 'one("mixtral").loading' "$state"; then
  click "$(get 'loaded("mixtral").stop_x')" "$(get 'loaded("mixtral").y')"
  expect "the load is stopped" 'one("mixtral") | .cancelled and (.loading | not)'
else
  passed "the load finished before it could be stopped"
fi
expect "its row has an eject button" '.page == "load" and (loaded("mixtral").bin_x > 0)'
click "$(get 'loaded("mixtral").bin_x')" "$(get 'loaded("mixtral").y')"
expect "the first profile is left" "(.open | length) == 1 and .profile == \"$one\" and still"
key ctrl+w
expect "Ctrl+W unloads the last profile" '(.open | length) == 0 and .profile == "" and still'
check "memory use returns to the initial level" back_to "$start"

echo "  longest frame: $(get '.longest_frame_ns / 1e6') ms ($(get .longest_frame_page))"
# A stall takes far longer; on a busy machine, single frames over 50 ms mean nothing.
expect_now "no frame takes more than ${STALL_MS:=250} ms" ".longest_frame_ns <= $STALL_MS * 1e6"

key ctrl+q
check "the program ends" ended
[ "$status" = 0 ] || fail "exit status is $status"
launch
expect "the folder is remembered" '.page == "load" and (l.roots | length) == 1 and still and l.listed == 3'
