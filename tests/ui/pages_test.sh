#!/usr/bin/env bash
# --page opens every page that --help lists.
source "${BASH_SOURCE[0]%/*}/lib.sh"

generate one --preset small --gpus 1 --slices 2000
mapfile -t pages < <("$WARPSCOPE" --help | sed -nE 's/.*--page TEXT:\{(.*)\}.*/\1/p' | tr ',' '\n')
check "--help lists the pages" [ "${#pages[@]}" -ge 6 ]
for page in "${pages[@]}"; do
  launch "$work/one"
  expect "--page $page shows it" ".page == \"$page\" and .complete and .ranks == 1"
  key ctrl+q
  check "$page: the program ends" ended
  check "$page: exit status is 0" [ "$status" = 0 ]
done
