#!/bin/sh
# Builds the emulator of Metal: the kernels of metalbackend/kernels, turned into C++ by package
# msl, with gpu/emulator/native around them. Linux on x86-64 and arm64 only; a Mac has
# Metal itself, and elsewhere the device metal-emulated is absent.
#
#	scripts/emulator.sh          build/metal/emulator.so and, beside the program, bin/metal-emulator.so
#	scripts/emulator.sh check    build/metal/emulator_check.so, which looks at every access (slow)
#	scripts/emulator.sh check FILE OUTPUT    the same of another Metal source
#	scripts/emulator.sh sanitize [FILE OUTPUT]    build/metal/emulator_sanitize.so, with the address and the
#	                                              undefined-behaviour sanitizers; or of another Metal source
#
# What is newer than its sources is left alone. Libraries appear by rename only.
set -eu
cd "$(dirname "$0")/.."

go=${GO:-go}
case $(uname -s)/$(uname -m) in
Linux/x86_64 | Linux/aarch64) ;;
*) exit 0 ;;
esac

native=gpu/emulator/native
source=
native_flags="-O2 -march=native"
kernel_flags="$native_flags"
library=build/metal/emulator.so
case ${1:-} in
check)
	# Calls at each access and misaligned pointer, to native/check.cpp instead of the sanitizers' own
	# libraries.
	native_flags="-O2 -DEMULATOR_CHECK"
	kernel_flags="-O1 -DEMULATOR_CHECK -fsanitize=thread,alignment"
	source=${2:-}
	library=${3:-build/metal/emulator_check.so}
	;;
sanitize)
	native_flags="-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"
	kernel_flags="$native_flags"
	source=${2:-}
	library=${3:-build/metal/emulator_sanitize.so}
	;;
esac

# place FILE TARGET: TARGET is either absent, the old file or the whole new one, never a part.
place() {
	mkdir -p "$(dirname "$2")"
	cp "$1" "$2.$$" && mv -f "$2.$$" "$2"
}

current() {
	[ -f "$library" ] &&
		[ -z "$(find metalbackend/kernels gpu/msl $native scripts/kernels scripts/emulator.sh ${source:+"$source"} -type f ! -name '*_test.go' -newer "$library")" ]
}

compile() {
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM
	"$go" run ./scripts/kernels -parts 2 ${source:+-source "$source"} "$work"

	cxx=$(command -v g++ || command -v c++)
	common="-std=c++17 -ffp-contract=off -fsigned-char -fPIC -fvisibility=hidden -Wall -Wextra -I$native"
	# shellcheck disable=SC2086 # the flags are meant to be split
	for file in $native/*.cpp; do
		"$cxx" $common $native_flags -c "$file" -o "$work/$(basename "$file").o"
	done
	kernels="$common $kernel_flags -Wno-unused-function -Wno-unused-parameter -Wno-unknown-pragmas -I$native/shim/cpu -I$native/shim/common"
	# shellcheck disable=SC2086
	"$cxx" $kernels -c "$work/kernels_0.cpp" -o "$work/kernels_0.o" &
	# shellcheck disable=SC2086
	"$cxx" $kernels -c "$work/kernels_1.cpp" -o "$work/kernels_1.o"
	wait $!
	# shellcheck disable=SC2086
	"$cxx" -shared -pthread $native_flags "$work"/*.o -o "$work/emulator.so"
	place "$work/emulator.so" "$library"
}

current || compile
if [ "$library" = build/metal/emulator.so ] && [ ! bin/metal-emulator.so -nt "$library" ]; then
	place "$library" bin/metal-emulator.so
fi
