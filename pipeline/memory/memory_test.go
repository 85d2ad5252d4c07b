package memory

import (
	"strings"
	"testing"
)

// TestMemoryFits names the sizes and a context that would fit.
func TestMemoryFits(t *testing.T) {
	m := Needs{Weights: 4_000_000_000, Cache: 1_000_000_000, Activations: 100_000_000}
	for _, c := range []struct {
		available int64
		says      string // "" = fits
	}{
		{0, ""},
		{5_100_000_000, ""},
		{5_099_999_999, "choose a context of 3840 tokens or less"},
		{4_600_000_000, "choose a context of 2048 tokens or less"},
		{4_200_000_000, "choose a smaller model"},
		{1_000, "choose a smaller model"},
	} {
		err := m.Fits(c.available, 4096)
		if (err == nil) != (c.says == "") || err != nil && (!strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "5.1 GB") || !strings.Contains(err.Error(), "4.0 GB")) {
			t.Errorf("%d bytes: %v", c.available, err)
		}
	}
}
