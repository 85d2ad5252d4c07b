package metalbackend

import "testing"

func TestOverQuads(t *testing.T) {
	for _, n := range []int{1, 3, 4, 5, 128, 129, 1000, 1 << 20, 1<<31 + 5} {
		var d dispatch
		d.overQuads(n)
		lanes := int(d.groups[0]) * int(d.threads)
		if d.threads%simdWidth != 0 || d.threads > maxThreads || quad*lanes < n || quad*(lanes-int(d.threads)) >= n {
			t.Errorf("%d values: %d threadgroups of %d", n, d.groups[0], d.threads)
		}
	}
}

func TestOverRows(t *testing.T) {
	for _, c := range []struct{ columns, threads int }{{1, 32}, {384, 32}, {512, 32}, {513, 64}, {2048, 128}, {4096, 256}, {100_000, 256}} {
		var d dispatch
		d.overRows(7, c.columns, 2)
		if int(d.threads) != c.threads || d.groups != [3]uint32{7, 1, 1} {
			t.Errorf("rows of %d: %d threadgroups of %d, want %d", c.columns, d.groups, d.threads, c.threads)
		}
		if least := 2 * 4 * d.threads / simdWidth; d.shared[0] < least {
			t.Errorf("rows of %d: %d bytes for two reductions, which take %d", c.columns, d.shared[0], least)
		}
	}
}
