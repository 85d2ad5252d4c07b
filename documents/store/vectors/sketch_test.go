package vectors

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	cpuscan "inglenook/cpubackend/scan"
)

// sketchedSet returns a set that is searched by sketches, however small it is.
func sketchedSet(t testing.TB, path string, dimension int) *Set {
	t.Helper()
	kernels, err := cpuscan.New("")
	must(t, err)
	set, err := Open(path, "model", dimension, kernels, false)
	must(t, err)
	t.Cleanup(func() { set.Close() })
	set.from = 1
	return set
}

func numbered(first, n int) (rows []int64, among Bitmap) {
	for i := range n {
		rows = append(rows, int64(first+i))
	}
	for i := range first + n {
		among.Add(i)
	}
	return rows, among
}

// recall returns the share of the n nearest rows that searches find. Queries are as far from
// the rows as questions are from their answers.
func recall(t testing.TB, set *Set, all [][]float32, n int, among Bitmap) float64 {
	t.Helper()
	r := rand.New(rand.NewPCG(8, 8))
	const queries = 60
	found := 0
	for range queries {
		query := unit(r, len(all[0]), all[r.IntN(len(all))], 1)
		want := compared(all, query, n, among)
		got, err := set.Nearest(context.Background(), query, n, among)
		must(t, err)
		if len(got) != len(want) {
			t.Fatalf("%d rows, not %d", len(got), len(want))
		}
		for _, g := range got {
			if !among.Has(int(g.Row)) {
				t.Fatalf("row %d does not count", g.Row)
			}
			if float64(g.Score) >= want[len(want)-1]-1e-5 {
				found++
			}
		}
	}
	return float64(found) / float64(n*queries)
}

// Searches by sketches find what a search through all rows finds, also after rows were
// added, replaced and deleted.
func TestSketches(t *testing.T) {
	for _, dimension := range []int{3, 100, 256, 384} {
		r := rand.New(rand.NewPCG(1, uint64(dimension)))
		all := clustered(r, 4000, dimension)
		set := sketchedSet(t, filepath.Join(t.TempDir(), "v"), dimension)
		rows, _ := numbered(0, 3000)
		must(t, set.Write(rows, all[:3000]))
		rows, among := numbered(3000, 1000)
		must(t, set.Write(rows, all[3000:]))
		for range 30 {
			row := r.IntN(len(all))
			all[row] = unit(r, dimension, all[r.IntN(len(all))], 0.5)
			must(t, set.Write([]int64{int64(row)}, all[row:row+1]))
			among.Remove(r.IntN(len(all)))
		}
		for _, n := range []int{1, 10, 100} {
			if got := recall(t, set, all, n, among); got < 0.995 {
				t.Errorf("dimension %d: %.4f of the nearest %d", dimension, got, n)
			}
		}
		var few Bitmap
		for range 50 {
			few.Add(r.IntN(len(all)))
		}
		if got := recall(t, set, all, 10, few); got != 1 {
			t.Errorf("dimension %d: %.4f of the nearest of few rows", dimension, got)
		}
	}
}

// The error of estimates is as large as stated, and estimates have no bias.
func TestEstimate(t *testing.T) {
	const dimension = 384
	r := rand.New(rand.NewPCG(2, 2))
	s := newSketcher(dimension)
	all := clustered(r, 3000, dimension)
	var sum, squares float64
	for i, v := range all {
		query := unit(r, dimension, all[r.IntN(len(all))], 0.7)
		row, q := s.rows(v), s.query(query)
		var levels, ones [1]int32
		Portable{}.Bits(levels[:], ones[:], q.words, row, len(row))
		product, off := q.estimate(row, levels[0], ones[0])
		truth := 0.0
		for k := range v {
			truth += float64(v[k]) * float64(query[k])
		}
		d := (float64(product) - truth) * spread / float64(off) // in standard deviations
		if sum, squares = sum+d, squares+d*d; math.Abs(d) > 6 {
			t.Errorf("vector %d: %v, not %v; it may be off by %v", i, product, truth, off)
		}
	}
	n := float64(len(all))
	if mean, deviation := sum/n, math.Sqrt(squares/n); math.Abs(mean) > 0.1 || deviation < 0.8 || deviation > 1.1 {
		t.Errorf("errors have the mean %.2f and the deviation %.2f, in those that are stated", mean, deviation)
	}
}

