package cudabackend

import (
	"slices"
	"testing"

	"inglenook/cudabackend/fake"
)

// TestSeveralCards: the card with the most free memory is used, and the others are named.
func TestSeveralCards(t *testing.T) {
	const gb = 1 << 30
	for _, c := range []struct {
		name string
		free map[int32]uint64
		fail string // a call
		want string
		not  []string
	}{
		{"all free", nil, "", "fake GPU", []string{"fake GPU 2, with 8192 MB of 8192 MB free", "fake GPU 3, with 8192 MB of 8192 MB free"}},
		{"the second", map[int32]uint64{0: gb, 1: 6 * gb, 2: 2 * gb}, "", "fake GPU 2", []string{"fake GPU 3, with 2048 MB of 8192 MB free", "fake GPU, with 1024 MB of 8192 MB free"}},
		{"the third", map[int32]uint64{0: 0, 1: 0}, "", "fake GPU 3", []string{"fake GPU, with 0 MB of 8192 MB free", "fake GPU 2, with 0 MB of 8192 MB free"}},
		{"none tells", nil, "cuMemGetInfo", "fake GPU", []string{"fake GPU 2, with 0 MB of 8192 MB free", "fake GPU 3, with 0 MB of 8192 MB free"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fake.New(nil)
			f.Cards, f.Free = 3, c.free
			if c.fail != "" {
				f.Fail(c.fail, 2, 0, false)
			}
			probed, err := Probe(f.API())
			if err != nil {
				t.Fatal(err)
			}
			b, err := New(Options{Driver: f.API(), Compile: fake.Compile})
			if err != nil {
				t.Fatal(err)
			}
			d := b.Device()
			if d.Name != c.want || !slices.Equal(d.NotUsed, c.not) || !slices.Equal(probed.NotUsed, d.NotUsed) {
				t.Errorf("%q with %q, probed as %q", d.Name, d.NotUsed, probed.NotUsed)
			}
			if err := b.Close(); err != nil {
				t.Error(err)
			}
			if err := f.Problems(); err != nil {
				t.Error(err)
			}
		})
	}

	f := fake.New(nil)
	f.Cards = 3
	f.Fail("cuDevicePrimaryCtxRetain", 2, 0, false) // no card gives a context
	if b, err := New(Options{Driver: f.API(), Compile: fake.Compile}); err == nil {
		t.Errorf("there is %v", b.Device())
	} else if err := f.Problems(); err != nil {
		t.Error(err)
	}
}
