#!/bin/sh
# Builds libtokenizers.a, the static library that package tokenizer links, from the Rust sources
# that the Go module github.com/daulet/tokenizers carries. The module is pinned by go.sum, its
# crates by its Cargo.lock. The result goes to build/lib/<os>_<arch>/, where the #cgo line of
# package tokenizer looks for it, and to a cache folder of this user, so that the next clone on
# this machine copies it instead of compiling for minutes. Files appear by rename only: two builds
# at a time are wasteful, but safe.
set -eu
cd "$(dirname "$0")/.."

go=${GO:-go}
module=github.com/daulet/tokenizers
version=$(awk -v m="$module" '$1 == m { print $2 }  $1 == "require" && $2 == m { print $3 }' go.mod)
platform=$("$go" env GOOS)_$("$go" env GOARCH)
folder=build/lib/$platform
library=$folder/libtokenizers.a

if [ -f "$library" ] && [ "$(cat "$folder/VERSION" 2>/dev/null)" = "$version" ]; then
	exit 0
fi

# A library built against a newer C library may not link on an older one, and containers share a
# home folder: the C library's version is part of the key.
libc=$(getconf GNU_LIBC_VERSION 2>/dev/null | tr ' ' '-' || true)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/inglenook-build/tokenizers-$version-$platform${libc:+-$libc}
cached=$cache/libtokenizers.a

# place FILE TARGET: TARGET is either absent, the old file or the whole new one, never a part.
place() {
	mkdir -p "$(dirname "$2")"
	part=$2.$$
	cp "$1" "$part" && mv -f "$part" "$2"
}

if [ ! -f "$cached" ]; then
	cargo=$(scripts/cargo.sh)
	PATH=$(dirname "$cargo"):$PATH # cargo finds the rustc of its own version beside it
	"$go" mod download "$module"
	source=$("$go" list -m -f '{{.Dir}}' "$module")

	work=$(mktemp -d)
	trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM
	# The manifest names a bench, so cargo wants the folder, though nothing in it is built.
	cp -R "$source/Cargo.toml" "$source/Cargo.lock" "$source/src" "$source/benches" "$work/"
	chmod -R u+w "$work"

	echo "Building the tokenizer library ($module $version for $platform). This takes a few minutes, once."
	# Go 1.26 programs run on macOS 12 and later; elsewhere the variable means nothing.
	MACOSX_DEPLOYMENT_TARGET=12.0 CARGO_TARGET_DIR="$work/target" \
		"$cargo" build --quiet --release --locked --lib --manifest-path "$work/Cargo.toml"
	if ! place "$work/target/release/libtokenizers.a" "$cached" 2>/dev/null; then
		echo "The library cannot be kept in $cache; other clones will have to build it again." >&2
		cached=$work/target/release/libtokenizers.a
	fi
fi

rm -f "$folder/VERSION"
place "$cached" "$library"
echo "$version" >"$folder/VERSION.$$"
mv -f "$folder/VERSION.$$" "$folder/VERSION"
