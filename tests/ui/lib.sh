# shellcheck shell=bash disable=SC2016,SC2034
# Shared by the window tests. Each test is a bash script that drives the real program on its own display (Xvfb) by
# keyboard and mouse (xdotool) and checks the state written by `warpscope --dump-state`: conditions over that JSON (jq),
# polled until they hold. No step waits for a fixed time, so a slow machine makes a test slow, not wrong.
#
#   source "${BASH_SOURCE[0]%/*}/lib.sh"
#   generate small --preset small
#   launch "$work/small"
#   expect "the trace is open" '.complete'
#   remember
#   key w
#   expect "w zooms in" 'span < (was | span)'
#
# Environment: WARPSCOPE and TRACEGEN, the programs; PATIENCE, seconds until a condition counts as failed. A test whose
# tools are missing exits with 77 (skipped), or fails if WARPSCOPE_REQUIRE_GL is set. A failed test leaves picture, state
# and output in window-tests/ of the working directory.
set -euo pipefail
shopt -s inherit_errexit

: "${WARPSCOPE:?the program to test}" "${TRACEGEN:?the trace generator}"
patience=${PATIENCE:-30}
test_name=$(basename "$0" .sh)
checks=0 app="" server="" told=""

for tool in Xvfb xdotool jq; do
  command -v "$tool" >/dev/null && continue
  echo "$test_name: $tool is missing; ./dev setup installs it"
  if [ -n "${WARPSCOPE_REQUIRE_GL:-}" ]; then exit 1; else exit 77; fi
done

work=$(mktemp -d)
state=$work/state.json
was=$work/was.json
export XDG_CONFIG_HOME=$work/config XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/data HOME=$work/home
unset WAYLAND_DISPLAY WAYLAND_SOCKET XAUTHORITY
mkdir -p "$XDG_CONFIG_HOME" "$XDG_CACHE_HOME" "$XDG_DATA_HOME" "$HOME"

# Functions for conditions. The input is the current state, `was` the last remembered one, `t` the part of the Timeline.
# Times are ns since the start of the profile, positions px.
words='
  def was: $was[0];
  def t: .pages.timeline;
  def span: t | .end_ns - .begin_ns;
  def time_at(x): t as $t | $t.begin_ns + (x - $t.canvas.x) * span / $t.canvas.width;
  def close(a; b; tolerance): (a - b | fabs) <= tolerance;
  def middle: t | (.begin_ns + .end_ns) / 2;
  def same_view: close(t.begin_ns; was | t.begin_ns; span / 1000) and close(span; was | span; span / 1000);
  def tab(id): t.bottom.tabs[] | select(.id == id);
  def calm: (.animating or .loading or (t.settled == false) or t.search.running == true) | not;
  def brief: {page, dialog, loading, ranks, query, messages, selection,
              view: (t | {begin_ns, end_ns, settled, scroll, range, search, arrows, hover, tab: .bottom.tab})};
'

judge() {  # CONDITION FILE
  jq -e --slurpfile was "$was" "$words $1" "$2" >/dev/null
}

# get EXPRESSION: prints its current value, strings without quotes.
get() { jq -r --slurpfile was "$was" "$words $1" "$state"; }

# remember: stores the current state as `was`.
remember() { cp "$state" "$was"; }

