#!/bin/bash
# Measures how long the window pauses while an answer of 4,000 tokens streams into it, under a virtual
# display, which paints in software. Prints a line for every two seconds; the first ones, before the
# answer begins, and the last ones are the window at rest.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in Xvfb openbox xdotool; do
	command -v "$tool" >/dev/null || scripts/apt.sh install xvfb openbox xdotool libgl1-mesa-dri
done
"${GO:-go}" build -o build/framegaps ./scripts/framegaps

work=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
exec 3<>"$work/display-number"
Xvfb -displayfd 3 -screen 0 1400x900x24 +extension GLX >/dev/null 2>&1 &
started+=($!)
for _ in $(seq 100); do [ -s "$work/display-number" ] && break; sleep 0.1; done
DISPLAY=:$(tr -d '\n' <"$work/display-number")
export DISPLAY LIBGL_ALWAYS_SOFTWARE=1 LANG=en_US.UTF-8 HOME="$work/home" INGLENOOK_HOME="$work/inglenook"
openbox >/dev/null 2>&1 &
started+=($!)
sleep 0.5
build/framegaps &
started+=($!)
window=
for _ in $(seq 100); do
	window=$(xdotool search --onlyvisible --name '^Inglenook$' 2>/dev/null | tail -1) && [ -n "$window" ] && break
	sleep 0.1
done
xdotool windowactivate --sync "$window"
sleep 6
xdotool type --delay 40 "Tell me about fires"
xdotool key Return
echo "the answer begins"
sleep 44
