package cpubackend

import (
	"runtime"
	"strings"

	"inglenook/engine"
)

// device describes the processor. Of the features that matter here, the
// instruction set in use comes first.
func device(id string, threads int, isa string) engine.Device {
	name, flags := processor()
	if name == "" {
		name = runtime.GOARCH + " processor"
	}
	features := []string{isa}
	for _, f := range []string{"neon", "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vnni", "avx512_bf16", "amx_tile"} {
		if f != isa && flags[f] {
			features = append(features, f)
		}
	}
	return engine.Device{
		ID: id, Kind: "cpu", Name: name, MemoryBytes: memoryBytes(), Threads: threads, Features: features,
	}
}

// physicalCores returns how many threads can compute at full speed: no more than
// there are cores, and no more than the system lets this process use.
func physicalCores() int {
	n := runtime.GOMAXPROCS(0) // respects the limits of containers
	if cores := cores(); cores > 0 {
		n = min(n, cores)
	}
	return max(1, min(n, maxThreads))
}

// words returns the set of words in s.
func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}
