#!/bin/sh
# Prints the path of a cargo that can build the tokenizer library, installing one where none is
# found. All other output goes to stderr. Its lock file and crates need 1.81 or newer.
#
# In this order: $CARGO, each folder of the PATH, what rustup has, the system's packages, rustup.
set -eu
cd "$(dirname "$0")/.."

oldest=81 # of 1.x

good() {
	"$1" --version 2>/dev/null | awk -v oldest=$oldest '
		NR == 1 { split($2, v, "."); ok = v[1] > 1 || v[2] >= oldest }
		END { exit !ok }'
}

# everywhere: prints each path where a cargo may be, one a line. The first one on the PATH may be that
# of a rustup without a toolchain, which builds nothing, and a good one may come after it.
everywhere() {
	command -v "${CARGO:-cargo}" 2>/dev/null || true
	echo "$PATH" | tr ':' '\n' | sed 's|$|/cargo|'
	ls -d "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" "${RUSTUP_HOME:-$HOME/.rustup}"/toolchains/*/bin/cargo /usr/lib/rust-*/bin/cargo 2>/dev/null || true
}

# found: prints the first good cargo on this machine. Ubuntu has versioned ones, such as cargo-1.85.
found() {
	everywhere | while read -r path; do
		if [ -x "$path" ] && good "$path"; then
			echo "$path"
			break
		fi
	done | grep .
}

# packaged: the names of the apt packages that bring a new enough cargo, the best one first.
# Debian's own cargo is old; the one it builds browsers with (cargo-web) is new.
packaged() {
	for package in cargo cargo-web $(apt-cache pkgnames cargo-1. 2>/dev/null | grep -x 'cargo-1\.[0-9]*' | sort -t. -k2,2nr); do
		# apt-cache policy says "Candidate: 1.96.0+dfsg1-1"; Debian 12 still counts cargo as 0.66.
		apt-cache policy "$package" 2>/dev/null | awk -v oldest=$oldest '
			$1 == "Candidate:" { split($2, v, "."); ok = v[1] == 1 && v[2] + 0 >= oldest }
			END { exit !ok }' || continue
		case $package in
		cargo) echo cargo rustc ;;
		cargo-web) echo cargo-web rustc-web ;;
		*) echo "$package" "$(echo "$package" | sed 's/cargo/rustc/')" ;;
		esac
		return 0
	done
	return 1
}

if found; then exit 0; fi

echo "The tokenizer library is built by cargo (Rust) 1.$oldest or newer; this machine has none." >&2
if [ "$(uname)" = Darwin ]; then
	if command -v brew >/dev/null; then
		brew install rust >&2
	fi
elif command -v apt-get >/dev/null; then
	if scripts/apt.sh allowed; then
		if [ -z "$(apt-cache pkgnames cargo)" ]; then
			scripts/apt.sh update >&2 || true
		fi
		if packages=$(packaged); then
			# shellcheck disable=SC2086 # the list is meant to be split
			scripts/apt.sh install $packages >&2 || true
		fi
	fi
fi
if found; then exit 0; fi

# Never over a toolchain that is the person's own: with rustup at hand they choose the version.
if command -v rustup >/dev/null; then
	echo "The Rust that rustup has chosen is missing or too old. Run 'rustup update stable', then make again." >&2
	exit 1
fi
echo "Installing Rust with rustup into ${CARGO_HOME:-$HOME/.cargo} (https://rustup.rs); the shell's start-up files stay as they are." >&2
if curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --quiet --profile minimal --no-modify-path >&2 && found; then
	exit 0
fi
echo "Rust could not be installed. Install it from https://rustup.rs, then run make again." >&2
exit 1
