#!/bin/sh
# Runs the tests of the CPU kernels and of the model families as arm64 runs them: on any other Linux
# by a cross compiler and qemu. First as a processor with products of matrices of bytes, which runs the
# kernels of the others too, then, in part, as one with dot products of bytes only and as one without.
# Needs no window and no tokenizer library.
set -eu
cd "$(dirname "$0")/.."

go=${GO:-go}
[ "$(uname)" = Linux ] || {
	echo "Tests of arm64 under qemu need Linux; on a Mac with an M processor 'make test' runs these kernels." >&2
	exit 1
}
if [ "$(uname -m)" = aarch64 ]; then
	exec "$go" test -count=1 -timeout 60m ./cpubackend ./models
fi

emulator() { command -v qemu-aarch64-static || command -v qemu-aarch64; }
compiler=aarch64-linux-gnu-gcc
roots=/usr/aarch64-linux-gnu # of the cross compiler's libraries

if ! command -v $compiler >/dev/null || ! emulator >/dev/null || [ ! -d $roots ]; then
	command -v apt-get >/dev/null || {
		echo "A cross compiler ($compiler, with its C library in $roots) or qemu-aarch64 is missing. Install them, then run make test-arm64 again." >&2
		exit 1
	}
	echo "Installing the cross compiler for arm64 and qemu"
	scripts/apt.sh install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
fi
qemu=$(emulator)

# as CPU ARGUMENT...: go test as that processor.
as() {
	cpu=$1
	shift
	GOOS=linux GOARCH=arm64 CGO_ENABLED=1 CC=$compiler "$go" test -count=1 -vet=off -short -timeout 90m \
		-exec "$qemu -L $roots -cpu $cpu" "$@"
}

# What threads do to each other qemu does not show: it keeps the host's order of memory.
as max -run 'Options|Conformance|Blocks|BlockTypes|RowAlone|MatricesOfBytes|Expert|Outlier|TestCausalAttention$|NaN|Tied' ./cpubackend -isa i8mm
as neoverse-n1 -run 'Options|RowAlone' ./cpubackend -isa dotprod
as cortex-a72 -run 'Options|LinearBlocks|EmbedBlockTypes' ./cpubackend -isa generic
as max -run 'Parity|Chunks|CutBack|Wanted|CacheTypes|BatchEqualsAlone|FirstRow' ./models
