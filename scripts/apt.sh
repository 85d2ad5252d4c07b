#!/bin/sh
# apt-get for Debian and Ubuntu, as root or by sudo, asking nothing but sudo's password.
#
#	scripts/apt.sh allowed             whether this user may install packages
#	scripts/apt.sh update
#	scripts/apt.sh install PACKAGE...  with a fresh list of packages
#
# It adds packages, and never removes or replaces one. Where it may not run, it says which command
# does the work, and fails.
set -eu

allowed() {
	[ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; }
}

# Another apt (unattended upgrades, say) may hold the lock: wait for it.
apt() {
	root=
	if [ "$(id -u)" != 0 ]; then
		root=sudo
		echo "sudo apt-get $*"
	fi
	$root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120 "$@"
}

action=$1
shift
if [ "$action" = allowed ]; then
	allowed
elif ! allowed; then
	echo "System packages are missing, and only root can install them. Run this as root, then make again:" >&2
	echo "  apt-get update && apt-get install -y $*" >&2
	exit 1
else
	apt update
	if [ "$action" = install ]; then
		apt install -y --no-install-recommends --no-remove "$@"
	fi
fi
