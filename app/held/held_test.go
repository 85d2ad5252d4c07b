package held

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"inglenook/app/base"
)

func TestAbout(t *testing.T) {
	for about, h := range map[string]Held{
		"": {Weights: "q8_0"},
		"To be faster, the model calculates with rounded numbers (8 bits): results were 99.95 % the same on the first passage.":                                  {Weights: "q8_0", Checked: 1, Alike: 0.99956},
		"To be faster, the model calculates with rounded numbers (8 bits): it was 1.9 times as fast, and results were 99.95 % the same on the first 8 passages.": {Weights: "q8_0", Checked: 8, Times: 1.9, Alike: 0.99956},
		"To be faster, the model calculates with rounded numbers (8 bits): results were 99.95 % the same on the first 2 passages.":                               {Weights: "q8_0", Checked: 2, Times: 7.8, Alike: 0.99956},
		"To be faster, the model calculates with rounded numbers (8 bits): results were 99.95 % the same on the first 7 passages.":                               {Weights: "q8_0", Checked: 7, Times: 7.8, Alike: 0.99956, Doubt: true},
		"The model calculates with the exact numbers of its file: with rounded ones (8 bits), results were only 99.89 % the same on the first 8 passages.":       {Weights: "auto", Checked: 8, Times: 1.9, Alike: 0.99899},
		"The model calculates with the exact numbers of its file: rounded ones (8 bits) were not faster on the first 8 passages.":                                {Weights: "auto", Checked: 8, Times: 1, Alike: 0.9999},
	} {
		if got := h.About("passage"); got != about {
			t.Errorf("%+v: %q", h, got)
		}
	}
}

// What was disturbed is not told, nor what differs from text to text.
func TestDoubtful(t *testing.T) {
	even := []float64{1.4, 1.5, 1.6, 1.5, 1.5}
	for name, c := range map[string]struct {
		times  []float64
		others float64
		known  bool
		want   bool
	}{
		"a quiet computer":  {even, 0.02, true, false},
		"a busy computer":   {even, 0.3, true, true},
		"nobody knows":      {even, 0, false, false},
		"one text apart":    {append(even, 9), 0, true, false},
		"all texts differ":  {[]float64{0.5, 1, 1.5, 2, 3}, 0, true, true},
		"nothing was timed": {nil, 0, true, false},
	} {
		if got := doubtful(c.times, 1.5, c.others, c.known); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What is not alike is not kept, whatever its speed.
func TestCompare(t *testing.T) {
	plain := func(_ context.Context, text string) ([]float32, error) { return []float32{float32(len(text)), 1}, nil }
	turned := func(_ context.Context, text string) ([]float32, error) { return []float32{-float32(len(text)), 1}, nil }
	texts := []string{"a", "bb", "cccc", "d", "e", "f", "g", "h", "i", "j"}
	for name, c := range map[string]struct {
		eight   Reader
		texts   []string
		alike   Alike
		least   float64
		most    float64
		checked int
	}{
		"the same vectors":   {plain, texts, Vectors, 0.9999999, 1.0000001, 8},
		"other vectors":      {turned, texts, Vectors, -1, 0.5, 8},
		"the same scores":    {plain, texts, Scores, 0.9999999, 1.0000001, 8},
		"scores turned":      {turned, texts, Scores, -1.0000001, -0.9999999, 8},
		"two scores":         {plain, texts[:2], Scores, 0, 0, 2},
		"no texts":           {plain, nil, Vectors, 0, 0, 0},
		"scores all equal":   {plain, []string{"a", "b", "c", "d"}, Scores, 0, 0, 4},
		"one vector, a text": {plain, texts[:1], Vectors, 0.9999999, 1.0000001, 1},
	} {
		h, err := Compare(t.Context(), c.texts, c.eight, plain, c.alike)
		if err != nil || h.Checked != c.checked || h.Alike < c.least || h.Alike > c.most {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
		if h.Alike < alikeEnough && h.Weights != AsInFile {
			t.Errorf("%s: held as %q", name, h.Weights)
		}
	}
	if _, err := Compare(t.Context(), texts, func(context.Context, string) ([]float32, error) { return nil, errors.New("no") }, plain, Vectors); err == nil {
		t.Error("a reader that fails is not heard of")
	}
}

// A file that cannot be read costs no more than another check.
func TestChoicesFile(t *testing.T) {
	for name, content := range map[string]string{"damaged": "{\"embed", "another form": "[1]", "empty": "", "null": "null"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "eight-bits.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		c := New(slog.New(slog.DiscardHandler), base.Paths{Data: dir})
		if kept := c.read(); kept == nil || len(kept) != 0 {
			t.Errorf("%s: %v", name, kept)
		}
	}
}
