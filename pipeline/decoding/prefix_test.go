package decoding

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"inglenook/pipeline/placement"

	"inglenook/engine"
)

// remembering is a predictor without scores whose memory can be copied. It keeps a byte
// of each token, in blocks like a cache.
type remembering struct {
	memory []byte
	form   string
}

func (r *remembering) Blocks() (Blocks, error) { return r, nil }

func (r *remembering) Size() (form string, bytes, count int) {
	return r.form, engine.CacheBlock, len(r.memory) / engine.CacheBlock
}

func (r *remembering) Read(i int, to []byte) error {
	copy(to, r.memory[i*engine.CacheBlock:])
	return nil
}

func (r *remembering) Write(i int, from []byte) error {
	copy(r.memory[i*engine.CacheBlock:], from)
	return nil
}

func (r *remembering) Extend(_ context.Context, past int, ids []int32, _ int) ([]float32, error) {
	for k, id := range ids {
		r.memory[past+k] = byte(3 * id)
	}
	return nil, nil
}

func (r *remembering) Recovers(error) bool { return false }

func (r *remembering) Notices() []string { return nil }

func (r *remembering) Ran(bool) placement.Outcome { return placement.Outcome{} }

func (r *remembering) Close() error { return nil }

// remembers reports whether the memory is that of the ids.
func (r *remembering) remembers(ids []int32) bool {
	return slices.EqualFunc(ids, r.memory[:len(ids)], func(id int32, b byte) bool { return byte(3*id) == b })
}

// file is a PrefixFile in memory.
type file struct{ data []byte }

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(f.data).ReadAt(p, off)
}

func (f *file) WriteAt(p []byte, off int64) (int, error) {
	if end := int(off) + len(p); end > len(f.data) {
		f.data = append(f.data, make([]byte, end-len(f.data))...)
	}
	return copy(f.data[off:], p), nil
}

func (f *file) Truncate(size int64) error {
	f.data = append(f.data[:min(int(size), len(f.data))], make([]byte, max(0, int(size)-len(f.data)))...)
	return nil
}

// newRemembering returns a predictor that has read the ids.
func newRemembering(t testing.TB, form string, ids []int32) (*remembering, *History) {
	t.Helper()
	r := &remembering{memory: make([]byte, 8*engine.CacheBlock), form: form}
	h := NewHistory(r, len(r.memory), 8)
	if len(ids) > 0 {
		if _, err := h.Read(context.Background(), ids); err != nil {
			t.Fatal(err)
		}
	}
	return r, h
}

// keep writes what a history has of the ids to a file for "model".
func keep(h *History, f PrefixFile, ids []int32) error {
	return KeepPrefix(f, "model", ids, func(use func(Blocks) error) error {
		m, err := h.Blocks(ids)
		if err != nil {
			return err
		}
		return use(m)
	})
}

func numbers(seed uint64, n int) []int32 {
	r := rand.New(rand.NewPCG(seed, 1))
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = r.Int32N(200)
	}
	return ids
}

// recalled returns what a fresh model restores from a file for a prompt.
func recalled(t testing.TB, f io.ReaderAt, form, stamp string, prompt []int32) (int, error) {
	t.Helper()
	r := &remembering{memory: make([]byte, 8*engine.CacheBlock), form: form}
	script := NewHistory(r, len(r.memory), 8)
	var ignored error
	n := script.Recall(context.Background(), &Prefix{From: f, Stamp: stamp, Ignored: func(err error) { ignored = err }}, prompt)
	if known := min(len(script.IDs), len(prompt)-1); n != known || !r.remembers(prompt[:n]) {
		t.Errorf("%d of %d ids are taken up, %d are known", n, len(prompt), known)
	}
	return n, ignored
}

func TestPrefixIsTakenUp(t *testing.T) {
	for _, n := range []int{1, 31, 32, 33, 64, 100, 200} {
		ids := numbers(1, n)
		_, h := newRemembering(t, "f16", ids)
		f := &file{}
		if err := keep(h, f, ids); err != nil {
			t.Fatal(err)
		}
		before := bytes.Clone(f.data)
		for _, c := range []struct {
			name   string
			prompt []int32
			want   int
		}{
			{"goes on", append(slices.Clone(ids), 7, 8), n},
			{"the same", ids, n - 1},
			{"branches off", append(slices.Clone(ids[:n/2]), 300, 301, 302), n / 2},
			{"another", []int32{300, 301}, 0},
		} {
			got, err := recalled(t, f, "f16", "model", c.prompt)
			if got != c.want || err != nil {
				t.Errorf("%d ids, a prompt that %s: %d are taken up, want %d, %v", n, c.name, got, c.want, err)
			}
		}
		for _, other := range [][2]string{{"f32", "model"}, {"f16", "model of another version"}} {
			if got, err := recalled(t, f, other[0], other[1], append(slices.Clone(ids), 1)); got != 0 || !errors.Is(err, errOtherPrefix) {
				t.Errorf("of another model %d ids are taken up, %v", got, err)
			}
		}
		if err := keep(h, f, ids); err != nil || !bytes.Equal(f.data, before) {
			t.Errorf("keeping the same again changes the file: %v", err)
		}
	}
}

