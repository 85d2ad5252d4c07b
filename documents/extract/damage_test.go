package extract

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"inglenook/documents/extract/format"
)

// endsRight reads any bytes. The result must be a valid document, or an error with a
// reason.
func endsRight(t testing.TB, name string, data []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	doc, err := Bytes(ctx, format.Input{Name: name, Data: data, Limits: Limits{Expanded: 8 << 20, Pages: 200}})
	if err != nil {
		if _, ok := ReasonOf(err); !ok {
			t.Errorf("%s of %d bytes: %v", name, len(data), err)
		}
		if cause := errors.Unwrap(err); cause != nil && strings.HasPrefix(cause.Error(), "panic") {
			t.Errorf("%s of %d bytes: %v", name, len(data), cause) // it is caught, and is to be repaired
		}
		return
	}
	check(t, name, doc)
}

// TestTruncation cuts a file of each format at every byte.
func TestTruncation(t *testing.T) {
	for _, s := range samples() {
		step := 1 + len(s.data)/2000 // of archives only the directory at the end matters
		for n := 0; n < len(s.data); n += step {
			endsRight(t, s.name, s.data[:n])
		}
	}
}

// mutations is how many damaged files of each format the tests read; those of make
// soak read more.
var mutations = 100

// TestMutations damages a file of each format at random, in its bytes and, for
// archives, in their parts.
func TestMutations(t *testing.T) {
	for _, s := range samples() {
		r := rand.New(rand.NewPCG(1, uint64(len(s.data))))
		for range mutations {
			data := mutated(r, s.data)
			if parts := unzipped(s.data); parts != nil && r.IntN(10) > 0 {
				i := 1 + 2*r.IntN(len(parts)/2)
				parts[i] = string(mutated(r, []byte(parts[i])))
				data = zipped(parts...)
			}
			endsRight(t, s.name, data)
			if t.Failed() {
				t.Logf("%s: %q", s.name, data)
				return
			}
		}
	}
}

// mutated changes, drops, doubles and adds some bytes.
func mutated(r *rand.Rand, data []byte) []byte {
	data = append([]byte{}, data...)
	for range 1 + r.IntN(6) {
		if len(data) < 2 {
			return data
		}
		i := r.IntN(len(data))
		j := min(len(data), i+1+r.IntN(40))
		switch r.IntN(6) {
		case 0:
			data[i] = byte(r.Uint32())
		case 1:
			data[i] ^= 1 << r.IntN(8)
		case 2:
			data = append(data[:i:i], data[j:]...)
		case 3:
			data = append(data[:j:j], data[i:]...)
		case 4: // a number becomes another
			for k := i; k < j; k++ {
				if data[k] >= '0' && data[k] <= '9' {
					data[k] = byte('0' + r.IntN(10))
				}
			}
		case 5:
			k := r.IntN(len(data))
			copy(data[i:j], data[k:])
		}
	}
	return data
}

// TestCanceled reads each format with a context that has ended, and with one that ends
// while the file is read.
func TestCanceled(t *testing.T) {
	for _, s := range samples() {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Bytes(ctx, format.Input{Name: s.name, Data: s.data}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", s.name, err)
		}
	}
	for _, large := range largeFiles() {
		looks := &counting{Context: t.Context(), left: 3}
		if _, err := Bytes(looks, format.Input{Name: large.name, Data: large.data}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", large.name, err)
		}
		if looks.after > 50 {
			t.Errorf("%s: went on after its context had ended, and looked %d times more", large.name, looks.after)
		}
	}
}

// counting is a context that ends after it was checked a few times.
type counting struct {
	context.Context
	left  int
	after int
}

func (c *counting) Err() error {
	if c.left--; c.left < 0 {
		c.after++
		return context.Canceled
	}
	return nil
}
