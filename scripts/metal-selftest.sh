#!/bin/sh
# Tries the Metal kernels on this Mac's GPU: every kind of operation against the CPU, every case of
# the conformance suite against the float64 reference, and the bundled model. Prints tables; the
# exit code says whether all was well. With EMULATED=1 the kernels run on the processor instead.
set -eu
cd "$(dirname "$0")/.."

go=${GO:-go}
if [ "$(uname)" != Darwin ] && [ -z "${EMULATED:-}" ]; then
	echo "There is no Metal here: it is a part of macOS. On this machine the same kernels can run on"
	echo "the processor, through the same host code:  make metal-selftest EMULATED=1"
	exit 0
fi
if [ -n "${EMULATED:-}" ]; then
	scripts/emulator.sh
	export INGLENOOK_METAL_EMULATOR="${INGLENOOK_METAL_EMULATOR:-$PWD/build/metal/emulator.so}"
fi
mkdir -p build
"$go" test -c -tags selftest -o build/metal-selftest ./app
# Run where the test's package is, as go test does.
cd app
exec ../build/metal-selftest -test.run '^TestMetal$' -test.timeout 60m
