#!/bin/sh
# Installs the pinned packages from Debian's mirror, or from Debian's archive of a time at which the mirror had them: a
# mirror keeps only the newest version. apt verifies both against Debian's signed index.
set -eu

layer=$(dirname "$0")

install() {
  apt-get "$@" install --yes --no-install-recommends \
    "ffmpeg=$(cat "$layer/version")" "fonts-dejavu-core=$(cat "$layer/fonts-version")"
}

apt-get update
if ! install; then
  archive=http://snapshot.debian.org/archive
  time=$(cat "$layer/snapshot-time")
  echo "The mirror does not have the pinned packages: taking them from $archive of $time" >&2
  # The keyring that the sources of this machine name. An entry is such as /etc/apt/sources.list.d/debian.sources:1.
  entry=$(apt-get indextargets --format '$(SOURCESENTRY)' 'Identifier: Packages' 'Origin: Debian' | head -n 1)
  keyring=$(sed -n 's/^Signed-By: *//p; s/^deb .*signed-by=\([^] ]*\).*/\1/p' "${entry%:*}" | head -n 1)
  options="check-valid-until=no${keyring:+ signed-by=$keyring}"
  list=$(mktemp)
  trap 'rm -f "$list"' EXIT
  cat > "$list" <<SOURCES
deb [$options] $archive/debian/$time trixie main
deb [$options] $archive/debian-security/$time trixie-security main
SOURCES
  # In place of the mirror, not beside it: of a dependency, apt considers only the newest version in all sources.
  set -- -o "Dir::Etc::sourcelist=$list" -o Dir::Etc::sourceparts=/dev/null
  apt-get "$@" update
  install "$@"
fi
