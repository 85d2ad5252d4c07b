package pipeline_test

import (
	"context"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"inglenook/pipeline"
)

const stories = "../../shared/models/stories260K"

// realModel skips where a real model is not beside the repository.
func realModel(t testing.TB, dir string) {
	t.Helper()
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not there: a real model is needed", dir)
	}
}

func openGenerator(t testing.TB, dir string, o pipeline.GeneratorOptions) *pipeline.Generator {
	t.Helper()
	w, err := pipeline.OpenWriter(context.Background(), os.DirFS(dir), cpu(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w.(*pipeline.Generator)
}

// told is a whole answer as the model told it.
type told struct {
	text, thinking string
	ids            []int32
	started        pipeline.Started
	finished       pipeline.Finished
	err            error
}

func tell(tokens iter.Seq2[pipeline.Token, error]) (a told) {
	var text, thinking strings.Builder
	for t, err := range tokens {
		if t.ID >= 0 {
			a.ids = append(a.ids, t.ID)
		}
		if t.Thinking {
			thinking.WriteString(t.Text)
		} else {
			text.WriteString(t.Text)
		}
		if t.Started != nil {
			a.started = *t.Started
		}
		if t.Finished != nil {
			a.finished = *t.Finished
		}
		if err != nil {
			a.err = err
		}
	}
	a.text, a.thinking = text.String(), thinking.String()
	return a
}

// greedy always takes the likeliest token.
func greedy() *pipeline.Sampling { return &pipeline.Sampling{} }

type goldenStory struct {
	PromptIDs  []int32 `json:"prompt_ids"`
	GreedyIDs  []int32 `json:"greedy_ids"`
	GreedyText string  `json:"greedy_text"`
	EncodeText string  `json:"encode_text"`
	EncodeIDs  []int32 `json:"encode_ids"`
}

// TestGoldenStories compares greedy text with an f32 cache with that of the reference
// library, token by token, and with that of llama2.c.
func TestGoldenStories(t *testing.T) {
	realModel(t, stories)
	golden := map[string]goldenStory{}
	readJSON(t, "../../shared/golden/tiny-llm.json", &golden)
	upstream, err := os.ReadFile("../../shared/golden/llama2c/stories260K.greedy200.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir, file, name string
		same            int // so many tokens; 0: all
	}{
		{stories, "", "stories260K", 0},
		{stories, "stories260K-F32.gguf", "stories260K", 0},
		// From there on the rounded weights tell another story, in the reference
		// library and in llama.cpp, too.
		{stories, "stories260K-Q8_0.gguf", "stories260K", 115},
		{"../../shared/models/TinyStories-656K", "", "TinyStories-656K", 0},
	} {
		t.Run(c.name+" "+c.file, func(t *testing.T) {
			want := golden[c.name]
			if c.same > 0 {
				want.GreedyIDs = want.GreedyIDs[:c.same]
			}
			for _, chunk := range []int{0, 1, 3} {
				g := openGenerator(t, c.dir, pipeline.GeneratorOptions{WeightsFile: c.file, ChunkTokens: chunk, Hold: pipeline.Hold{KV: "f32"}})
				a := tell(g.CompleteIDs(context.Background(), want.PromptIDs, pipeline.ReplyOptions{
					Sampling: greedy(), IgnoreEnd: true, MaxTokens: len(want.GreedyIDs) - len(want.PromptIDs),
				}))
				if a.err != nil {
					t.Fatal(a.err)
				}
				if got := append(slices.Clone(want.PromptIDs), a.ids...); !slices.Equal(got, want.GreedyIDs) {
					t.Errorf("chunks of %d: got  %v\nwant %v", chunk, got, want.GreedyIDs)
				}
				if a.finished.Reason != pipeline.FinishLength || a.finished.Device != "cpu" || a.started.Device != "cpu" {
					t.Errorf("started %+v, finished %+v", a.started, a.finished)
				}
				if c.name != "stories260K" {
					continue
				}
				if text := strings.TrimSpace(a.text); !strings.HasPrefix(string(upstream), text) || len(text) < 2*len(a.ids) {
					t.Errorf("the text is %q", a.text)
				}
			}
		})
	}
}
