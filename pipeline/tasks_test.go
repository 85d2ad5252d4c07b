package pipeline

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/probe"
)

func flops(tasks []probe.Task) (n int64) {
	for _, t := range tasks {
		n += t.Cost.Flops
	}
	return n
}

// Reading a prompt costs as much in one pass as token by token, except for the output
// layer. The cost grows with what was read before: a token after 40 costs as much as the
// last of a prompt of 41.
func TestTasksOfWriting(t *testing.T) {
	bs := devices(t)["cpu"]
	x, err := OpenOutline(os.DirFS("../models/testdata/decoders/llama"), OutlineOptions{Hold: Hold{Context: 48}})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	whole, err := x.Reading(bs, 41, 0)
	if err != nil {
		t.Fatal(err)
	}
	first, err := x.Reading(bs, 40, 0)
	if err != nil {
		t.Fatal(err)
	}
	last, err := x.Writing(bs, 40)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := flops(whole), flops(first)+flops(last); a >= b || a < b*3/4 {
		t.Errorf("41 tokens at once are %d, 40 and 1 %d", a, b)
	}
	for _, task := range last {
		if task.Rows != 1 || task.Device != "cpu" {
			t.Errorf("%+v", task)
		}
	}
}

// Texts are put into passes like the embedder does it: never more tokens than the budget,
// the longest first.
func TestTasksOfTexts(t *testing.T) {
	bs := devices(t)["cpu"]
	x, err := OpenOutline(os.DirFS("../models/testdata/f16/bert"), OutlineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	x.enc.budget = 20
	tasks, err := x.Texts(bs, []int{4, 8, 8, 8, 4})
	if err != nil {
		t.Fatal(err)
	}
	var rows []int
	for _, task := range tasks {
		if task.Op == engine.OpAttention && (len(rows) == 0 || rows[len(rows)-1] != task.Rows) {
			rows = append(rows, task.Rows)
		}
	}
	if len(rows) != 1 || rows[0] != 16 {
		t.Errorf("the passes have %v tokens", rows)
	}
}

// wide is a device that asks for long passes.
type wide struct {
	engine.Backend
	passes *int
}

func (w wide) BatchRows() int { return 4096 }

func (w wide) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	*w.passes++
	return w.Backend.Submit(ctx, arena, ops)
}

// TestLongPasses: a device that asks for long passes gets them, guarded or not, the same
// vectors come of it, and where it has failed passes are as short as on the CPU.
func TestLongPasses(t *testing.T) {
	texts := slices.Repeat([]string{"a few words that make a text of some tokens"}, 400)
	passes, vectors := 0, [][]float32(nil)
	for _, c := range []struct {
		bs   []engine.Backend
		most int
	}{
		{oneThread(t), 1 << 20},
		{[]engine.Backend{wide{oneThread(t)[0], &passes}}, 2},
		{[]engine.Backend{engine.NewGuard(wide{oneThread(t)[0], &passes})}, 2},
	} {
		passes = 0
		e, err := openEmbedder(t.Context(), os.DirFS("../assets/starter"), c.bs, EmbedderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		before := passes
		got, err := e.Embed(t.Context(), texts, EmbedRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if vectors == nil {
			vectors = got.Vectors
		}
		for i, v := range got.Vectors {
			if !slices.Equal(v, vectors[i]) {
				t.Fatalf("text %d has another vector", i)
			}
		}
		if passes-before > c.most {
			t.Errorf("%d passes for %d texts", passes-before, len(texts))
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	g := engine.NewGuard(wide{oneThread(t)[0], &passes})
	if n := engine.BatchRows([]engine.Backend{g}, 1024); n != 4096 {
		t.Errorf("a guarded device gets %d rows", n)
	}
	g.Fail(errors.New("it is gone"))
	if n := engine.BatchRows([]engine.Backend{g}, 1024); n != 1024 {
		t.Errorf("a device that failed gets %d rows", n)
	}
}
