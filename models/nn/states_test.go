package nn

import (
	"math/rand/v2"
	"testing"

	"inglenook/engine"
)

// TestStateBeforeGuesses: however full the rows are, the state before a pass of several tokens is kept until the
// next pass, so that guesses in it that do not come cost no more than reading that pass again.
func TestStateBeforeGuesses(t *testing.T) {
	for rows := fewestRows; rows <= mostRows; rows++ {
		random := rand.New(rand.NewPCG(1, uint64(rows)))
		s := states{of: []*engine.Tensor{nil}, rows: rows}
		read := 0
		for pass := range 2000 {
			past, n := s.reach(read), 1
			if random.IntN(3) > 0 {
				n = 1 + random.IntN(15)
			}
			n += read - past
			if _, err := s.record(past, n); err != nil {
				t.Fatal(err)
			}
			s.advance()
			if len(s.marks) >= rows {
				t.Fatalf("%d rows: %d are used, and none is free", rows, len(s.marks))
			}
			if n > 1 && s.reach(past+n-1) < past {
				t.Fatalf("%d rows, pass %d: the state after %d tokens is gone after a pass of %d; %v are left", rows, pass, past, n, s.marks)
			}
			read = past + 1 + random.IntN(n) // the others were guesses
		}
	}
}
