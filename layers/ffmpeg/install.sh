#!/bin/sh
# Installs the pinned packages from Debian's mirror, or from Debian's archive of a time at which the mirror had them: a
# mirror keeps only the newest version. apt verifies both against Debian's signed index.
set -eu

layer=$(dirname "$0")
sources=${1:-/etc/apt/sources.list.d}

install() {
  apt-get install --yes --no-install-recommends \
    "ffmpeg=$(cat "$layer/version")" "fonts-dejavu-core=$(cat "$layer/fonts-version")"
}

apt-get update
if ! install; then
  archive=http://snapshot.debian.org/archive
  time=$(cat "$layer/snapshot-time")
  echo "The mirror does not have the pinned packages: taking them from $archive of $time" >&2
  cat > "$sources/snapshot.list" <<SOURCES
deb [check-valid-until=no] $archive/debian/$time trixie main
deb [check-valid-until=no] $archive/debian-security/$time trixie-security main
SOURCES
  apt-get update
  install
fi
