package guide

import (
	"strings"
	"testing"
)

// The guide names no models as examples, in whatever pieces it writes; other words stay as they are.
func TestTheGuideNamesNoModelsAsExamples(t *testing.T) {
	for written, want := range map[string]string{
		"I am too small for that. A larger model can do it; open Models, choose Discover, and take for example Qwen2.5 1.5B Instruct.": "I am too small for that. A larger model can do it; open Models, choose Discover.",
		"In Models, under Discover, you find more, for example Qwen2.5 1.5B Instruct or Qwen3 4B. Try it.":                             "In Models, under Discover, you find more. Try it.",
		"Choose one, for example Qwen2.5 1.5B\nand go on":                                                                              "Choose one.",
		"Drop a file, for example a letter, on the window,":                                                                            "Drop a file, for example a letter, on the window,",
		"Yes, and": "Yes, and",
		"":         "",
	} {
		for size := 1; size <= 40; size += 3 {
			var e Examples
			var got strings.Builder
			for rest := written; rest != ""; rest = rest[min(size, len(rest)):] {
				got.WriteString(e.Take(rest[:min(size, len(rest))], false))
			}
			got.WriteString(e.Take("", true))
			if got.String() != want {
				t.Errorf("in pieces of %d: %q became %q", size, written, got.String())
			}
		}
	}
}
