#!/bin/sh
# Builds the base of the workers' image without a container registry: Debian 13 by mmdebstrap and Node 24 from npm, both
# from the mirrors that this machine is configured for. Debian only; run it as root.
#
#   sh lab/image/debian-base.sh localhost/node:24-trixie-slim
set -eu

tag=$1
# Inside a container, buildah can neither mount overlays nor start containers.
export STORAGE_DRIVER="${STORAGE_DRIVER:-vfs}" BUILDAH_ISOLATION="${BUILDAH_ISOLATION:-chroot}"
case $(dpkg --print-architecture) in
  amd64) processor=x64 ;;
  arm64) processor=arm64 ;;
  *) echo "Node 24 comes from npm for amd64 and arm64 only, and this is $(dpkg --print-architecture)" >&2; exit 1 ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mirrors=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' 'Identifier: Packages' | sort -u)
main=$(echo "$mirrors" | awk '$2 == "Debian" && $3 == "Debian" { print $1; exit }')
security=$(echo "$mirrors" | awk '$2 == "Debian" && $3 == "Debian-Security" { print $1; exit }')
if [ -z "$main" ] || [ -z "$security" ]; then
  echo 'apt knows no mirror of Debian and its security updates: run apt-get update first' >&2
  exit 1
fi

mmdebstrap --variant=minbase --mode=root --include=ca-certificates --keyring=/usr/share/keyrings trixie "$work/root" - <<SOURCES
deb $main trixie main
deb $main trixie-updates main
deb $security trixie-security main
SOURCES

node=$(cd "$work" && npm pack --silent "node-linux-$processor@24")
npm=$(cd "$work" && npm pack --silent npm@11)
tar -xzf "$work/$node" -C "$work/root/usr/local" --strip-components=1 package/bin package/include
mkdir -p "$work/root/usr/local/lib/node_modules/npm"
tar -xzf "$work/$npm" -C "$work/root/usr/local/lib/node_modules/npm" --strip-components=1
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/root/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$work/root/usr/local/bin/npx"

container=$(buildah from scratch)
buildah copy --quiet "$container" "$work/root" / > /dev/null
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --cmd node "$container"
buildah commit --quiet --rm "$container" "$tag"
