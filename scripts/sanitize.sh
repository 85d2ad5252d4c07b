#!/bin/sh
# Runs the kernels of the processor, on every instruction set that this machine has, and the
# emulator of Metal under the address sanitizer and the undefined-behaviour sanitizer of gcc. The
# first report ends the run. Linux on x86-64 and arm64; minutes.
#
#	scripts/sanitize.sh          both
#	scripts/sanitize.sh kernels  the kernels of the processor alone
#	scripts/sanitize.sh emulator the emulator alone
set -eu
cd "$(dirname "$0")/.."

go=${GO:-go}
what=${1:-all}
step() { echo "== $*"; }

case $(uname -s)/$(uname -m) in
Linux/x86_64 | Linux/aarch64) ;;
*)
	echo "The sanitizers run on Linux, on x86-64 and arm64." >&2
	exit 1
	;;
esac

# What tests ask for and cannot have (2^55 bytes) is refused, as the system does. What threads
# hold as the program ends is no leak. Frames stay on the stack: gcc 13 places them wrongly for
# vectors of 64 bytes elsewhere (its bug 110027), and fibers have stacks of their own.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0:detect_stack_use_after_return=0
export UBSAN_OPTIONS=print_stacktrace=1

# Left out: what measures time, or the memory that the system gives, which the sanitizer
# manages here.
left_out='TestCancel|TestIdleUsesNoTime|TestPeak|TestCacheTakesMemoryAsItFills|TestMemoryOwnsWhatItGivesBack|TestPrepareTakesLittleMemory'

kernels() {
	step "the kernels of the processor: every operation, type and shape of the suite"
	# A report names the kernel only where the binary of the test is kept: without -o it has no symbols.
	mkdir -p build/sanitize
	# The reference in Go knows its own bounds and would take hours under the sanitizer.
	CC=${CC:-gcc} CGO_CFLAGS="-g1 -fno-omit-frame-pointer -fsanitize=undefined -fno-sanitize-recover=undefined" \
		CGO_LDFLAGS="-fsanitize=undefined" \
		"$go" test -asan -gcflags='inglenook/engine/...=-asan=false' -short -count=1 -timeout 60m -skip "$left_out" \
		-o build/sanitize/ ./cpubackend ./cpubackend/scan
}

emulator() {
	step "the emulator of Metal"
	planted=gpu/emulator/testdata/planted_sanitize.metal
	scripts/emulator.sh sanitize
	scripts/emulator.sh sanitize $planted build/metal/planted_sanitize.so
	# Go loads the emulator as it runs; the sanitizers have to be there before.
	before="$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)"
	INGLENOOK_METAL_EMULATOR=$PWD/build/metal/emulator_sanitize.so "$go" test -tags sanitize -short -count=1 -timeout 60m \
		-exec "env LD_PRELOAD=$before" ./gpu/emulator ./metalbackend/emulated
}

case $what in
all)
	kernels
	emulator
	;;
kernels | emulator) $what ;;
*)
	echo "usage: scripts/sanitize.sh [kernels|emulator]" >&2
	exit 2
	;;
esac
echo "sanitize: nothing reported"
