package chat

import "testing"

// The speed of an answer that was written in no time is not told, however fast it was.
func TestSpeed(t *testing.T) {
	for _, c := range []struct {
		tokens int
		rate   float64
		want   float64
	}{{100, 20, 20}, {1, 20, 20}, {2, 50, 0}, {3, 50, 50}, {1, 900, 0}, {0, 20, 0}, {100, 0, 0}} {
		if got := Speed(&ReplyRecord{Tokens: c.tokens, Rate: c.rate}); got != c.want {
			t.Errorf("%d tokens at %v a second: %v is told, want %v", c.tokens, c.rate, got, c.want)
		}
	}
	if Speed(nil) != 0 {
		t.Error("no answer has a speed")
	}
}
