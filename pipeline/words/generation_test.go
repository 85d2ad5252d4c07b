package words

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestGenerationConfig(t *testing.T) {
	for _, c := range []struct {
		file, config string
		ends         []int32
		want         string
		stated       bool
	}{
		{`{}`, `{"eos_token_id": 2}`, []int32{2}, "t0.8 k40 p0.95 m0.05 r1", false},
		{`{"eos_token_id": [7, 8]}`, `{"eos_token_id": 2, "text_config": {"eos_token_id": [3]}}`, []int32{7, 8, 2, 3}, "t0.8 k40 p0.95 m0.05 r1", false},
		{`{"do_sample": false, "temperature": 0.5}`, `{}`, nil, "t0 k0 p1 m0 r1", true},
		{`{"do_sample": true}`, `{"eos_token_id": null}`, nil, "t1 k50 p1 m0 r1", true},
		{`{"do_sample": true, "temperature": 0.6, "top_k": 20, "top_p": 0.95, "min_p": 0, "repetition_penalty": 1.05}`, `{}`, nil, "t0.6 k20 p0.95 m0 r1.05", true},
		{`{"temperature": 0.7}`, `{}`, nil, "t0.7 k50 p1 m0 r1", true},
	} {
		g, err := readGeneration(fstest.MapFS{"generation_config.json": {Data: []byte(c.file)}, "config.json": {Data: []byte(c.config)}})
		s := g.Sampling
		if got := fmt.Sprintf("t%v k%d p%v m%v r%v", s.Temperature, s.TopK, s.TopP, s.MinP, s.RepeatPenalty); err != nil || got != c.want || g.Stated != c.stated || !slices.Equal(g.Ends, c.ends) {
			t.Errorf("%s: %s, stated %v, ends %v, %v", c.file, got, g.Stated, g.Ends, err)
		}
	}
}

// TestGenerationConfigWrong: valid settings are used, and a note names the others.
func TestGenerationConfigWrong(t *testing.T) {
	const usual = "t0.8 k40 p0.95 m0.05 r1"
	for _, c := range []struct {
		file, config string
		ends         []int32
		want, note   string
	}{
		{`[`, `{"eos_token_id": 2}`, []int32{2}, usual, "cannot be read"},
		{`[]`, `{}`, nil, usual, "cannot be read"},
		{`null`, `{}`, nil, usual, ""},
		{``, `{}`, nil, usual, "cannot be read"},
		{`{"temperature": 0.7, "top_p": "x"}`, `{}`, nil, "t0.7 k50 p1 m0 r1", `top_p is "x"`},
		{`{"do_sample": true, "top_p": 7, "top_k": 20}`, `{}`, nil, "t1 k20 p1 m0 r1", "top-p is 7"},
		{`{"do_sample": true, "top_k": -1}`, `{}`, nil, "t1 k50 p1 m0 r1", "top-k is -1"},
		{`{"temperature": NaN, "top_k": 20, "max_time": Infinity}`, `{}`, nil, "t1 k20 p1 m0 r1", `temperature is "NaN"`},
		{`{"do_sample": "yes", "temperature": null, "repetition_penalty": -2, "min_p": 0.1}`, `{}`, nil, "t1 k50 p1 m0.1 r1", `do_sample is "yes"`},
		{`{"eos_token_id": "x", "top_k": 3}`, `{"eos_token_id": [4, "y"], "text_config": {"eos_token_id": 5}}`, []int32{5}, "t1 k3 p1 m0 r1", "eos_token_id is neither"},
	} {
		g, err := readGeneration(fstest.MapFS{"generation_config.json": {Data: []byte(c.file)}, "config.json": {Data: []byte(c.config)}})
		s := g.Sampling
		if got := fmt.Sprintf("t%v k%d p%v m%v r%v", s.Temperature, s.TopK, s.TopP, s.MinP, s.RepeatPenalty); err != nil || got != c.want || !slices.Equal(g.Ends, c.ends) {
			t.Errorf("%s: %s, ends %v, %v", c.file, got, g.Ends, err)
		}
		if notes := strings.Join(g.Notes, "; "); !strings.Contains(notes, c.note) || (c.note == "") != (notes == "") {
			t.Errorf("%s: the notes are %q, want %q", c.file, notes, c.note)
		}
	}
}
