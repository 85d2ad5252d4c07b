package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/pipeline/memory"
)

// TestExpertsThatDoNotFit: where a model does not fit into memory, experts are left in
// their file. The answers are the same, a note says what that costs, and compat expects it.
// What cannot be left there is refused.
func TestExpertsThatDoNotFit(t *testing.T) {
	ctx := context.Background()
	folders, err := filepath.Glob("../models/testdata/gguf/*moe/*.gguf")
	if err != nil || len(folders) < 3 {
		t.Fatal(folders, err)
	}
	for _, file := range folders {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			folder := os.DirFS(filepath.Dir(file))
			open := func(room int64) (*Generator, error) { // beside the program, whose pages come and go
				available := func() int64 { return room + memory.OfText(0) }
				if room == 0 {
					available = nil
				}
				return openGenerator(ctx, folder, oneThread(t), GeneratorOptions{IDsOnly: true, Available: available})
			}
			answer := func(g *Generator) heard {
				return hear(t, g.CompleteIDs(ctx, quoting(20, g.vocab), ReplyOptions{MaxTokens: 20, IgnoreEnd: true, Sampling: &Sampling{}}))
			}
			whole, err := open(0)
			if err != nil {
				t.Fatal(err)
			}
			defer whole.Close()
			needs, want := whole.Info().Local.Memory, answer(whole)
			if needs.Left != 0 || want.err != nil {
				t.Fatalf("%+v, %v", needs, want.err)
			}
			less := needs.Total() - needs.Text - 1
			g, err := open(less)
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			got, now := answer(g), g.Info().Local.Memory
			if got.err != nil || !slices.Equal(got.ids, want.ids) {
				t.Errorf("it goes on with %v, want %v; %v", got.ids, want.ids, got.err)
			}
			notes := strings.Join(g.Info().Notes, "\n")
			if now.Left == 0 || now.LeftToken == 0 || now.LeftToken >= now.Left || now.Total()-now.Text > less || !strings.Contains(notes, "stay in the file") || !strings.Contains(notes, now.Cost()) {
				t.Errorf("%+v, notes %q", now, notes)
			}
			if _, err := open(needs.Cache + needs.Activations); err == nil || !strings.Contains(err.Error(), "of memory") {
				t.Errorf("without room for any weights: %v", err)
			}

			x, err := OpenOutline(folder, OutlineOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer x.Close()
			fits, err := x.On(oneThread(t), 0)
			if err != nil || fits.Memory.Left != 0 {
				t.Fatalf("%+v, %v", fits.Memory, err)
			}
			expected, err := x.On(oneThread(t), fits.Memory.Total()-fits.Memory.Text+memory.OfText(g.vocab)-1)
			if err != nil || expected.Memory.Left == 0 || expected.Memory.Total() >= fits.Memory.Total() {
				t.Errorf("expected were %+v, it is %+v; %v", expected.Memory, now, err)
			}
		})
	}
	apart := os.DirFS("../models/testdata/decoders/qwen3-moe") // each expert is a tensor of its own
	g, err := openGenerator(ctx, apart, oneThread(t), GeneratorOptions{IDsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	less := g.Info().Local.Memory.Total() - g.Info().Local.Memory.Text
	if _, err := openGenerator(ctx, apart, oneThread(t), GeneratorOptions{IDsOnly: true, Available: func() int64 { return less - 1 + memory.OfText(0) }}); err == nil || !strings.Contains(err.Error(), "of memory") {
		t.Errorf("experts that cannot be left in their file: %v", err)
	}
}
