package pipeline

import (
	"context"
	"os"
	"slices"
	"testing"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/pipeline/placement"
)

func TestProfileCountsPassesAndOperations(t *testing.T) {
	b, err := cpubackend.New(cpubackend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	e, err := OpenEmbedder(context.Background(), os.DirFS("testdata/mean-normalize"), []engine.Backend{b}, EmbedderOptions{BatchTokens: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	got, err := e.Embed(context.Background(), []string{"one", "two", "three"}, EmbedRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Profile.Passes != 3 {
		t.Errorf("%d passes for three texts that each fill one", got.Profile.Passes)
	}
	for _, op := range []engine.Op{engine.OpEmbed, engine.OpLinear, engine.OpAttention, engine.OpPool} {
		i := slices.IndexFunc(got.Profile.Ops, func(x placement.OpTime) bool { return x.Op == op })
		if i < 0 || got.Profile.Ops[i].Count%3 != 0 || got.Profile.Ops[i].Took <= 0 || got.Profile.Ops[i].Device != "cpu" {
			t.Errorf("%v: %+v", op, got.Profile.Ops)
		}
	}
	for i, x := range got.Profile.Ops {
		if slices.ContainsFunc(got.Profile.Ops[:i], func(y placement.OpTime) bool { return x.Op == y.Op && x.DType == y.DType }) {
			t.Errorf("%v is listed twice", x.Op)
		}
	}
}
