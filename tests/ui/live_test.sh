#!/usr/bin/env bash
# Watching a directory that a job still writes to, and reopening it from the store.
source "${BASH_SOURCE[0]%/*}/lib.sh"

generate all --preset small --gpus 4 --slices 40000
mapfile -t files < <(find "$work/all" -type f | sort)
launch --watch "$work/live"
expect "a missing directory is awaited without an error" \
  '.page == "load" and .awaiting and .messages == [] and .status == ["watching"]'
mkdir "$work/live"
cp "${files[0]}" "$work/live/"
expect "the first rank is shown and the directory is watched" '.page == "timeline" and .ranks == 1 and .watching'

cp "${files[1]}" "$work/live/"
expect "a new rank is loaded" '.ranks == 2'
half=$(($(stat -c %s "${files[2]}") / 2))
head -c "$half" "${files[2]}" >"$work/live/rank2.json"
while sleep 0.2; do touch "$work/live/rank2.json"; done &
writer=$!
expect_now "a partially written rank is shown" '.ranks == 3'
expect_now "its row and the top bar mark it as growing" \
  '.growing == 1 and .status == ["watching · 1 growing"] and t.rows.growing == 1'
kill "$writer"
expect "the marks disappear when the file stops growing" '.growing == 0 and t.rows.growing == 0'
tail -c +$((half + 1)) "${files[2]}" >>"$work/live/rank2.json"
cp "${files[3]}" "$work/live/.part"
mv "$work/live/.part" "$work/live/rank3.json"
expect "the finished file is loaded completely" '.ranks == 4'

key shift+F5
expect "Shift+F5 stops watching" '.watching | not'
key shift+F5
expect "Shift+F5 starts watching again" '.watching and .ranks == 4 and .complete'
key ctrl+q
check "the program ends" ended
rm -rf "$XDG_CACHE_HOME/warpscope"

launch "$work/live"
expect "the previously opened trace opens again" '.ranks == 4 and .complete'
stored() { compgen -G "$XDG_CACHE_HOME/warpscope/stores/*.wscope" >/dev/null; }
end=$((SECONDS + patience))
until stored || [ "$SECONDS" -ge "$end" ]; do sleep 0.03; done
check "a store is saved" stored
key ctrl+q
ended
launch "$work/live"
expect "the next open reads the store" '.ranks == 4 and .complete and .files_from_store == 4'
