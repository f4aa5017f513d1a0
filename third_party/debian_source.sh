#!/usr/bin/env bash
# debian_source.sh PACKAGE SUITE FILE SHA256 WORKDIR
#
# Fetches the upstream archive of a Debian source package of another suite than the one this system runs, by apt,
# without touching the system's own apt configuration or lists: sources, lists and cache are private, in WORKDIR.
# The mirror is the one that the system's own apt sources name. FILE's name is that of the archive in the package.
#
# The private source is marked trusted, since an older system may not hold the newer suite's signing key yet: what
# vouches for the file is the SHA-256, which is checked before FILE comes to be.
set -euo pipefail
package=$1 suite=$2 file=$3 sha256=$4 work=$5

# The Debian mirrors in the system's sources, in both of apt's formats, one a line: enabled binary sources that have
# the suite this system runs (not its security archive, not another vendor's) and are reached by a network or a path.
mirrors() {
  local codename
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    sed -E 's/\[[^]]*\]//' |
    awk -v codename="$codename" '$1 == "deb" && ($3 == codename || $3 == "stable") { print $2 }'
  local sources
  for sources in /etc/apt/sources.list.d/*.sources; do
    [ -e "$sources" ] && sed '/^#/d' "$sources" && echo
  done | awk -v RS= -v codename="$codename" '
    {
      split("", field); name = ""
      lines = split($0, line, "\n")
      for (i = 1; i <= lines; i++) {
        if (match(line[i], /^[A-Za-z-]+:/)) {
          name = tolower(substr(line[i], 1, RLENGTH - 1)); line[i] = substr(line[i], RLENGTH + 1)
        }
        field[name] = field[name] " " line[i]
      }
      suites = " " field["suites"] " "
      if (field["enabled"] ~ /no|false/ || " " field["types"] " " !~ / deb /) next
      if (suites !~ " " codename " " && suites !~ / stable /) next
      print field["uris"]
    }' | tr -s ' ' '\n'
}

mkdir -p "$work/lists/partial" "$work/state" "$work/cache/archives/partial" "$work/download"
: >"$work/status"
cat >"$work/apt.conf" <<CONF
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State "$work/state";
Dir::State::Lists "$work/lists";
Dir::State::Status "$work/status";
Dir::Cache "$work/cache";
Dir::Cache::Archives "$work/cache/archives";
Acquire::Languages "none";
Acquire::Check-Valid-Until "false";
Acquire::Retries "2";
Acquire::http::Timeout "20";
APT::Sandbox::User "root";
CONF

for mirror in $(mirrors | grep -vE '^(cdrom:|$)' | grep -v -- '-security' | awk '!seen[$0]++'); do
  echo "deb-src [trusted=yes] ${mirror%/} $suite main" >"$work/sources.list"
  apt-get -q -c "$work/apt.conf" update || continue
  (cd "$work/download" && apt-get -q -c "$work/apt.conf" --download-only --tar-only source "$package") || continue
  archive=$work/download/$(basename "$file")
  if echo "$sha256  $archive" | sha256sum --check --status; then
    mkdir -p "$(dirname "$file")"
    cp "$archive" "$file.part" && mv "$file.part" "$file"
    rm -rf "$work"
    exit 0
  fi
  echo "$archive is not the pinned one" >&2
done
echo "no Debian mirror of this system's apt sources gave $package of $suite" >&2
exit 1
