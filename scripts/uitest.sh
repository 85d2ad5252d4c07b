#!/bin/bash
# Uses the real window as a person does, under a virtual display with a window manager: clicks, typing,
# keys, dropped files. Each step must show its effect in the program's log, its settings, a file or the
# picture of the window. Pictures go to build/uitest. Fails with the first step that has no effect.
#
# It clicks on things by their names: the program is built with the tag uitest, and then says where
# they stand. walk_test.go holds that each name is one of the window.
#
#	scripts/uitest.sh
#	PARTS="models documents" scripts/uitest.sh	# Similarity and these rooms
set -euo pipefail
cd "$(dirname "$0")/.."

pictures=${PICTURES:-build/uitest}
shared=${SHARED:-../shared} # where models for tests lie
work=$(mktemp -d)
started=()
steps=0
clicks=0
slow=1 # how many times as long as usual everything takes

cleanup() {
	for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
	wait 2>/dev/null || true # a program that ends still writes its settings
	rm -rf "$work"
}
trap cleanup EXIT

fail() {
	echo "uitest: $1" >&2
	[ -z "${window:-}" ] || timeout 5 import -window "$window" "$pictures/failed.png" 2>/dev/null || true
	[ ! -f "$work/output" ] || tail -5 "$work/output" >&2
	[ ! -f "$log" ] || tail -5 "$log" >&2
	exit 1
}

# ---- what it needs -------------------------------------------------------------------------------------

python=
for p in python3 /usr/bin/python3; do
	if "$p" -c 'import Xlib' 2>/dev/null; then python=$p; break; fi
done
for tool in Xvfb openbox xdotool import compare; do
	command -v "$tool" >/dev/null || python=
done
if [ -z "$python" ]; then
	if [ "$(uname)" != Linux ]; then
		echo "uitest: needs Linux with Xvfb, openbox, xdotool, ImageMagick and python3-xlib; skipped."
		exit 0
	fi
	scripts/apt.sh install xvfb openbox xdotool imagemagick python3 python3-xlib libgl1-mesa-dri
	python=/usr/bin/python3
fi
program=$work/program
"${GO:-go}" build -tags uitest -o "$program" .
"${GO:-go}" build -o "$work/loopbackhub" ./scripts/loopbackhub # as long as HOME has Go's cache

# ---- display, window manager, program ------------------------------------------------------------------