fail() {
  echo "FAILED: $*"
  told=1
  local kept=$PWD/window-tests/$test_name
  rm -rf "$kept"
  mkdir -p "$kept"
  cp "$work"/*.json "$work"/*.log "$kept" 2>/dev/null || true
  if [ -f "$work/Xvfb_screen0" ]; then
    cp "$work/Xvfb_screen0" "$kept/screen.xwd"
    ! command -v convert >/dev/null || convert "$kept/screen.xwd" "$kept/screen.png" 2>/dev/null || true
  fi
  [ ! -s "$work/app.log" ] || sed 's/^/  warpscope: /' "$work/app.log"
  echo "  picture, state and output: $kept"
  exit 1
}

alive() { [ -n "$app" ] && kill -0 "$app" 2>/dev/null; }

# wait_for CONDITION: waits until it holds; false after $patience seconds, or if the program has ended.
wait_for() {
  local end=$((SECONDS + patience))
  while :; do
    if [ -s "$state" ] && judge "$1" "$state" 2>/dev/null; then return 0; fi
    if [ "$SECONDS" -ge "$end" ] || ! alive; then
      # A condition that cannot be parsed is a mistake in the test; jq reports it.
      [ ! -s "$state" ] || judge "$1" "$state" || true
      return 1
    fi
    sleep 0.03
  done
}

passed() {
  checks=$((checks + 1))
  echo "ok: $1"
}

# expect WHAT CONDITION: waits until it holds and the window is idle.
expect() { expect_now "$1" "($2) and calm"; }

# expect_now WHAT CONDITION: the same, but the window may still move or load.
expect_now() {
  if ! wait_for "$2"; then
    alive || fail "$1: the program has ended"
    fail "$1
  expected: $2
  got:      $(jq -c "$words brief" "$state" 2>&1 || true)
  was:      $(jq -c "$words brief" "$was" 2>&1 || true)"
  fi
  passed "$1"
}

# check WHAT COMMAND…: checks what is not in the state.
check() {
  local what=$1
  shift
  "$@" || fail "$what
  expected success of: $*"
  passed "$what"
}

# generate NAME OPTION…: generates a trace in $work/NAME.
generate() { "$TRACEGEN" "$work/$1" "${@:2}" >/dev/null || fail "tracegen ${*:2}"; }

# launch ARGUMENT…: starts the program on its own display and waits for its first frame.
launch() {
  if [ -z "$server" ]; then
    Xvfb -displayfd 3 -screen 0 1280x800x24 -noreset -nolisten tcp -fbdir "$work" 3>"$work/display" 2>"$work/xvfb.log" &
    server=$!
    local end=$((SECONDS + patience))
    until [ -s "$work/display" ]; do
      if [ "$SECONDS" -ge "$end" ] || ! kill -0 "$server" 2>/dev/null; then fail "Xvfb did not start"; fi
      sleep 0.03
    done
    DISPLAY=:$(cat "$work/display")
    export DISPLAY
  fi
  rm -f "$state"
  [ -f "$was" ] || echo '{}' >"$was"
  "${under[@]}" "$WARPSCOPE" "$@" --page "$page" --size 1280x800 --dump-state "$state" >"$work/app.log" 2>&1 &
  app=$!
  wait_for '.page' || fail "the program did not open a window"
}
page=timeline  # page that launch requests
under=()  # command prefix for the program

# ticks: CPU time of all threads of the program so far, in ticks of 1/100 s.
ticks() {
  local stat
  stat=$(<"/proc/$app/stat")
  read -ra stat <<<"${stat##*) }"
  echo $((stat[11] + stat[12]))
}
# rest: waits until the program sleeps and all frames are drawn, for effects that are not in the state, such as a field
# that gets the focus.
rest() {
  local before=-1 now quiet=0 end=$((SECONDS + patience))
  while [ "$quiet" -lt 3 ]; do
    if [ "$SECONDS" -ge "$end" ] || ! alive; then fail "the program does not become idle"; fi
    now=$(ticks)
    if [ "$now" = "$before" ] && ! grep -qs '^State:.*[RD] ' "/proc/$app"/task/*/status; then
      quiet=$((quiet + 1))
    else
      quiet=0
    fi
    before=$now
    sleep 0.03
  done
}

# ended: waits until the program has ended and sets `status` to its exit status.
ended() {
  local end=$((SECONDS + patience))
  while alive; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.03
  done
  status=0
  wait "$app" || status=$?
  app=""
}

clean_up() {
  local code=$?
  # shellcheck disable=SC2046
  { kill -KILL $(jobs -p) && wait; } 2>/dev/null || true
  rm -rf "$work"
  [ "$code" = 0 ] || [ -n "$told" ] || echo "FAILED: the test script exited with status $code"
  [ "$code" != 0 ] || echo "$test_name: $checks checks passed in $SECONDS s"
}
trap clean_up EXIT

# key CHORD…: presses and releases each, in xdotool's notation (ctrl+shift+p). Modifiers are released last: in xdotool's
# own order they are released first, and a slow frame would see the key without them. The delay matters if a key comes
# twice: within 20 ms GLFW takes the second press for the repeat of a held key.
key() {
  local chord modifier keys=()
  for chord in "$@"; do
    local up=()
    while [[ $chord == ?*+?* ]]; do
      modifier=${chord%%+*}
      chord=${chord#*+}
      keys+=(keydown "$modifier")
      up=(keyup "$modifier" "${up[@]}")
    done
    keys+=(key --delay 50 "$chord" "${up[@]}")
  done
  xdotool "${keys[@]}"
}
# hold KEY … release KEY: holds the key in between.
hold() { xdotool keydown "$@"; }
release() { xdotool keyup "$@"; }
type_text() { xdotool type --delay 15 "$1"; }

# Screen positions in px; fractions are truncated.
pointer() { xdotool mousemove "${1%.*}" "${2%.*}"; }
click() {
  pointer "$1" "$2"
  xdotool click "${3:-1}"
}
# click_at_once X Y [BUTTON]: move and press arrive in one frame, as when a frame takes long.
click_at_once() {
  kill -STOP "$app"
  click "$@"
  kill -CONT "$app"
}
# drag X0 Y0 X1 Y1 [BUTTON]: drags in a few moves.
drag() {
  local i moves=()
  for i in 1 2 3 4; do
    moves+=(mousemove $((${1%.*} + (${3%.*} - ${1%.*}) * i / 4)) $((${2%.*} + (${4%.*} - ${2%.*}) * i / 4)))
  done
  xdotool mousemove "${1%.*}" "${2%.*}" mousedown "${5:-1}" "${moves[@]}" mouseup "${5:-1}"
}
# wheel up|down [NOTCHES]
wheel() {
  local button=4
  [ "$1" = up ] || button=5
  xdotool click --repeat "${2:-1}" --delay 10 "$button"
}
