#!/bin/sh
# Unpacks the image's ffmpeg, ffprobe and fonts with their libraries for amd64 or arm64, and writes programs that start them,
# with qemu-user if this machine has another processor. It needs apt-get and dpkg-deb, but neither root nor a container.
#
#   sh lab/image/unpack-programs.sh arm64 DIRECTORY [VMAF]      # writes DIRECTORY/bin; VMAF: that program for arm64
set -eu
umask 022

architecture=$1
directory=$2
vmaf=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
layer=$here/../../layers/ffmpeg
keyring=${KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}

for program in apt-get dpkg dpkg-deb; do
  command -v "$program" > /dev/null || { echo "$program is missing: run this on Debian, or in a container with it" >&2; exit 1; }
done
[ -r "$keyring" ] || { echo "$keyring is missing: run apt-get install debian-archive-keyring" >&2; exit 1; }
case $architecture in
  amd64) triplet=x86_64-linux-gnu loader=ld-linux-x86-64.so.2 emulator=qemu-x86_64 ;;
  arm64) triplet=aarch64-linux-gnu loader=ld-linux-aarch64.so.1 emulator=qemu-aarch64 ;;
  *) echo "$architecture is neither amd64 nor arm64" >&2; exit 1 ;;
esac
host=$(dpkg --print-architecture)

unpack() {
  apt=$directory/apt
  mkdir -p "$apt/sources" "$apt/state/lists/partial" "$apt/cache/archives/partial" "$directory/root"
  : > "$apt/status"
  cat > "$apt/sources/debian.list" <<SOURCES
deb [signed-by=$keyring] http://deb.debian.org/debian trixie main
deb [signed-by=$keyring] http://deb.debian.org/debian-security trixie-security main
SOURCES
  # An apt of its own, for another release of Debian and another architecture than those of this machine.
  cat > "$apt/apt.conf" <<CONFIGURATION
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; "$host"; };
APT::Get::Download-Only "true";
APT::Sandbox::User "";
Acquire::Languages "none";
Debug::NoLocking "true";
Dir::State "$apt/state";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/none";
Dir::Etc::sourceparts "$apt/sources";
Dir::Etc::preferencesparts "$apt/none";
CONFIGURATION
  export APT_CONFIG="$apt/apt.conf"
  sh "$layer/install.sh" >&2
  for package in "$apt/cache/archives"/*.deb; do dpkg-deb -x "$package" "$directory/root"; done
  if [ "$architecture" != "$host" ]; then
    (cd "$directory" && apt-get download "qemu-user:$host=$(cat "$here/qemu-version")" >&2)
    dpkg-deb -x "$directory"/qemu-user_*.deb "$directory/emulator"
  fi
}

pins=$(cat "$layer/version" "$layer/fonts-version" "$here/qemu-version")
if [ "$(cat "$directory/pins" 2> /dev/null)" != "$pins" ]; then
  rm -rf "$directory"
  mkdir -p "$directory"
  directory=$(cd "$directory" && pwd)
  unpack
  echo "$pins" > "$directory/pins"
fi
directory=$(cd "$directory" && pwd)

root=$directory/root
rm -rf "$root/usr/bin/vmaf" "$directory/bin"
if [ -n "$vmaf" ]; then cp "$vmaf" "$root/usr/bin/vmaf"; fi
run=
if [ "$architecture" != "$host" ]; then run=$directory/emulator/usr/bin/$emulator; fi
libraries=$root/usr/lib/$triplet
# An installation would link to Debian's alternatives of these.
path=$libraries:$libraries/blas:$libraries/lapack:$libraries/pulseaudio
mkdir "$directory/bin"
for program in ffmpeg ffprobe vmaf; do
  [ -e "$root/usr/bin/$program" ] || continue
  printf '#!/bin/sh\nexec %s "%s" --library-path "%s" "%s" "$@"\n' \
    "${run:+\"$run\"}" "$libraries/$loader" "$path" "$root/usr/bin/$program" > "$directory/bin/$program"
  chmod +x "$directory/bin/$program"
done
"$directory/bin/ffmpeg" -version | head -n 1
