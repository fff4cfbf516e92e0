#!/bin/sh
# Builds the base of the workers' image without a container registry: Debian 13 by mmdebstrap and Node 24 from npm, both
# from the mirrors that this machine is configured for. Debian only; run it as root. For the other architecture the kernel
# starts programs with the qemu-user that unpack-programs.sh has unpacked: an emulator of this script's own is registered.
#
#   sh lab/image/debian-base.sh localhost/node:24-trixie-slim [arm64 .build/programs/arm64/emulator/usr/bin/qemu-aarch64]
set -eu

tag=$1
architecture=${2:-$(dpkg --print-architecture)}
# Inside a container, buildah can neither mount overlays nor start containers.
export STORAGE_DRIVER="${STORAGE_DRIVER:-vfs}" BUILDAH_ISOLATION="${BUILDAH_ISOLATION:-chroot}"
# machine: its number in the ELF header of programs.
case $architecture in
  amd64) processor=x64 machine='\x3e' ;;
  arm64) processor=arm64 machine='\xb7' ;;
  *) echo "Node 24 comes from npm for amd64 and arm64 only, not for $architecture" >&2; exit 1 ;;
esac
binfmt=/proc/sys/fs/binfmt_misc
if [ "$architecture" != "$(dpkg --print-architecture)" ] && [ ! -e "$binfmt/media-jobs-$architecture" ]; then
  emulator=$(realpath "$3")
  # mmdebstrap of Debian 12 looks for it under this name.
  static=/usr/bin/${emulator##*/}-static
  [ -e "$static" ] || ln -s "$emulator" "$static"
  [ -e "$binfmt/register" ] || mount -t binfmt_misc binfmt_misc "$binfmt"
  magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00'$machine'\x00'
  mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
  # F opens the emulator now, so that it works inside other roots; P keeps the name by which a program was started.
  printf '%s' ":media-jobs-$architecture:M::$magic:$mask:$emulator:FP" > "$binfmt/register"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mirrors=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' 'Identifier: Packages' | sort -u)
main=$(echo "$mirrors" | awk '$2 == "Debian" && $3 == "Debian" { print $1; exit }')
security=$(echo "$mirrors" | awk '$2 == "Debian" && $3 == "Debian-Security" { print $1; exit }')
if [ -z "$main" ] || [ -z "$security" ]; then
  echo 'apt knows no mirror of Debian and its security updates: run apt-get update first' >&2
  exit 1
fi

mmdebstrap --architectures="$architecture" --variant=minbase --mode=root --include=ca-certificates --keyring=/usr/share/keyrings trixie "$work/root" - <<SOURCES
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

container=$(buildah from --arch "$architecture" scratch)
buildah copy --quiet "$container" "$work/root" / > /dev/null
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --cmd node "$container"
buildah commit --quiet --rm "$container" "$tag"
