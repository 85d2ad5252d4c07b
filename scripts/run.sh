#!/bin/sh
# Opens the window with the model in $MODEL, if any, handing it the arguments. Without a display the
# same main job runs in this terminal, and Fyne's software painter draws the window into picture files.
set -eu
cd "$(dirname "$0")/.."

if [ -n "${MODEL:-}" ]; then
	set -- --model "$MODEL" "$@"
fi

if [ "$(uname)" != Linux ] || [ -n "${DISPLAY:-}" ]; then
	exec bin/inglenook "$@"
fi

if [ -n "${WAYLAND_DISPLAY:-}" ]; then
	echo "This Wayland session has no X11 display (XWayland), which the window needs."
else
	echo "There is no display here, so no window can open."
fi
echo "This is the same job in the terminal (bin/inglenook demo):"
echo
bin/inglenook demo ${MODEL:+--model "$MODEL"}

pictures=build/snapshots
mkdir -p "$pictures"
bin/inglenook --snapshot "$pictures" "$@"
echo
echo "Pictures of the window, drawn without a display:"
ls "$pictures"/*.png
