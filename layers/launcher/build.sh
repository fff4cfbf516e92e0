#!/bin/sh
# Compiles the launcher of ffmpeg and the module of Node into the given folder (/opt/launcher in the image).
set -eu
# The functions run as another user than the build.
umask 022

layer=$(dirname "$0")
mkdir -p "$1"
# The kernel names processors as `uname` does.
architecture=AUDIT_ARCH_$(uname -m | tr '[:lower:]' '[:upper:]')
${CC:-cc} -O2 -Wall -Wextra -DARCHITECTURE="$architecture" -o "$1/launcher" "$layer/launcher.c"
${CC:-cc} -O2 -Wall -Wextra -shared -fPIC -o "$1/undumpable.node" "$layer/undumpable.c"
