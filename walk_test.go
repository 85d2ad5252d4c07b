package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tapped is a click of the walk through the real window, on what has a name.
var tapped = regexp.MustCompile(`(?m)^\s*(?:within \d+ )?(?:tap|finds) "([^"$]+)"`)

// TestTheWalkClicksOnNamesOfTheWindow holds that what scripts/uitest.sh clicks on is still called so: the
// walk takes a display and minutes, so nobody runs it after each change of a name.
func TestTheWalkClicksOnNamesOfTheWindow(t *testing.T) {
	said := literalsOf(t, "ui")
	scripts, err := filepath.Glob("scripts/uitest*.sh")
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range tapped.FindAllStringSubmatch(string(text), -1) {
			names++
			if !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, name[1]) }) {
				t.Errorf("%s clicks on %q, and nothing in the window is called so", script, name[1])
			}
		}
	}
	if names < 20 {
		t.Errorf("the walk clicks on %d names: are they still written as tap NAME?", names)
	}
}
