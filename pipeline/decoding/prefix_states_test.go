package decoding

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"inglenook/engine"
)

// recurrent is a remembering predictor that goes on only from states it keeps: sums of all
// ids until then.
type recurrent struct {
	remembering
	marks []stateMark
}

type stateMark struct {
	tokens int
	alone  bool
	sum    uint64
}

func (r *recurrent) Blocks() (Blocks, error) { return r, nil }
func (r *recurrent) Recurrent() bool         { return true }
func (r *recurrent) StateSize() int          { return 8 }

func (r *recurrent) Resume(n int) int { return r.before(n).tokens }

// before returns the state after most tokens, n at most.
func (r *recurrent) before(n int) (best stateMark) {
	for _, m := range r.marks {
		if m.tokens <= n {
			best = m
		}
	}
	return best
}

func (r *recurrent) Extend(ctx context.Context, past int, ids []int32, scores int) ([]float32, error) {
	m := r.before(past)
	r.ForgetStates(past)
	for _, id := range ids {
		m.sum = m.sum*31 + uint64(id)
	}
	r.marks = append(r.marks, stateMark{past + len(ids), len(ids) == 1, m.sum})
	return r.remembering.Extend(ctx, past, ids, scores)
}

func (r *recurrent) States() (tokens []int, alone []bool) {
	for _, m := range r.marks {
		tokens, alone = append(tokens, m.tokens), append(alone, m.alone)
	}
	return tokens, alone
}

func (r *recurrent) ForgetStates(n int) {
	r.marks = slices.DeleteFunc(r.marks, func(m stateMark) bool { return m.tokens > n })
}

func (r *recurrent) ReadState(tokens int, to []byte) error {
	m := r.before(tokens)
	if m.tokens != tokens {
		return errNoState
	}
	binary.LittleEndian.PutUint64(to, m.sum)
	return nil
}

func (r *recurrent) WriteState(tokens int, from []byte) error {
	r.marks = append(r.marks, stateMark{tokens: tokens, sum: binary.LittleEndian.Uint64(from)})
	return nil
}

// right reports whether all states are those of the ids.
func (r *recurrent) right(ids []int32) bool {
	for _, m := range r.marks {
		sum := uint64(0)
		for _, id := range ids[:m.tokens] {
			sum = sum*31 + uint64(id)
		}
		if m.sum != sum {
			return false
		}
	}
	return true
}

func newRecurrent() (*recurrent, *History) {
	r := &recurrent{remembering: remembering{memory: make([]byte, 8*engine.CacheBlock), form: "f16"}}
	return r, NewHistory(r, len(r.memory), 16)
}

// TestPrefixStates: what is taken up from a file cut at any byte, or with any bit changed, is
// right, and a model that has read something else before is right as well.
func TestPrefixStates(t *testing.T) {
	ids := numbers(1, 100)
	_, h := newRecurrent()
	if _, err := h.Read(t.Context(), ids[:90]); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids[90:] {
		if _, err := h.Next(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	whole := &file{}
	if err := keep(h, whole, ids); err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(whole.data)
	if err := keep(h, whole, ids); err != nil || !bytes.Equal(whole.data, before) {
		t.Errorf("keeping the same again changes the file: %v", err)
	}
	take := func(data, already []int32, from []byte) int {
		t.Helper()
		r, h := newRecurrent()
		if len(already) > 0 {
			if _, err := h.Read(t.Context(), already); err != nil {
				t.Fatal(err)
			}
		}
		n := h.Recall(t.Context(), &Prefix{From: &file{from}, Stamp: "model"}, data)
		shared := h.Shared(data)
		if r.ForgetStates(shared); !r.right(data) || !r.remembers(data[:shared]) {
			t.Fatalf("%d of %d ids are taken up with a wrong state", n, len(data))
		}
		return n
	}
	longer := append(slices.Clone(ids), 1, 2)
	branch := append(slices.Clone(ids[:85]), 300, 301)
	for _, c := range []struct {
		name          string
		data, already []int32
		want          int
	}{
		{"goes on", longer, nil, 100},
		{"the same again", ids[:90], nil, 82},
		{"branches off", branch, nil, 82},
		{"branches off before any state", append(slices.Clone(ids[:50]), 300), nil, 0},
		{"a model that read the beginning", longer, ids[:40], 60},
		{"a model that read something else", longer, numbers(2, 64), 100},
		{"a model that read another branch", longer, append(slices.Clone(ids[:60]), numbers(3, 50)...), 52},
		{"a model that knows nearly as much", ids[:90], longer, 2},
	} {
		if n := take(c.data, c.already, whole.data); n != c.want {
			t.Errorf("%s: %d are taken up, want %d", c.name, n, c.want)
		}
	}
	for cut := range len(whole.data) {
		take(longer, numbers(2, 70), whole.data[:cut])
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		bad := bytes.Clone(whole.data)
		bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
		take(longer, numbers(2, 70), bad)
		take(branch, nil, bad)
	}
	// The file follows a conversation that takes another way.
	_, other := newRecurrent()
	if _, err := other.Read(t.Context(), branch); err != nil {
		t.Fatal(err)
	}
	if err := keep(other, whole, branch); err != nil {
		t.Fatal(err)
	}
	if n := take(append(slices.Clone(branch), 5), nil, whole.data); n != len(branch) {
		t.Errorf("%d of %d are taken up of the branch", n, len(branch))
	}
	if n := take(longer, nil, whole.data); n > 85 {
		t.Errorf("%d are taken up of the conversation before", n)
	}
}
