package cpubackend

import (
	"testing"
	"unsafe"
)

// TestTablesAreZero: a table holds nothing of an earlier run, nor of what had the memory before.
func TestTablesAreZero(t *testing.T) {
	var r run
	defer r.tables.free()
	for round := range 3 {
		for _, n := range []int{1, 100, 5000, 40_000} {
			values, err := table[uintptr](&r, n)
			if err != nil {
				t.Fatal(err)
			}
			for i := range values {
				if values[i] != 0 {
					t.Fatalf("round %d: value %d of %d is %#x", round, i, n, values[i])
				}
			}
			all := unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), 8*n)
			for i := range all {
				all[i] = 0xc0
			}
		}
		r.tables.reset()
	}
}