mkdir -p "$pictures"
rm -f "$pictures"/*.png
exec 3<>"$work/display-number"
Xvfb -displayfd 3 -screen 0 1400x900x24 +extension GLX >/dev/null 2>&1 &
started+=($!)
for _ in $(seq 100); do [ -s "$work/display-number" ] && break; sleep 0.1; done
DISPLAY=:$(tr -d '\n' <"$work/display-number")
export DISPLAY LIBGL_ALWAYS_SOFTWARE=1 HOME="$work/home" INGLENOOK_HOME="$work/inglenook"
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME HF_HOME HF_HUB_CACHE
mkdir -p "$HOME" "$work/bin"
# The dialogs for files are the window's own: no desktop is there to show others.
export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/no-bus PATH=$work/bin:$PATH
for tool in zenity kdialog; do
	printf '#!/bin/sh\necho "cannot open display" >&2\nexit 1\n' >"$work/bin/$tool"
	chmod +x "$work/bin/$tool"
done
openbox >/dev/null 2>&1 &
started+=($!)
sleep 0.5

log=$INGLENOOK_HOME/data/log/inglenook.log
settings=$INGLENOOK_HOME/config/settings.json

# start_program [ARGS]: starts it and waits for its window.
start_program() {
	local began
	began=$(date +%s%N)
	"$program" "$@" >"$work/output" 2>&1 &
	pid=$!
	started+=("$pid")
	window=
	for _ in $(seq 1000); do
		window=$(xdotool search --onlyvisible --name '^Inglenook$' 2>/dev/null | tail -1 || true)
		[ -n "$window" ] && break
		kill -0 "$pid" 2>/dev/null || fail "the program ended at once"
		sleep 0.02
	done
	[ -n "$window" ] || fail "no window after 20 s"
	local took=$((($(date +%s%N) - began) / 1000000))
	echo "  window after $took ms"
	slow=$((took / 1500 < 1 ? 1 : took / 1500 > 6 ? 6 : took / 1500))
	xdotool windowactivate --sync "$window"
}

# ---- hands and eyes ------------------------------------------------------------------------------------

click() {
	xdotool mousemove --window "$window" "$1" "$2" sleep 0.15 click 1 sleep 0.15
	clicks=$((clicks + 1))
}

# tap NAME [WHICH]: clicks on what has this name, or one that begins with it; of several on the first, or
# on that one. Waits until it is there.
tap() {
	within 60 finds "$@" || fail "$1 is not in view"
	click $place
}
finds() {
	rm -f "$INGLENOOK_HOME/places"
	kill -USR1 "$pid"
	within 5 test -e "$INGLENOOK_HOME/places" || return 1
	place=$(awk -F '\t' -v name="$1" -v which="${2:-1}" '
		$3 == name { whole[++n] = $1 " " $2 }
		index($3, name) == 1 { begun[++m] = $1 " " $2 }
		END { print n ? whole[which] : begun[which] }' "$INGLENOOK_HOME/places")
	[ -n "$place" ]
}
# pause SECONDS: as long as a person would wait, and longer on a computer that is busy.
pause() { sleep "$("$python" -c "print($1 * $slow)")"; }
press() { xdotool key --clearmodifiers "$@" sleep 0.15; }
write() { xdotool type --delay 40 "$1"; }
drop() { "$python" scripts/drop.py "$window" 620 400 "$@" || fail "the drop was not taken"; }
picture() { import -window "$window" "$pictures/$1.png"; }

# within SECONDS COMMAND...: the command succeeds in time.
within() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}

# step NAME COMMAND...: the effect that must show.
step() {
	local name=$1
	shift
	within 60 "$@" || fail "$name: no effect ($*)"
	steps=$((steps + 1))
	echo "ok $steps  $name"
}

# compared N: the last comparison took N texts, and there is one more than before.
compared() {
	local line
	line=$(grep 'msg=embed ' "$log" 2>/dev/null | tail -1)
	[[ $line == *"texts=$1 "* ]] && [ "$(comparisons)" -gt "$before" ]
}
comparisons() { grep -c 'msg=embed ' "$log" 2>/dev/null || true; }
kept() { "$python" -c 'import json,sys; s=json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' "$settings" "$1" 2>/dev/null; }
logged() { grep -q "$1" "$log"; }
changed() { # changed NAME PERCENT: the window differs from picture NAME in at least so much of its area
	import -window "$window" "$work/now.png"
	local pixels
	pixels=$(compare -metric AE "$pictures/$1.png" "$work/now.png" null: 2>&1 | cut -d' ' -f1 || true)
	"$python" -c "import sys; sys.exit(not float('$pixels') > 1240*800*$2/100)"
}
gone() { ! kill -0 "$pid" 2>/dev/null; }

# ---- the story -----------------------------------------------------------------------------------------

[ -n "${PARTS:-}" ] || . scripts/uitest-first.sh
before=0
start_program
xdotool windowsize --sync "$window" 1240 800
pause 1
if [ -n "${PARTS:-}" ]; then
	echo "  the first start and the Chat room are left out"
elif [ -d "$shared/models/stories260K" ]; then
	. scripts/uitest-chat.sh
else
	echo "  the Chat room is left out: there is no $shared/models/stories260K to converse with"
fi

before=0
press ctrl+4
step "the samples are compared without being asked" compared 10
pause 1
picture 1-first
echo "  memory: $(awk '/VmRSS/ {print int($2 / 1024)}' "/proc/$pid/status") MB"

click 714 250
step "a click on a cell selects it" changed 1-first 0.5
picture 2-cell

tap "Type or paste texts"
write "A cat naps where it is warm"
press Return
step "a typed text takes the place of the samples" kept 's["similarity_texts"] == ["A cat naps where it is warm"]'
for of in "The cat" "The dog" "A horse" "The river" "The train"; do
	printf '%s is slow.\n%s is quick.\n' "$of" "$of"
done >"$work/ten lines.txt"
drop "$work/ten lines.txt"
step "and ten more follow" kept 'len(s["similarity_texts"]) == 11'
before=$(comparisons)
press ctrl+Return
step "Ctrl+Enter compares eleven texts" compared 11
pause 0.5
picture 3-typed

printf 'Snow fell on the hills.\n\n這是中文的一個句子\nA winter storm is coming. 🔥\n' >"$work/three lines.txt"
before=$(comparisons)
drop "$work/three lines.txt"
step "a dropped file adds its lines" kept 'len(s["similarity_texts"]) == 14'
tap "Compare" 2
step "the Compare button compares fourteen" compared 14

press ctrl+4
click 268 305
press Delete
step "Delete removes a text" kept 'len(s["similarity_texts"]) == 13'
press ctrl+z
step "Ctrl+Z brings it back" kept 'len(s["similarity_texts"]) == 14'
tap "Clear"
step "Clear empties the list" kept 's["similarity_texts"] == []'
picture 4-empty
tap "Undo"
step "Undo brings all texts back" kept 'len(s["similarity_texts"]) == 14'

press ctrl+s
pause 1
picture 5-save
press Return
step "the matrix is saved as CSV" logged "msg=exported file=similarity.csv"
step "with a row and a column for each text" "$python" -c "
import csv; r = list(csv.reader(open('$HOME/similarity.csv')))
assert len(r) == 15 and all(len(x) == 15 for x in r) and float(r[3][3]) > 0.999"
press ctrl+shift+s
pause 1
press Return
step "the picture is saved as PNG" logged "msg=exported file=similarity.png"
step "and is one" "$python" -c "assert open('$HOME/similarity.png', 'rb').read(4) == b'\\x89PNG'"

cp "$HOME/similarity.png" "$pictures/5-saved.png"

for part in ${PARTS:-performance models documents rerank classify}; do . "scripts/uitest-$part.sh"; done
press ctrl+4 # whatever room was the last
tap "Compare"

press ctrl+7
step "Ctrl+7 leads to Settings" kept 's["window"]["panel"] == "settings"'
picture 6-settings
tap "Dark"
step "a click chooses the dark theme" kept 's["theme"] == "dark"'
tap "Light"
step "and another the light one" kept 's["theme"] == "light"'
tap "Similarity"
step "a click on the rail leads back" kept 's["window"]["panel"] == "similarity"'

mkdir "$work/my model"
cp -R assets/starter/. "$work/my model"
before=$(comparisons)
drop "$work/my model"
step "a dropped model folder is used" compared 14
step "and remembered" kept 'any(r.endswith("my model") for r in s["recent"])'
press ctrl+m
pause 0.7
picture 7-models
press Escape

head -c 4096 /dev/urandom >"$work/noise.txt"
picture 8-before-noise
drop "$work/noise.txt"
step "a binary file is refused in the panel" logged 'noise.txt is not a text file'
step "with a sentence in view" changed 8-before-noise 1
picture 8-refused
press Escape

"$program" >"$work/second" 2>&1 && second=0 || second=$?
step "a second start ends at once" test "$second" = 0
step "and the first goes on" kill -0 "$pid"

xdotool windowsize --sync "$window" 820 580
pause 1
picture 9-small
"$python" -c "
for i in range(1500): print(f'Sentence number {i} is about the weather, the sea and {i % 7} ships.')" >"$work/many.txt"
drop "$work/many.txt"
step "1,500 lines are added" kept 'len(s["similarity_texts"]) == 1514'
press ctrl+Return
pause 1
began=$(date +%s%N)
press ctrl+q
within 10 gone || fail "the program does not end while it works"
took=$((($(date +%s%N) - began) / 1000000))
echo "  ended after $took ms while it worked"
[ "$took" -lt 2500 ] || fail "quitting took $took ms"
step "quitting while it works" gone
step "the size of the window is kept" kept '810 < s["window"]["width"] < 830 and len(s["similarity_texts"]) == 1514'

start_program
step "the next start opens it as it was left" test "$(xdotool getwindowgeometry "$window" | awk '/Geometry/ {print $2}')" = 820x580
pause 1
picture 10-again
press ctrl+q
within 10 gone || fail "the program does not end"
# Fyne saves its preferences while it watches that file, and may read it half written at the end.
grep -v -e 'Preferences load error' -e 'Cause: EOF' -e 'app/preferences.go' "$work/output" >"$work/unexpected" || true
[ ! -s "$work/unexpected" ] || fail "it printed: $(head -3 "$work/unexpected")"

echo "$steps steps; pictures in $pictures"
