#!/bin/sh
# Runs every fuzz target for a short time: scripts/fuzz.sh [TIME], 20s each unless told.
# What a target finds is written to testdata/fuzz/ of its package: commit it with the repair.
set -eu
cd "$(dirname "$0")/.."

go=${GO:-go}
time=${1:-20s}

grep -rn --include='*_test.go' '^func Fuzz' . |
	sed -n 's|^\(.*\)/[^/]*:[0-9]*:func \(Fuzz[A-Za-z0-9_]*\)(.*|\1 \2|p' |
	sort -u >build/fuzz-targets

count=0
log=build/fuzz.log
while read -r package target; do
	if ! "$go" test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package" </dev/null >"$log" 2>&1; then
		# Go's fuzzer also fails when its own time ends in the middle of an input; that is no finding.
		if ! grep -q '^ *context deadline exceeded$' "$log" || grep -q 'Failing input written' "$log"; then
			cat "$log"
			exit 1
		fi
	fi
	inputs=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$log" | tail -1)
	echo "$package $target: ${inputs:-0} inputs"
	count=$((count + 1))
done <build/fuzz-targets
echo "$count fuzz targets, $time each, nothing found"
