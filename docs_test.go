package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A file in docs/ADDING.md: `engine/op.go`, or `cpubackend/NAME.go` for a new one beside
// others of its kind.
var namedFile = regexp.MustCompile("`([\\w./*-]+\\.(?:go|c|h|metal|md|py|json|sh|tsv))`")

// The recipes name files that exist, and new files only beside others of their kind.
func TestAddingNamesFiles(t *testing.T) {
	text := read(t, "docs/ADDING.md")
	found := namedFile.FindAllStringSubmatch(text, -1)
	if len(found) < 10 {
		t.Errorf("docs/ADDING.md names %d files", len(found))
	}
	for _, m := range found {
		pattern := strings.ReplaceAll(m[1], "NAME", "*")
		if files, err := filepath.Glob(pattern); err != nil || len(files) == 0 {
			t.Errorf("docs/ADDING.md names %s, which is not there (%v)", m[1], err)
		}
	}
}

// heldBy is a test that ARCHITECTURE.md names beside an invariant: (`engine`, TestPlan).
var heldBy = regexp.MustCompile("\\(`([\\w/.]+)`, (Test\\w+)\\)")

// Each invariant names a test that exists.
func TestInvariantsHaveTests(t *testing.T) {
	_, section, _ := strings.Cut(read(t, "ARCHITECTURE.md"), "## Invariants")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, line := range strings.Split(strings.TrimSpace(section), "\n") {
		m := heldBy.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("ARCHITECTURE.md: no test is named for %q", line)
			continue
		}
		files, err := filepath.Glob(path.Join(m[1], "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var tests strings.Builder
		for _, name := range files {
			tests.WriteString(read(t, name))
		}
		if !strings.Contains(tests.String(), "func "+m[2]+"(") {
			t.Errorf("ARCHITECTURE.md: %s has no test %s", m[1], m[2])
		}
	}
}

// No sentence of ARCHITECTURE.md has more than 30 words, so that each is read once.
func TestSentencesAreShort(t *testing.T) {
	const most = 30
	block := regexp.MustCompile(`(?m)^(    |\|).*$`)           // the map and the tables
	paragraph := regexp.MustCompile(`\n\s*\n|\n\s*(\d+\.|-) `) // or an item of a list
	end := regexp.MustCompile(`[.!?:]\**\s`)
	for _, p := range paragraph.Split(block.ReplaceAllString(read(t, "ARCHITECTURE.md"), ""), -1) {
		for _, sentence := range end.Split(p+" ", -1) {
			if n := len(strings.Fields(sentence)); n > most {
				t.Errorf("a sentence of %d words, at most %d are read at once: %s", n, most, sentence)
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
