#!/bin/sh
# Checks the Metal kernels as far as that goes without a Mac, and there with Apple's compiler:
#
#	the dialect (package msl), then address spaces and overloads (clang)
#	results under the emulator, with the lanes in three orders; with denormals flushed and reductions
#		that pass over NaN, as on Apple's GPUs
#	races, bounds, alignment, divergence and uninitialised memory (the emulator's check)
#	mistakes planted on purpose, which the check has to find
#	NVIDIA's compiler, where NVRTC is installed or $INGLENOOK_NVRTC names its library
set -eu
cd "$(dirname "$0")/.."

export INGLENOOK_TEST_WHOLE=1 # every case of the suite; make test runs one of three

go=${GO:-go}
out=build/metal/source

step() { echo "== $*"; }

step "the dialect"
"$go" run ./scripts/kernels "$out"
echo "$(grep -c '' "$out/kernels.metal") lines keep to it"

if [ "$(uname)" = Darwin ]; then
	if ! xcrun -sdk macosx metal --version >/dev/null 2>&1; then # Xcode 26 has a stub of that name
		echo "Apple's Metal compiler is missing; get it with: xcodebuild -downloadComponent MetalToolchain" >&2
		exit 1
	fi
	# The oldest language that the kernels are written for, and the newest, which programs get that ask for none.
	for language in -std=macos-metal2.4 ''; do
		step "Apple's compiler, ${language:-the newest language}"
		xcrun -sdk macosx metal $language -Wall -Wno-unused -c "$out/kernels.metal" -o "$out/kernels.air"
	done
	exit 0 # here is Metal itself: make metal-selftest runs the kernels
fi

# clang: any release from 14 on. It parses only, so its target need not be this machine: on arm64
# all of them know 16-bit floats.
find_clang() {
	for clang in clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14; do
		if command -v "$clang"; then return 0; fi
	done
	return 1
}
clang=$(find_clang) || {
	echo "Installing clang"
	scripts/apt.sh install clang
	clang=$(find_clang)
}
strict() {
	"$clang" --target=aarch64-linux-gnu -std=c++14 -fsigned-char -fno-exceptions -fno-rtti -fsyntax-only \
		-Igpu/emulator/native/shim/strict "$@" "$out/strict.cpp"
}
step "address spaces and overloads, by $("$clang" --version | head -n 1)"
strict -Wall -Werror -Wno-unused
# A cast from one space to another is legal there: it shows in the syntax tree.
strict -w -Xclang -ast-dump >"$out/tree"
if grep -n 'CastExpr.*AddressSpaceConversion' "$out/tree"; then
	echo "A pointer is cast from one address space to another: see the lines above." >&2
	exit 1
fi

scripts/emulator.sh
scripts/emulator.sh check
for order in forward reverse shuffled; do
	step "results, lanes in $order order"
	INGLENOOK_METAL_ORDER=$order "$go" test -count=1 -timeout 60m ./gpu/... ./metalbackend ./metalbackend/emulated
done
step "results, with denormals flushed and reductions that pass over NaN"
INGLENOOK_METAL_LAX=1 "$go" test -count=1 -timeout 60m ./gpu/... ./metalbackend ./metalbackend/emulated
step "every access"
INGLENOOK_METAL_EMULATOR=$PWD/build/metal/emulator_check.so "$go" test -count=1 -timeout 60m ./gpu/... ./metalbackend ./metalbackend/emulated

step "planted mistakes"
planted=gpu/emulator/testdata/planted.metal
scripts/emulator.sh check $planted build/metal/planted.so
"$go" test -count=1 -tags kernels -run TestPlanted ./gpu/emulator
echo "all $(grep -c '^kernel' $planted) as expected"

step "NVIDIA's compiler"
"$go" test -count=1 -v -timeout 60m -run TestCompile ./metalbackend/cuda
