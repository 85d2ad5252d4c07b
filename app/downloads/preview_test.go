package downloads

import (
	"strings"
	"testing"

	"inglenook/app/fit"
	"inglenook/hub/repo"
)

func TestSuggestion(t *testing.T) {
	const free = 1000
	for name, c := range map[string]struct {
		needs map[string]int64
		want  string
	}{
		"the best that fits":   {map[string]int64{"Q8_0": 700, "Q4_K_M": 400, "F16": 740}, "Q8_0"},
		"not a tight one":      {map[string]int64{"Q8_0": 900, "Q6_K": 700, "Q4_K_M": 400}, "Q6_K"},
		"tight before nothing": {map[string]int64{"Q8_0": 1900, "Q4_K_M": 800}, "Q4_K_M"},
		"nothing fits":         {map[string]int64{"Q8_0": 1900, "Q4_K_M": 1500, "Q2_K": 1100}, "Q2_K"},
	} {
		var files []repo.File
		for q, n := range c.needs {
			files = append(files, repo.File{Path: "m-" + q + ".gguf", Size: n, SHA256: strings.Repeat("a", 64)})
		}
		list, err := variants(files)
		if err != nil {
			t.Fatal(err)
		}
		p := Preview{Variants: list}
		for i := range p.Variants {
			v := &p.Variants[i]
			v.Needs = c.needs[v.Name]
			v.Fits = fit.FitsInto(v.Needs, free)
		}
		p.suggest()
		if got := p.Variants[p.Suggested].Name; got != c.want || p.Variants[p.Suggested].Why == "" {
			t.Errorf("%s: suggested is %s, want %s", name, got, c.want)
		}
	}
}
