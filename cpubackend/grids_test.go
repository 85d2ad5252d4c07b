package cpubackend

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/quant"
)

// The grids in C are those of package quant.
func TestGrids(t *testing.T) {
	data, err := os.ReadFile("kernels/grids.h")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(data)), " ")
	for _, d := range []engine.DType{engine.IQ2_XXS, engine.IQ2_XS, engine.IQ2_S, engine.IQ3_XXS, engine.IQ3_S} {
		var want strings.Builder
		grid := quant.Grid(d)
		fmt.Fprintf(&want, "grid_%s[%d] = {", d, len(grid))
		for _, word := range grid {
			fmt.Fprintf(&want, " 0x%04x,", word)
		}
		if !strings.Contains(text, want.String()+" };") {
			t.Errorf("%s: kernels/grids.h does not have %d words of package quant", d, len(grid))
		}
	}
}
