#!/bin/sh
# Builds Netflix's program `vmaf`, with its models inside, into the given folder (/opt in the image). The source is the
# release that `source` names by URL and SHA-256, or a folder `tree` beside this file.
set -eu
# The functions run as another user than the build.
umask 022

layer=$(dirname "$0")
target=$1

apt-get update
apt-get install --yes --no-install-recommends ca-certificates curl gcc g++ meson nasm ninja-build xxd

work=$(mktemp -d)
if [ -d "$layer/tree" ]; then
  cp -r "$layer/tree/." "$work"
else
  { read -r url; read -r digest; } < "$layer/source"
  curl --fail --silent --show-error --location --retry 5 --output "$work/source.tar.gz" "$url"
  echo "$digest  $work/source.tar.gz" | sha256sum --check --quiet
  tar -xzf "$work/source.tar.gz" -C "$work" --strip-components=1
fi

# The compiler's libraries are inside, since the image has none.
LDFLAGS='-static-libgcc -static-libstdc++' meson setup "$work/build" "$work/libvmaf" --buildtype release \
  -Denable_float=false -Ddefault_library=static -Denable_tests=false -Denable_docs=false
ninja -C "$work/build"

mkdir -p "$target/bin" "$target/share/doc/vmaf"
cp "$work/build/tools/vmaf" "$target/bin/"
cp "$work/LICENSE" "$layer/NOTICE.md" "$target/share/doc/vmaf/"
