#!/bin/sh
# Compares two versions of the Metal kernels on an NVIDIA card, and checks the newer one there.
#
#	scripts/cuda.sh pack OLD [FOLDER]    here: FOLDER (build/cuda) gets the test programs of the tree OLD and of this tree
#	scripts/cuda.sh run [FOLDER]         on the machine with the card, which needs no Go and no network: the
#	                                     conformance suite with the new kernels, each kernel before and after, taken in turns,
#	                                     and compute-sanitizer's four tools; 8 minutes at most
#
# What run finds goes to $OUT (build/cuda/out). INGLENOOK_NVRTC may name NVIDIA's compiler.
set -eu
cd "$(dirname "$0")/.."

folder=${2:-build/cuda}
case ${1:-} in
pack)
	old=${2:?the tree to compare with}
	folder=${3:-build/cuda}
	mkdir -p "$folder"
	folder=$(cd "$folder" && pwd)
	go test -c -ldflags "-s -w" -o "$folder/new" ./metalbackend/cuda
	# The old kernels with this way of measuring them.
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	cp -R "$old/." "$work"
	rm -f "$work"/metalbackend/cuda/*.go
	cp metalbackend/cuda/*.go "$work/metalbackend/cuda"
	(cd "$work" && go test -c -ldflags "-s -w" -o "$folder/old" ./metalbackend/cuda)
	gzip -9 -f "$folder/new" "$folder/old"
	ls -l "$folder"
	exit 0
	;;
run) ;;
*)
	sed -n '2,11s/^# \{0,1\}//p' "$0"
	exit 2
	;;
esac

start=$(date +%s)
elapsed() { echo $(($(date +%s) - start)); }
step() { echo "== [$(elapsed) s] $*"; }
out=${OUT:-build/cuda/out}
work=$(mktemp -d)
mkdir -p "$out" "$work/code"
# The ends of the logs, in one file.
finish() {
	for log in "$out"/*.log; do tail -n 400 "$log" >"$work/$(basename "$log")"; done
	(cd "$work" && tar czf logs.tgz -- *.log && mv logs.tgz "$OLDPWD/logs.tgz.new") && mv logs.tgz.new "$out/logs.tgz" && rm "$out"/*.log
}
trap finish EXIT
export INGLENOOK_CUBINS="$work/code"
for name in new old; do
	gzip -dc "$folder/$name.gz" >"$work/$name"
	chmod +x "$work/$name"
done
if [ -z "${INGLENOOK_NVRTC:-}" ]; then
	INGLENOOK_NVRTC=$({ ls /usr/local/cuda/lib64/libnvrtc.so.1? 2>/dev/null || find / -xdev -name 'libnvrtc.so.1?' 2>/dev/null; } | head -n 1)
	export INGLENOOK_NVRTC
fi

step "compiling both with $INGLENOOK_NVRTC"
for name in new old; do
	"$work/$name" -test.run '^$' -test.bench 'Kernels/scale_1_' -test.benchtime 1x >"$out/compile_$name.log" 2>&1 &
done
wait
grep -h '^BenchmarkKernels' "$out"/compile_*.log || { cat "$out"/compile_*.log; exit 1; }

# shards PREFIX COMMAND: the suite in parts side by side, each with a log.
shards() {
	prefix=$1
	shift
	"$@" "$work/new" -test.v -test.run 'TestConformance/^linear' >"$out/${prefix}_linear.log" 2>&1 &
	"$@" "$work/new" -test.v -test.run 'TestConformance/^(causal_|)attention' >"$out/${prefix}_attention.log" 2>&1 &
	"$@" "$work/new" -test.v -test.run TestConformance -test.skip 'TestConformance/^(linear|(causal_|)attention)' >"$out/${prefix}_others.log" 2>&1 &
}
# count PREFIX: what became of the cases.
count() {
	cat "$out/$1"_*.log | awk -v name="$1" '
		/^    --- PASS: TestConformance/ { pass++ } /^    --- FAIL: TestConformance/ { fail++ } /^    --- SKIP/ { skip++ }
		/ERROR SUMMARY/ { errors += $4; ended++ } /^PASS/ { whole++ }
		END { printf "%-12s %d cases right, %d wrong, %d skipped; %d of 3 parts came to their end", name, pass, fail, skip, whole; if (ended) printf "; %d errors", errors; print "" }'
	grep -h -m 3 -E '^ *--- FAIL|========= (Invalid|Error|Race|Barrier|Uninit)' "$out/$1"_*.log || true
}

step "conformance"
shards conformance timeout 150
wait
count conformance

step "before and after, in turns"
for round in 1 2 3; do
	for name in old new; do
		timeout 75 "$work/$name" -test.run '^$' -test.bench Kernels -test.benchtime 10x >"$out/bench_${name}_$round.log" 2>&1 || echo "$name: not all was measured in round $round"
	done
done
cat "$out"/bench_old_*.log "$out"/bench_new_*.log >"$work/all"
for name in old new; do
	cat "$out"/bench_${name}_*.log | awk -v name=$name '/^BenchmarkKernels\// { sub(/^BenchmarkKernels\//, "", $1); sub(/-[0-9]+$/, "", $1); print $1, name, $3 }'
done | awk '
	{ key = $1 " " $2; if (!(key in best) || $3 < best[key]) best[key] = $3; if (!($1 in seen)) { seen[$1] = 1; order[++n] = $1 } }
	END {
		printf "%-60s %12s %12s %7s\n", "operation", "before, us", "after, us", "ratio"
		for (i = 1; i <= n; i++) {
			o = best[order[i] " old"]; a = best[order[i] " new"]
			if (o == "" || a == "") { printf "%-60s %12s %12s\n", order[i], (o == "") ? "-" : o / 1000, (a == "") ? "-" : a / 1000; continue }
			r = a / o; sum += log(r); m++; if (r > 1.1) slower++
			printf "%-60s %12.1f %12.1f %7.2f%s\n", order[i], o / 1000, a / 1000, r, (r > 1.1) ? "  slower" : ""
		}
		if (m) printf "%d operations, geometric mean %.3f, %d of them slower by more than 10 %%\n", m, exp(sum / m), slower
	}' | tee "$out/table.txt"

left=$((465 - $(elapsed)))
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null || true)
if [ -z "$sanitizer" ] || [ $left -lt 30 ]; then
	step "no sanitizers: ${sanitizer:-compute-sanitizer is not here}, $left s left"
	exit 0
fi
step "four sanitizers, for $left s at most"
for tool in memcheck racecheck synccheck initcheck; do
	shards $tool timeout $left "$sanitizer" --tool $tool --error-exitcode 9
done
wait
for tool in memcheck racecheck synccheck initcheck; do count $tool; done
step "done"
