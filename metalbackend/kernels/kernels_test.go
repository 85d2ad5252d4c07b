package kernels

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/quant"
)

// Metal gets no comments and nothing but ASCII, and its messages still lead to the
// lines of the files.
func TestSource(t *testing.T) {
	sources := map[string][]string{}
	for _, part := range strings.Split(Source(), "#line 1 \"")[1:] {
		name, text, _ := strings.Cut(part, "\"\n")
		sources[name] = strings.Split(text, "\n")
	}
	names, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range names {
		data, err := files.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		source := sources[file.Name()]
		for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
			if strings.Contains(line, "/*") {
				t.Errorf("%s:%d: comments begin with //", file.Name(), i+1)
			}
			if i >= len(source) || !strings.HasPrefix(line, source[i]) || !strings.HasPrefix(strings.TrimSpace(line[len(source[i]):])+"//", "//") {
				t.Fatalf("%s:%d: Metal gets another line", file.Name(), i+1)
			}
		}
		for i, line := range source {
			if strings.Contains(line, "//") || strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
				t.Errorf("%s:%d: Metal gets %q", file.Name(), i+1, line)
			}
		}
	}
}

// The kernels repeat the engine's block sizes as constants; they must agree.
func TestBlocks(t *testing.T) {
	var text []byte
	for _, name := range []string{"blocks.metal", "codebooks.metal"} {
		data, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, data...)
	}
	have := map[string]string{}
	for _, row := range regexp.MustCompile(`struct (\w+) \{\s+enum \{ block = (\d+), bytes = (\d+) \};`).FindAllStringSubmatch(string(text), -1) {
		have[row[1]] = strings.Join(row[2:], " values in ")
	}
	for _, d := range engine.WeightTypes() {
		if want := fmt.Sprintf("%d values in %d", d.Block(), d.BlockBytes()); have[d.FileName()] != want {
			t.Errorf("a block of %s has %q bytes in the kernels, in the engine %q", d, have[d.FileName()], want)
		}
	}
	if len(have) != len(engine.WeightTypes()) {
		t.Errorf("the kernels have %d types, the engine %d", len(have), len(engine.WeightTypes()))
	}
}

// The grids of the types in codebooks are those of package quant.
func TestGrids(t *testing.T) {
	data, err := files.ReadFile("codebook_grids.metal")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(data)), " ")
	for _, d := range []engine.DType{engine.IQ2_XXS, engine.IQ2_XS, engine.IQ2_S, engine.IQ3_XXS, engine.IQ3_S} {
		grid := quant.Grid(d)
		want := fmt.Sprintf("GRID_%s[%d] = {", d.FileName(), len(grid))
		for _, word := range grid {
			want += fmt.Sprintf(" 0x%04x,", word)
		}
		if !strings.Contains(text, want+" };") {
			t.Errorf("%s: codebook_grids.metal does not have the %d words of package quant", d, len(grid))
		}
	}
}
