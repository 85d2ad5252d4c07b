#!/bin/sh
# Brings a machine that has git, make, curl and Go to the point where the program builds: a C and
# C++ compiler, and on Linux the headers of OpenGL and X11 that Fyne's window needs. What is there
# already is left alone; packages are asked for only when a small C program does not link.
set -eu
cd "$(dirname "$0")/.."

go=${GO:-go}

fail() {
	printf '%s\n' "$@" >&2
	exit 1
}

check_go() {
	command -v "$go" >/dev/null ||
		fail "Go is missing. Install Go 1.26 or newer from https://go.dev/dl/, then run make again."
	# In this folder Go 1.21 and newer switch to the release that go.mod asks for, if they can get it.
	version=$("$go" version 2>/dev/null | sed -n 's/.* go1\.\([0-9]*\).*/\1/p')
	[ "${version:-0}" -ge 26 ] ||
		fail "Go 1.26 or newer is needed; this is $(GOTOOLCHAIN=local "$go" version). Install it from https://go.dev/dl/, then run make again."
}

# links: whether what the window and the tokenizer library need compiles and links.
links() {
	command -v cc >/dev/null && command -v c++ >/dev/null && command -v pkg-config >/dev/null || return 1
	pkg-config --exists gl || return 1
	printf '%s\n' \
		'#include <GL/gl.h>' \
		'#include <X11/Xcursor/Xcursor.h>' \
		'#include <X11/XKBlib.h>' \
		'#include <X11/extensions/Xrandr.h>' \
		'#include <X11/extensions/Xinerama.h>' \
		'#include <X11/extensions/XInput2.h>' \
		'#include <X11/extensions/xf86vmode.h>' \
		'int main(void) { return 0; }' |
		cc -x c -o /dev/null - -x none \
			-lGL -lX11 -lXrandr -lXxf86vm -lXi -lXcursor -lXinerama -lstdc++ -lm -ldl 2>/dev/null
}

setup_linux() {
	if links; then return 0; fi
	if command -v apt-get >/dev/null; then
		packages="gcc g++ libc6-dev pkg-config ca-certificates libgl1-mesa-dev libx11-dev libxcursor-dev libxrandr-dev libxinerama-dev libxi-dev libxxf86vm-dev"
		echo "Installing the compiler and the window's libraries: $packages"
		# shellcheck disable=SC2086 # the list is meant to be split
		scripts/apt.sh install $packages
		links || fail "The packages are installed, but a test program still does not link with OpenGL and X11. See what 'cc' and 'pkg-config --libs gl' say."
		return 0
	fi
	fail "A C compiler or the headers of OpenGL and X11 are missing. Install them, then run make again:" \
		"  Fedora:   sudo dnf install gcc gcc-c++ pkgconf mesa-libGL-devel libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel" \
		"  Arch:     sudo pacman -S --needed gcc pkgconf mesa libx11 libxcursor libxrandr libxinerama libxi libxxf86vm" \
		"  openSUSE: sudo zypper install gcc gcc-c++ pkgconf Mesa-libGL-devel libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel"
}

setup_macos() {
	# /usr/bin/cc is there on every Mac; without the tools it only opens a dialog that offers them.
	xcode-select -p >/dev/null 2>&1 ||
		fail "Apple's command line tools are missing. Run 'xcode-select --install', wait until it is done, then run make again."
}

check_go
case $(uname) in
Linux) setup_linux ;;
Darwin) setup_macos ;;
*) fail "Inglenook builds on Linux and macOS; this is $(uname)." ;;
esac
