package index

import (
	"fmt"
	"path"
	"strings"
)

// Patterns choose files by name. A pattern without a slash is compared with the
// name of a file and of each folder above it. One with a slash is compared with the
// path from the folder that is indexed; "**" in it stands for any number of folders.
// Letter case does not matter.
type Patterns struct {
	Include []string // empty: every file
	Exclude []string // wins over Include
}

// Check returns an error that names the first pattern that is malformed.
func (p Patterns) Check() error {
	for _, list := range [][]string{p.Include, p.Exclude} {
		for _, pattern := range list {
			if _, err := path.Match(pattern, ""); err != nil || strings.TrimSpace(pattern) == "" {
				return fmt.Errorf("the pattern %q cannot be read; write something like *.pdf, notes/*.md or **/drafts/**", pattern)
			}
		}
	}
	return nil
}

// file reports whether a file takes part, by its path below the root, with slashes.
func (p Patterns) file(rel string) bool {
	return (len(p.Include) == 0 || matchesAny(p.Include, rel)) && !matchesAny(p.Exclude, rel)
}

// folder reports whether files below a folder may take part.
func (p Patterns) folder(rel string) bool { return !matchesAny(p.Exclude, rel) }

func matchesAny(patterns []string, rel string) bool {
	for _, pattern := range patterns {
		if matches(strings.ToLower(pattern), strings.ToLower(rel)) {
			return true
		}
	}
	return false
}

func matches(pattern, rel string) bool {
	parts := strings.Split(rel, "/")
	if !strings.Contains(pattern, "/") {
		for _, part := range parts {
			if ok, _ := path.Match(pattern, part); ok {
				return true
			}
		}
		return false
	}
	return matchParts(strings.Split(strings.Trim(pattern, "/"), "/"), parts)
}

// matchParts compares a pattern with a path, part by part.
func matchParts(pattern, parts []string) bool {
	// tail is where the pattern goes on after its last "**", and again where the
	// path does: as for "*" in one name, only the last one has to be tried again.
	tail, again := -1, 0
	p, i := 0, 0
	for i < len(parts) {
		if p < len(pattern) && pattern[p] == "**" {
			tail, again = p+1, i
			p++
			continue
		}
		if p < len(pattern) {
			if ok, _ := path.Match(pattern[p], parts[i]); ok {
				p++
				i++
				continue
			}
		}
		if tail < 0 {
			return false
		}
		again++
		p, i = tail, again
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}
