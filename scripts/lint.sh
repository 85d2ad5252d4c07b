#!/bin/sh
# Checks the format (gofumpt) and the code (go vet, staticcheck). The tools are pinned here and
# built into build/tools, so that go.mod names only what the program links.
set -eu
cd "$(dirname "$0")/.."

go=${GO:-go}
gofumpt=v0.9.2
staticcheck=v0.8.2 # release 2026.2.2

# tool NAME VERSION PACKAGE: sets $tool to the program, built if need be.
tool() {
	tool=build/tools/$1-$2/$1
	if [ ! -x "$tool" ]; then
		GOBIN=$PWD/build/tools/$1-$2 GOFLAGS= "$go" install "$3@$2"
	fi
}

tool gofumpt $gofumpt mvdan.cc/gofumpt
unformatted=$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0 "$tool" -l)
if [ -n "$unformatted" ]; then
	echo "Not formatted (run '$tool -w FILE'):" >&2
	echo "$unformatted" >&2
	exit 1
fi

"$go" vet ./...

tool staticcheck $staticcheck honnef.co/go/tools/cmd/staticcheck
"$tool" ./...
echo "lint: nothing to complain about"
