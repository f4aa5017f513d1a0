#!/usr/bin/env bash
# Every page that --help offers opens in the window.
source "${BASH_SOURCE[0]%/*}/lib.sh"

generate one --preset small --gpus 1 --slices 2000
mapfile -t pages < <("$WARPSCOPE" --help | sed -nE 's/.*--page TEXT:\{(.*)\}.*/\1/p' | tr ',' '\n')
check "the help offers the pages" [ "${#pages[@]}" -ge 6 ]
for page in "${pages[@]}"; do
  launch "$work/one"
  expect "--page $page shows it" ".page == \"$page\" and .complete and .ranks == 1"
  key ctrl+q
  check "$page ends" ended
  check "$page: exit status 0" [ "$status" = 0 ]
done
