package sampling

import (
	"math/rand/v2"
	"testing"
)

// A loop is noticed at its 256th token, or when it came six times.
func TestLooper(t *testing.T) {
	for period, want := range map[int]int{1: 256, 2: 256, 7: 256, 40: 256, 43: 258, 100: 600, 512: 3072} {
		var l Looper
		before := 100 + period // of other tokens
		at := 0
		for i := range 10000 {
			id := int32(1000 + i)
			if i >= before {
				id = int32((i - before) % period)
			}
			if l.Push(id) {
				at = i + 1 - before
				break
			}
		}
		if at != want {
			t.Errorf("a stretch of %d tokens was noticed after %d tokens, not %d", period, at, want)
		}
	}
}

// What repeats less, or never exactly, goes on.
func TestLooperLeavesOthers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, next := range map[string]func(i int) int32{
		"rows with a number": func(i int) int32 {
			if i%12 == 3 {
				return int32(100 + i/12)
			}
			return int32(i % 12)
		},
		"five verses":       func(i int) int32 { return int32(i%200 + i/1000*200) },
		"a rule of a table": func(i int) int32 { return int32(i / 200) },
		"a long stretch":    func(i int) int32 { return int32(i % 513) },
		"two tokens":        func(int) int32 { return int32(random.IntN(2)) },
	} {
		var l Looper
		for i := range 20000 {
			if l.Push(next(i)) {
				t.Errorf("%s: ended at %d", name, i)
				break
			}
		}
	}
}
