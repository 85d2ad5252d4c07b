package supporttest

import (
	"strings"
	"testing"
)

func TestHidden(t *testing.T) {
	names := map[string]bool{}
	for _, d := range Hidden() {
		if names[d.Name] || d.Hidden == "" || !strings.Contains(d.Text, d.Hidden) || !strings.HasPrefix(d.Text, Fact) {
			t.Errorf("%s: %.80q", d.Name, d.Text)
		}
		names[d.Name] = true
	}
	if len(names) < 40 {
		t.Errorf("%d documents", len(names))
	}
}
