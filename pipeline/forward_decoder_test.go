package pipeline_test

import (
	"context"
	"math"
	"os"
	"slices"
	"testing"

	"inglenook/pipeline"
)

// TestForwardCausal returns a row of logits, or of hidden states, for each token;
// those of a real model are the reference library's.
func TestForwardCausal(t *testing.T) {
	realModel(t, stories)
	var golden map[string]struct {
		IDs       []int32   `json:"encode_ids"`
		First     []float32 `json:"logits_last_first16"`
		Argmax    int       `json:"logits_last_argmax"`
		LogSumExp float64   `json:"logsumexp_last"`
		NLL       float64   `json:"mean_nll"`
	}
	readJSON(t, "../../shared/golden/tiny-llm.json", &golden)
	for _, c := range []struct {
		name, dir, file string
	}{
		{"stories260K", stories, ""},
		{"stories260K", stories, "stories260K-F32.gguf"},
		{"TinyStories-656K", "../../shared/models/TinyStories-656K", ""},
	} {
		f, err := pipeline.OpenForward(context.Background(), os.DirFS(c.dir), cpu(t), pipeline.ForwardOptions{WeightsFile: c.file})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		want := golden[c.name]
		r, err := f.Run(context.Background(), pipeline.ForwardInput{IDs: want.IDs}, "")
		if err != nil {
			t.Fatal(err)
		}
		if r.Rows != len(want.IDs) || r.Cols != f.Config().Vocab || r.Device != "cpu" {
			t.Fatalf("%d rows of %d on %s", r.Rows, r.Cols, r.Device)
		}
		row := func(i int) []float32 { return r.Data[i*r.Cols : (i+1)*r.Cols] }
		last := row(r.Rows - 1)
		near(t, c.name, last[:16], want.First, 2e-3)
		if i := slices.Index(last, slices.Max(last)); i != want.Argmax {
			t.Errorf("%s: the likeliest next token is %d, not %d", c.name, i, want.Argmax)
		}
		if got := logSumExp(last); math.Abs(got-want.LogSumExp) > 1e-3 {
			t.Errorf("%s: log-sum-exp %v, want %v", c.name, got, want.LogSumExp)
		}
		var nll float64
		for i, id := range want.IDs[1:] {
			nll += logSumExp(row(i)) - float64(row(i)[id])
		}
		if nll /= float64(len(want.IDs) - 1); math.Abs(nll-want.NLL) > 1e-3 {
			t.Errorf("%s: mean surprise %v, want %v", c.name, nll, want.NLL)
		}
		if h, err := f.Run(context.Background(), pipeline.ForwardInput{IDs: want.IDs}, "hidden"); err != nil || h.Rows != r.Rows || h.Cols != f.Config().Hidden {
			t.Errorf("%s: hidden states [%d %d], %v", c.name, h.Rows, h.Cols, err)
		}
		for _, bad := range []func() error{
			func() error {
				_, err := f.Run(context.Background(), pipeline.ForwardInput{IDs: want.IDs}, "pooled")
				return err
			},
			func() error {
				_, err := f.Run(context.Background(), pipeline.ForwardInput{IDs: want.IDs, TypeIDs: want.IDs}, "")
				return err
			},
			func() error {
				_, err := f.Run(context.Background(), pipeline.ForwardInput{IDs: []int32{1 << 20}}, "")
				return err
			},
			func() error { _, err := f.Run(context.Background(), pipeline.ForwardInput{}, ""); return err },
		} {
			if bad() == nil {
				t.Errorf("%s: a mistake is not seen", c.name)
			}
		}
	}
}

func logSumExp(xs []float32) float64 {
	top, sum := float64(slices.Max(xs)), 0.0
	for _, x := range xs {
		sum += math.Exp(float64(x) - top)
	}
	return top + math.Log(sum)
}