// Unusual vectors are found as well.
func TestSketchOdd(t *testing.T) {
	all := [][]float32{{0, 0, 0, 0}, {1e-20, 0, 0, 0}, {3e4, 1, 0, 0}, {0, -2, 0, 1}}
	set := sketchedSet(t, filepath.Join(t.TempDir(), "v"), 4)
	rows, among := numbered(0, len(all))
	must(t, set.Write(rows, all))
	for _, query := range [][]float32{{0, 0, 0, 0}, {1, 0, 0, 0}, {0, -1e10, 0, 0}} {
		got, err := set.Nearest(context.Background(), query, 2, among)
		must(t, err)
		if want := compared(all, query, 2, among); len(got) != 2 || float64(got[0].Score) < want[0]*(1-1e-5) {
			t.Errorf("%v: %v, not %v", query, got, want)
		}
	}
}

// Whatever happened to the file of sketches, it is rebuilt.
func TestSketchesDamaged(t *testing.T) {
	all := clustered(rand.New(rand.NewPCG(1, 3)), 3000, 64)
	path := filepath.Join(t.TempDir(), "v")
	rows, among := numbered(0, len(all))
	set := sketchedSet(t, path, 64)
	must(t, set.Write(rows, all))
	must(t, set.Close())
	for name, damage := range map[string]func() error{
		"gone":           func() error { return os.Remove(path + bitsEnd) },
		"short":          func() error { return os.Truncate(path+bitsEnd, 5000) },
		"empty":          func() error { return os.Truncate(path+bitsEnd, 0) },
		"something else": func() error { return os.WriteFile(path+bitsEnd, []byte("something else"), 0o600) },
		"odd checks":     func() error { return os.WriteFile(path+checksEnd, []byte(`{"a": 1}`), 0o600) },
	} {
		must(t, damage())
		again := sketchedSet(t, path, 64)
		if got := recall(t, again, all, 10, among); got < 0.995 {
			t.Errorf("%s: %.4f are found", name, got)
		}
		must(t, again.Close())
	}
}

// Searches are checked when there was no search for a while, and the results of the checks
// are stored.
func TestChecks(t *testing.T) {
	all := clustered(rand.New(rand.NewPCG(1, 4)), 3000, 64)
	path := filepath.Join(t.TempDir(), "v")
	set := sketchedSet(t, path, 64)
	rows, among := numbered(0, len(all))
	must(t, set.Write(rows, all))
	for n := 1; n <= 3; n++ {
		for i := range 5 { // the user types
			_, err := set.Nearest(context.Background(), all[i], 10, among)
			must(t, err)
		}
		for set.Checks().Checked < n {
			time.Sleep(10 * time.Millisecond)
		}
	}
	want := Checks{Checked: 3, Same: 3}
	if got := set.Checks(); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	// Wrong sketches are noticed.
	set.mu.Lock()
	wrong := make([]byte, set.bits.rows*set.bits.stride)
	_, err := set.bits.file.ReadAt(wrong, headerSize)
	must(t, err)
	for row := range slices.Chunk(wrong, set.bits.stride) {
		for i := range set.sketcher.size / 8 {
			row[i] = ^row[i]
		}
	}
	must(t, set.bits.write(0, wrong))
	set.mu.Unlock()
	_, err = set.Nearest(context.Background(), all[7], 10, among)
	must(t, err)
	for set.Checks().Checked < 4 {
		time.Sleep(10 * time.Millisecond)
	}
	want = Checks{Checked: 4, Same: 3}
	if got := set.Checks(); got != want {
		t.Errorf("with wrong sketches: %+v, not %+v", got, want)
	}
	must(t, set.Close())
	if got := sketchedSet(t, path, 64).Checks(); got != want {
		t.Errorf("opened again: %+v, not %+v", got, want)
	}
}
