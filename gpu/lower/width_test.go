package lower

import (
	"testing"

	"inglenook/gpu"
)

func TestOverQuads(t *testing.T) {
	for _, n := range []int{1, 3, 4, 5, 128, 129, 1000, 1 << 20, 1<<31 + 5} {
		d := builder{Dispatch: &gpu.Dispatch{}}
		d.overQuads(n)
		lanes := int(d.Groups[0]) * int(d.Threads)
		if d.Threads%simdWidth != 0 || d.Threads > maxThreads || quad*lanes < n || quad*(lanes-int(d.Threads)) >= n {
			t.Errorf("%d values: %d threadgroups of %d", n, d.Groups[0], d.Threads)
		}
	}
}

func TestOverRows(t *testing.T) {
	for _, c := range []struct{ columns, threads int }{{1, 32}, {384, 32}, {512, 32}, {513, 64}, {2048, 128}, {4096, 256}, {100_000, 256}} {
		d := builder{Dispatch: &gpu.Dispatch{}, l: &Lowerer{}}
		d.overRows(7, c.columns, 2)
		if int(d.Threads) != c.threads || d.Groups != [3]uint32{7, 1, 1} {
			t.Errorf("rows of %d: %d threadgroups of %d, want %d", c.columns, d.Groups, d.Threads, c.threads)
		}
		if least := 2 * 4 * d.Threads / simdWidth; d.Shared[0] < least {
			t.Errorf("rows of %d: %d bytes for two reductions, which take %d", c.columns, d.Shared[0], least)
		}
	}
}

func TestOverRowsOfWide(t *testing.T) {
	for _, c := range []struct{ rows, columns, threads int }{{1, 1, 32}, {1, 384, 32}, {1, 2048, 512}, {63, 4096, 1024}, {1, 100_000, 1024}, {64, 2048, 128}} {
		d := builder{Dispatch: &gpu.Dispatch{}, l: &Lowerer{Wide: true}}
		d.overRows(c.rows, c.columns, 1)
		if int(d.Threads) != c.threads {
			t.Errorf("%d rows of %d: threadgroups of %d, want %d", c.rows, c.columns, d.Threads, c.threads)
		}
	}
}
