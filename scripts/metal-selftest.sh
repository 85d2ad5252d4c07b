#!/bin/sh
# Tries the Metal kernels on this Mac's GPU: every kind of operation against the CPU, every case of
# the conformance suite against the float64 reference, and the bundled model; then everything once
# more under Metal's validation. What it prints also goes to one file, build/metal-selftest.txt; the
# exit code says whether all was well. With EMULATED=1 the kernels run on the processor instead.
set -eu
cd "$(dirname "$0")/.."

go=${GO:-go}
report=build/metal-selftest.txt
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

# selftest runs where the test's package is, as go test does. It is a process of its own: Metal may end it.
selftest() { (cd app && exec env "$@" ../build/metal-selftest -test.run '^TestMetal$' -test.timeout 60m); }

machine() {
	git rev-parse --short HEAD 2>/dev/null || true
	uname -srm
	if [ "$(uname)" = Darwin ]; then
		sw_vers
		sysctl hw.model machdep.cpu.brand_string hw.memsize 2>/dev/null || true
	fi
}

echo 0 >build/metal-selftest.code
{
	machine
	selftest || echo 1 >build/metal-selftest.code
	if [ "$(uname)" = Darwin ]; then
		echo
		echo "Once more under Metal's validation, which ends the program at the first wrong message"
		selftest MTL_DEBUG_LAYER=1 MTL_SHADER_VALIDATION=1 || echo 1 >build/metal-selftest.code
	fi
} 2>&1 | tee "$report"
echo "All of this is in $report."
exit "$(cat build/metal-selftest.code)"
