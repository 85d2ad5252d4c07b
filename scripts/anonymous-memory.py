#!/usr/bin/env python3
"""anonymous-memory.py [--every SECONDS] COMMAND…

Runs a command and writes how much anonymous memory it and its children have, in MiB, as the kernel counts it in
/proc/PID/smaps_rollup (Linux): a line a minute, and at the end the most, and the means of the second and the last quarter
of the run, which tell whether it grows.
"""
import argparse, os, statistics, subprocess, sys, time

ap = argparse.ArgumentParser()
ap.add_argument("--every", type=float, default=1)
ap.add_argument("command", nargs=argparse.REMAINDER)
a = ap.parse_args()


def children(pid):
    """The process and all that it started."""
    found = [pid]
    for task in os.listdir(f"/proc/{pid}/task"):
        for child in open(f"/proc/{pid}/task/{task}/children").read().split():
            found += children(child)
    return found


def anonymous(pid):
    total = 0
    for p in children(pid):
        try:
            for line in open(f"/proc/{p}/smaps_rollup"):
                if line.startswith("Anonymous:"):
                    total += int(line.split()[1])
        except OSError:
            pass  # it has ended
    return total / 1024


start, told, samples = time.time(), 0.0, []
process = subprocess.Popen(a.command)
while process.poll() is None:
    try:
        samples.append(anonymous(process.pid))
    except OSError:
        pass
    if time.time() - told > 60 and samples:
        told = time.time()
        print(f"{told - start:6.0f} s {samples[-1]:6.0f} MiB", file=sys.stderr, flush=True)
    time.sleep(a.every)
quarter = max(1, len(samples) // 4)
print(f"{time.time() - start:.0f} s, at most {max(samples):.0f} MiB; second quarter {statistics.mean(samples[quarter:2 * quarter] or samples):.0f},"
      f" last quarter {statistics.mean(samples[-quarter:]):.0f} MiB")
sys.exit(process.returncode)
