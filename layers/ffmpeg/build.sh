#!/bin/sh
# Copies Debian's ffmpeg and ffprobe, their libraries and the subtitle fonts to the given folder (/opt in the image).
set -eu
# The functions run as another user than the build.
umask 022

layer=$(dirname "$0")
target=$1

sh "$layer/install.sh"

mkdir -p "$target/bin" "$target/lib" "$target/share/fonts" "$target/share/doc/ffmpeg"
cp /usr/share/fonts/truetype/dejavu/*.ttf "$target/share/fonts/"
cp /usr/bin/ffmpeg /usr/bin/ffprobe "$target/bin/"

libraries=$(ldd /usr/bin/ffmpeg /usr/bin/ffprobe | awk '$2 == "=>" { print ($3 == "not" ? $1 " not found" : $3) }' | sort -u)
case $libraries in
  *'not found'*) echo "ffmpeg needs libraries that are missing: $libraries" >&2; exit 1 ;;
esac
for library in $libraries; do
  case $(basename "$library") in
    # The image provides the C library: a process with two of them crashes.
    libc.so.* | libm.so.* | libdl.so.* | librt.so.* | libpthread.so.*) ;;
    *) cp --dereference "$library" "$target/lib/" ;;
  esac
done

# For the bill of materials: npm run sbom.
dpkg-query --show --showformat '${Package}\t${Version}\t${Architecture}\n' > "$target/share/packages.tsv"

cp "$layer/NOTICE.md" "$target/share/doc/ffmpeg/"
for copyright in /usr/share/doc/*/copyright; do
  package=$(basename "$(dirname "$copyright")")
  mkdir -p "$target/share/doc/$package"
  cp "$copyright" "$target/share/doc/$package/"
done
