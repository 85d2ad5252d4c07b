package chat

import "testing"

// The speed of a few words that were written in no time is not told, however fast that was; that of a
// usual answer is.
func TestSpeed(t *testing.T) {
	for _, c := range []struct {
		tokens int
		rate   float64
		want   float64
	}{{100, 20, 20}, {1, 20, 20}, {2, 50, 0}, {3, 50, 50}, {1, 900, 0}, {0, 20, 0}, {100, 0, 0}, {8, 2000, 2000}, {7, 2000, 0}} {
		if got := Speed(&ReplyRecord{Tokens: c.tokens, Rate: c.rate}); got != c.want {
			t.Errorf("%d tokens at %v a second: %v is told, want %v", c.tokens, c.rate, got, c.want)
		}
	}
	if Speed(nil) != 0 {
		t.Error("no answer has a speed")
	}
}