// A file grows with the conversation, and follows it to another branch, block by block.
// It equals a file that was written at once.
func TestPrefixFollows(t *testing.T) {
	ids, branch := numbers(1, 150), append(numbers(1, 90), numbers(2, 40)...)
	f := &file{}
	for _, now := range [][]int32{ids[:20], ids[:33], ids[:70], ids, branch, ids[:10], numbers(3, 64)} {
		_, h := newRemembering(t, "f16", now)
		if err := keep(h, f, now); err != nil {
			t.Fatal(err)
		}
		whole := &file{}
		if err := keep(h, whole, now); err != nil {
			t.Fatal(err)
		}
		shorter := len(now) == 10 // the file has that and more, so it stays as it is
		if bytes.Equal(f.data, whole.data) == shorter {
			t.Errorf("%d ids: a file that grew differs from one written at once", len(now))
		}
		if got, err := recalled(t, f, "f16", "model", append(slices.Clone(now), 1)); got != len(now) || err != nil {
			t.Errorf("%d of %d ids are taken up, %v", got, len(now), err)
		}
	}
	_, h := newRemembering(t, "f16", ids)
	if err := keep(h, f, branch); !errors.Is(err, ErrPrefixGone) {
		t.Errorf("what the cache does not hold any more is kept: %v", err)
	}
}

// The file is read only if it has more than the model remembers.
func TestPrefixBesideWhatIsKnown(t *testing.T) {
	ids := numbers(1, 100)
	f := &file{}
	_, h := newRemembering(t, "f16", ids)
	if err := keep(h, f, ids); err != nil {
		t.Fatal(err)
	}
	for known, want := range map[int]int{0: 100, 40: 60, 64: 36, 99: 1, 100: 0} {
		r, h := newRemembering(t, "f16", ids[:known])
		got := h.Recall(context.Background(), &Prefix{From: f, Stamp: "model"}, append(slices.Clone(ids), 5))
		if got != want || !slices.Equal(h.IDs, ids) || !r.remembers(ids) {
			t.Errorf("%d are known and %d taken up, want %d", known, got, want)
		}
	}
}

// keptPrefix returns a file of a little more than three blocks.
func keptPrefix(t testing.TB) ([]int32, []byte) {
	t.Helper()
	ids := numbers(1, 100)
	_, h := newRemembering(t, "f16", ids)
	f := &file{}
	if err := keep(h, f, ids); err != nil {
		t.Fatal(err)
	}
	return ids, f.data
}

// Only the blocks before the damage are restored from a damaged file.
func TestPrefixDamaged(t *testing.T) {
	ids, good := keptPrefix(t)
	prompt := append(slices.Clone(ids), 1)
	block := prefixRows + engine.CacheBlock
	whole := func(off int) int { return max(0, off-prefixHeadBytes) / block * engine.CacheBlock }
	for cut := range len(good) {
		if n, _ := recalled(t, &file{good[:cut]}, "f16", "model", prompt); n > whole(cut) {
			t.Fatalf("cut at %d of %d: %d ids", cut, len(good), n)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		bad := bytes.Clone(good)
		at := r.IntN(len(bad))
		bad[at] ^= 1 << r.IntN(8)
		if n, err := recalled(t, &file{bad}, "f16", "model", prompt); n > whole(at) || err == nil && n == len(ids) {
			t.Fatalf("byte %d of %d changed: %d ids, %v", at, len(good), n, err)
		}
	}
	// A block of another file at the same place has a valid checksum, but is not restored.
	_, h := newRemembering(t, "f16", append(numbers(2, 32), ids[32:]...))
	other := &file{}
	if err := keep(h, other, h.IDs); err != nil {
		t.Fatal(err)
	}
	mixed := append(bytes.Clone(good[:prefixHeadBytes+block]), other.data[prefixHeadBytes+block:]...)
	if n, err := recalled(t, &file{mixed}, "f16", "model", prompt); n != 32 || err == nil {
		t.Errorf("%d ids are taken up behind a block of another file, %v", n, err)
	}
}

func FuzzPrefix(f *testing.F) {
	ids, good := keptPrefix(f)
	_, h := newRemembering(f, "f16", ids)
	f.Add(good, 0, uint32(0))
	f.Add(good[:200], prefixHeadBytes+4, uint32(1<<31))
	f.Add([]byte(prefixMagic), 0, uint32(0))
	f.Fuzz(func(t *testing.T, data []byte, at int, number uint32) {
		data = bytes.Clone(data)
		if at >= 0 && at <= len(data)-4 {
			binary.LittleEndian.PutUint32(data[at:], number)
		}
		n, _ := recalled(t, &file{data}, "f16", "model", append(slices.Clone(ids), 1))
		if n > 0 && !bytes.HasPrefix(data, good[:prefixHeadBytes]) {
			t.Errorf("%d ids are taken up from a file that is not ours", n)
		}
		if err := keep(h, &file{data}, ids); err != nil {
			t.Fatal(err)
		}
	})
}
