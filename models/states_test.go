package models_test

import (
	"testing"

	"inglenook/engine"
	"inglenook/models"
)

// TestStates goes back to many places of a text, far more than there are states,
// and reads on from what the cache can reach.
func TestStates(t *testing.T) {
	devices, all := backends(t), languages(t) // the models' weights go before the devices
	for name, b := range devices {
		for _, l := range all {
			tokens := l.longest()
			c := newCache(t, l.model, engine.F32, len(tokens))
			if !c.Recurrent() {
				continue
			}
			t.Run(name+"/"+l.name, func(t *testing.T) {
				want := whole(t, b, l.model, tokens)
				vocab := l.model.Config().Vocab
				for i, to := range []int{20, 3, 24, 11, 12, 2, 25, 9, 1, 17} {
					c.Len = c.Reach(to - 1)
					if to-1 > 0 && c.Len == 0 && i > 2 && to > 10 {
						t.Errorf("no state is left before %d", to)
					}
					// another ending first, as when tokens are taken back
					from := c.Len
					read(t, b, l.model, c, []int32{7, 9, 7}[:min(3, len(tokens)-from)], nil, models.Hidden)
					c.Len = c.Reach(from)
					if c.Len != from {
						t.Fatalf("the state after %d tokens is lost", from)
					}
					for c.Len < to {
						at := c.Len
						got := read(t, b, l.model, c, tokens[at:at+1], nil, models.Logits)
						if d := difference(got, want[at*vocab:(at+1)*vocab]); !(d <= 2e-4) {
							t.Errorf("back to %d: the logits after %d tokens differ by %.2g", from, at+1, d)
						}
					}
				}
				for c.Len = len(tokens) - 1; c.Reach(c.Len) == c.Len; c.Len-- {
				}
				g := engine.NewGraph()
				defer g.Close()
				l.model.Forward(g, models.Input{Tokens: tokens[:1]}, c, nil, models.Hidden)
				if g.Err() == nil {
					t.Errorf("a pass goes on after %d tokens, of which no state is kept", c.Len)
				}
			})
		}
	}
}
