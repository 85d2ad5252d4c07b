package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"inglenook/documents/store/vectors"
)

// TestBeginEndsWithItsContext ends the context at every moment of Begin. Whatever Begin
// returned, the next call works.
func TestBeginEndsWithItsContext(t *testing.T) {
	st, err := Open(t.Context(), t.TempDir(), vectors.Portable{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for i := range 60 {
		c, err := st.Create(t.Context(), fmt.Sprint(i))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Duration(rand.IntN(1000))*time.Microsecond, cancel)
		_ = c.Begin(ctx, "words", 8) // either result is right
		cancel()
		if err := c.Begin(t.Context(), "words", 8); err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
	}
}
