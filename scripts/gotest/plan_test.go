package main

import (
	"slices"
	"strings"
	"testing"
)

// Each share has the packages that belong to it, and those that open windows are compiled without
// the driver of windows.
func TestPlan(t *testing.T) {
	t.Chdir("../..")
	p, err := plan()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		share run
		want  []string
	}{
		{p.raced, []string{"inglenook/app", "inglenook/cli"}},
		{p.someRaced, []string{"inglenook/tokenizer"}},
		{p.plain, []string{"inglenook/tokenizer", "inglenook/ui", "inglenook/engine/enginetest"}},
		{p.windowed, []string{"inglenook", "inglenook/scripts/framegaps"}},
	} {
		for _, path := range c.want {
			if !slices.Contains(c.share.packages, path) {
				t.Errorf("%s is not among %q", path, c.share.packages)
			}
		}
	}
	if len(p.windowed.packages) != 2 {
		t.Errorf("without the driver of windows are %q", p.windowed.packages)
	}
	out, err := command(slices.Concat([]string{"list", "-deps"}, p.windowed.flags, p.windowed.packages)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	compiled := strings.Fields(string(out))
	if !slices.Contains(compiled, "inglenook/ui") || slices.Contains(compiled, "github.com/go-gl/gl/v2.1/gl") {
		t.Error("the driver of windows is compiled, or the program is not")
	}
}
