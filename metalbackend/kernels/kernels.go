// Package kernels holds the Metal source of every operation: one file an
// operation, and what they share in common.metal and blocks.metal. It is data
// only: gpu/lower knows how the kernels are launched.
package kernels

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed *.metal
var files embed.FS

// Source is the whole program as one text: Metal compiles from a string, which
// cannot include files of its own. What others use comes first, the rest by name;
// #line tells compilers and package msl which file a line is from. Comments are left
// out, their lines are kept: so the text is ASCII.
func Source() string {
	names, _ := fs.Glob(files, "*.metal") // the pattern is well formed: the only error that there is
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	var text strings.Builder
	for _, name := range names {
		data, _ := files.ReadFile(name) // embedded: it can be read
		fmt.Fprintf(&text, "#line 1 \"%s\"\n", name)
		for line := range strings.Lines(string(data)) {
			code, _, _ := strings.Cut(line, "//")
			text.WriteString(strings.TrimRight(code, " \n") + "\n")
		}
		text.WriteByte('\n')
	}
	return text.String()
}

func rank(name string) int {
	switch name {
	case "common.metal":
		return 0
	case "blocks.metal", "codebook_grids.metal", "codebooks.metal", "linear.metal", "rope.metal":
		return 1
	}
	return 2
}
