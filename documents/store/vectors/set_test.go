package vectors

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	cpuscan "inglenook/cpubackend/scan"
	"inglenook/documents/store/storetest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// clustered returns unit vectors around a few centres, like those of texts: many are near
// each other, and some are equal.
func clustered(r *rand.Rand, n, dimension int) [][]float32 {
	centres := make([][]float32, 12)
	for i := range centres {
		centres[i] = unit(r, dimension, nil, 1)
	}
	all := make([][]float32, n)
	for i := range all {
		if i > 0 && r.IntN(20) == 0 {
			all[i] = all[r.IntN(i)]
			continue
		}
		all[i] = unit(r, dimension, centres[r.IntN(len(centres))], 0.3)
	}
	return all
}

// unit returns a unit vector near another one; around nil it has any direction.
func unit(r *rand.Rand, dimension int, around []float32, spread float64) []float32 {
	if around == nil {
		around = make([]float32, dimension)
	}
	return storetest.Around(r, around, spread)
}

func filled(t testing.TB, all [][]float32, s Scanner) (*Set, Bitmap) {
	t.Helper()
	set, err := Open(filepath.Join(t.TempDir(), "v"), "model", len(all[0]), s, false)
	must(t, err)
	t.Cleanup(func() { set.Close() })
	rows := make([]int64, len(all))
	var among Bitmap
	for i := range rows {
		rows[i] = int64(i)
		among.Add(i)
	}
	must(t, set.Write(rows, all))
	return set, among
}

// The search through rows of bytes finds exactly what comparing all vectors finds.
func TestNearestIsExact(t *testing.T) {
	kernels, err := cpuscan.New("")
	must(t, err)
	for _, scanner := range []Scanner{Portable{}, kernels} {
		for _, dimension := range []int{1, 7, 64, 384} {
			r := rand.New(rand.NewPCG(5, uint64(dimension)))
			all := clustered(r, 5000, dimension)
			set, everything := filled(t, all, scanner)
			for try := range 12 {
				among := everything
				if try%3 == 1 { // a tenth of them
					among = nil
					for i := range all {
						if r.IntN(10) == 0 {
							among.Add(i)
						}
					}
				}
				query := unit(r, dimension, all[r.IntN(len(all))], 0.5)
				n := []int{1, 10, 100, 6000}[try%4]
				got, err := set.Nearest(context.Background(), query, n, among)
				must(t, err)
				want := compared(all, query, n, among)
				if len(got) != len(want) {
					t.Fatalf("dimension %d: %d of %d", dimension, len(got), len(want))
				}
				for i := range got {
					if !among.Has(int(got[i].Row)) || math.Abs(float64(got[i].Score)-want[i]) > 1e-5 {
						t.Fatalf("dimension %d, place %d: row %d with %v, not %v", dimension, i, got[i].Row, got[i].Score, want[i])
					}
				}
			}
		}
	}
}

// compared returns the n largest dot products.
func compared(all [][]float32, query []float32, n int, among Bitmap) []float64 {
	var scores []float64
	for i, v := range all {
		if among.Has(i) {
			var sum float64
			for k := range v {
				sum += float64(v[k]) * float64(query[k])
			}
			scores = append(scores, sum)
		}
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	return scores[:min(n, len(scores))]
}

// The smaller file is rebuilt from the larger one, and a set of another model is not
// opened.
func TestOpenAgain(t *testing.T) {
	all := clustered(rand.New(rand.NewPCG(1, 1)), 300, 32)
	set, among := filled(t, all, Portable{})
	path := set.path
	want, err := set.Nearest(context.Background(), all[7], 5, among)
	must(t, err)
	must(t, set.Close())
	for _, damage := range []func() error{
		func() error { return os.Remove(path + bytesEnd) },
		func() error { return os.Truncate(path+bytesEnd, 1000) },
		func() error { return os.WriteFile(path+bytesEnd, []byte("something else"), 0o600) },
	} {
		must(t, damage())
		again, err := Open(path, "model", 32, Portable{}, false)
		must(t, err)
		got, err := again.Nearest(context.Background(), all[7], 5, among)
		must(t, err)
		if !slices.Equal(got, want) {
			t.Errorf("%v, not %v", got, want)
		}
		must(t, again.Close())
	}
	if _, err := Open(path, "another", 32, Portable{}, false); !errors.Is(err, ErrDamaged) {
		t.Errorf("another model: %v", err)
	}
	if _, err := Open(path, "model", 33, Portable{}, false); !errors.Is(err, ErrDamaged) {
		t.Errorf("another dimension: %v", err)
	}
}

// A file that is truncated while it is mapped is an error, not a crash.
func TestShortened(t *testing.T) {
	kernels, err := cpuscan.New("")
	must(t, err)
	all := clustered(rand.New(rand.NewPCG(1, 1)), 20_000, 64)
	set, among := filled(t, all, kernels)
	must(t, os.Truncate(set.path+bytesEnd, 4096))
	if _, err := set.Nearest(context.Background(), all[7], 5, among); !errors.Is(err, ErrDamaged) {
		t.Errorf("bytes: %v", err)
	}
	must(t, os.Truncate(set.path+floatsEnd, 4096))
	if _, err := set.Row(19_000); !errors.Is(err, ErrDamaged) {
		t.Errorf("floats: %v", err)
	}
}

func TestRefusedVectors(t *testing.T) {
	set, among := filled(t, [][]float32{{1, 0}}, Portable{})
	for _, v := range [][]float32{{1}, {1, 2, 3}, {float32(math.NaN()), 0}, {float32(math.Inf(1)), 0}} {
		if err := set.Write([]int64{1}, [][]float32{v}); err == nil {
			t.Errorf("%v was kept", v)
		}
		if _, err := set.Nearest(context.Background(), v, 1, among); err == nil {
			t.Errorf("%v was searched for", v)
		}
	}
}

func TestNearestStops(t *testing.T) {
	all := clustered(rand.New(rand.NewPCG(1, 1)), 5000, 8)
	set, among := filled(t, all, Portable{})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	cancel()
	if _, err := set.Nearest(ctx, all[0], 5, among); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
