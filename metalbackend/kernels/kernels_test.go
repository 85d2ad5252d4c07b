package kernels

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"inglenook/engine"
)

// The kernels repeat the engine's block sizes as constants; they must agree.
func TestBlocks(t *testing.T) {
	text, err := files.ReadFile("blocks.metal")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, row := range regexp.MustCompile(`struct (\w+) \{\s+enum \{ block = (\d+), bytes = (\d+) \};`).FindAllStringSubmatch(string(text), -1) {
		have[row[1]] = strings.Join(row[2:], " values in ")
	}
	for _, d := range engine.WeightTypes() {
		if want := fmt.Sprintf("%d values in %d", d.Block(), d.BlockBytes()); have[d.FileName()] != want {
			t.Errorf("a block of %s has %q bytes in blocks.metal, in the engine %q", d, have[d.FileName()], want)
		}
	}
	if len(have) != len(engine.WeightTypes()) {
		t.Errorf("blocks.metal has %d types, the engine %d", len(have), len(engine.WeightTypes()))
	}
}
