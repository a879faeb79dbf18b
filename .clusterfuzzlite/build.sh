#!/usr/bin/env bash
# Builds every fuzz target into $OUT, with the library that they load beside them.
#
# Without a fleet: OUT=some/folder SANITIZER=none .clusterfuzzlite/build.sh
set -euo pipefail
: "${OUT:?the folder that the targets go to}"
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
here=$(dirname "$0")/..
# A fleet copies this script out of the repository.
if [ ! -d "$here/fuzz" ]; then
    here=${SRC:?}/endstep
fi
cd "$here"

flags=()
if [ "${SANITIZER:-address}" = none ]; then
    # On stable there are no sanitizers; coverage guidance works without them.
    flags+=(-s none)
fi
cargo fuzz build ${flags[@]+"${flags[@]}"}

build=fuzz/target/$(rustc -vV | sed -n 's/^host: //p')/release
for target in $(cargo fuzz list); do
    cp "$build/$target" "$OUT/"
    library=$(ldd "$build/$target" | sed -n 's/.*=> \([^ ]*libz3[^ ]*\) .*/\1/p')
    if [ -n "$library" ]; then
        cp -n "$library" "$OUT/"
        # To be found beside the program, wherever that is run.
        if command -v patchelf >/dev/null; then
            patchelf --set-rpath "\$ORIGIN" "$OUT/$target"
        fi
    fi
done
