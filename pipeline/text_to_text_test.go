package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

const flanT5 = "../models/testdata/text-to-text/flan-t5"

// tinyTask is a T5 of random weights whose pieces are letters, with what the reference
// library writes.
func tinyTask(t *testing.T) (files fstest.MapFS, ids, greedy [][]int32) {
	t.Helper()
	files = fstest.MapFS{}
	for _, name := range []string{"config.json", "model.safetensors"} {
		data, err := os.ReadFile(flanT5 + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	pieces := []string{`["<pad>",0]`, `["</s>",0]`, `["<unk>",0]`, `["▁",-1]`}
	for c := 'a'; c <= 'z'; c++ {
		pieces = append(pieces, fmt.Sprintf(`["%c",-3]`, c), fmt.Sprintf(`["▁%c",-2]`, c))
	}
	for _, c := range ".,:?!;()" {
		pieces = append(pieces, fmt.Sprintf(`["%c",-4]`, c))
	}
	files["tokenizer.json"] = &fstest.MapFile{Data: []byte(`{"model":{"type":"Unigram","unk_id":2,"vocab":[` + strings.Join(pieces, ",") + `]},
		"added_tokens":[{"id":0,"content":"<pad>","special":true},{"id":1,"content":"</s>","special":true}],
		"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},"decoder":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},
		"post_processor":{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"</s>","type_id":0}}],
			"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],"special_tokens":{"</s>":{"id":"</s>","ids":[1],"tokens":["</s>"]}}}}`)}
	var want struct {
		Cases []struct{ IDs, Greedy []int32 }
	}
	data, err := os.ReadFile(flanT5 + "/expected.json")
	if err == nil {
		err = json.Unmarshal(data, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range want.Cases {
		ids, greedy = append(ids, c.IDs), append(greedy, c.Greedy)
	}
	return files, ids, greedy
}

func openTask(t *testing.T, bs []engine.Backend, o GeneratorOptions) *Generator {
	t.Helper()
	files, _, _ := tinyTask(t)
	g, err := openGenerator(t.Context(), files, bs, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

var greedily = ReplyOptions{Sampling: &Sampling{}, MaxTokens: 24, IgnoreEnd: true}

// TestTextToTextWritesGreedily: one text after the other, each twice, with guesses and
// without, on each device, gets the tokens that the reference library writes. A text that
// begins like the one before is read whole again.
func TestTextToTextWritesGreedily(t *testing.T) {
	_, emulated := emulatedMetal(t)
	_, ids, greedy := tinyTask(t)
	for device, bs := range map[string][]engine.Backend{"cpu": oneThread(t), "metal-emulated": emulated} {
		g := openTask(t, bs, GeneratorOptions{Hold: Hold{KV: "f32"}})
		for i := range 2 * len(ids) {
			for _, draft := range []string{DraftOff, DraftLookup, DraftAuto} {
				o := greedily
				o.Draft = draft
				h := hear(t, g.CompleteIDs(t.Context(), ids[i/2], o))
				if h.err != nil || !slices.Equal(h.ids, greedy[i/2]) || h.finished.Device != device || len(h.finished.Fallbacks) > 0 {
					t.Errorf("%s, case %d, guesses %s: %d, want %d; %+v, %v", device, i/2, draft, h.ids, greedy[i/2], h.finished, h.err)
				}
			}
		}
		longer := slices.Concat(ids[1], greedy[1])
		fresh := hear(t, openTask(t, oneThread(t), GeneratorOptions{Hold: Hold{KV: "f32"}}).CompleteIDs(t.Context(), longer, greedily))
		hear(t, g.CompleteIDs(t.Context(), ids[1], greedily))
		if h := hear(t, g.CompleteIDs(t.Context(), longer, greedily)); !slices.Equal(h.ids, fresh.ids) || h.started.Reused != 0 {
			t.Errorf("%s: a text that goes on like the one before and its answer: %d, want %d; %+v", device, h.ids, fresh.ids, h.started)
		}
		if err := g.KeepPrefix(t.Context(), nil, "", g.Held(t.Context())); !errors.Is(err, engine.ErrCacheStays) {
			t.Errorf("what was read is kept: %v", err)
		}
	}
}

// TestTextToTextDeviceFails: another device reads the text again, and what was written, and
// goes on with the same tokens.
func TestTextToTextDeviceFails(t *testing.T) {
	_, ids, greedy := tinyTask(t)
	for at := range 12 {
		device, bs := faultyDevice(t)
		g := openTask(t, bs, GeneratorOptions{Hold: Hold{KV: "f32"}})
		device.Arm(enginetest.DeviceLost, enginetest.AtSubmit, at)
		h := hear(t, g.CompleteIDs(t.Context(), ids[2], greedily))
		if h.err != nil || !slices.Equal(h.ids, greedy[2]) || !device.Struck() || len(h.finished.Notices) != 1 {
			t.Errorf("failure %d: %d, want %d; %+v, %v", at, h.ids, greedy[2], h.finished, h.err)
		}
	}
}

// TestTextToTextTasks: the last message alone is answered, behind instructions, with the end
// token of the text.
func TestTextToTextTasks(t *testing.T) {
	g := openTask(t, oneThread(t), GeneratorOptions{})
	i := g.Info()
	if i.Chat || i.Context != 2048 || i.Architecture != "T5ForConditionalGeneration" {
		t.Errorf("%+v", i)
	}
	for name, c := range map[string]struct {
		chat []Message
		text string
	}{
		"one":          {[]Message{user("a b")}, "a b"},
		"instructions": {[]Message{system("sum up:"), user("x"), assistant("y"), user("a b")}, "sum up:\na b"},
		"an answer":    {[]Message{user("a"), user("b"), assistant("y")}, "a\nb"},
	} {
		p, err := g.Plan(t.Context(), c.chat, ReplyOptions{})
		if err != nil || p.Text != c.text || p.IDs[len(p.IDs)-1] != 1 || len(p.Dropped) > 0 {
			t.Errorf("%s: %q, %d, left out %d, %v", name, p.Text, p.IDs, p.Dropped, err)
		}
		h := hear(t, Answer(t.Context(), g, c.chat, ReplyOptions{Sampling: &Sampling{}, MaxTokens: 5}))
		direct := hear(t, g.CompleteIDs(t.Context(), p.IDs, ReplyOptions{Sampling: &Sampling{}, MaxTokens: 5}))
		if h.err != nil || h.text == "" || h.text != direct.text || h.started.PromptTokens != len(p.IDs) {
			t.Errorf("%s: %q, want %q, %v", name, h.text, direct.text, h.err)
		}
	}
	p, err := g.Plan(t.Context(), []Message{user("a </s> b")}, ReplyOptions{}) // as the gaps that T5 fills are typed
	if err != nil || slices.Index(p.IDs, 1) == len(p.IDs)-1 {
		t.Errorf("a typed control token is read as text: %d, %v", p.IDs, err)
	}
	var long *TooLongError
	if _, err := g.Plan(t.Context(), []Message{user(strings.Repeat("a ", 3000))}, ReplyOptions{}); !errors.As(err, &long) {
		t.Errorf("a long text: %v", err)
	}
}

// TestTextToTextElsewhere: where vectors or scores are wanted, a sentence says where the model
// belongs. Its description does too.
func TestTextToTextElsewhere(t *testing.T) {
	ctx := context.Background()
	files, ids, _ := tinyTask(t)
	_, embeds := OpenEmbedder(ctx, files, oneThread(t), EmbedderOptions{})
	_, pools := OpenEmbedder(ctx, files, oneThread(t), EmbedderOptions{Pooling: []string{"mean"}})
	_, ranks := OpenReranker(ctx, files, oneThread(t), RerankerOptions{})
	_, asked := OpenReranker(ctx, files, oneThread(t), RerankerOptions{Form: Forms()[0]})
	for name, err := range map[string]error{"embed": embeds, "pool": pools, "rank": ranks, "ask": asked} {
		if err == nil || !strings.Contains(err.Error(), "use it in Chat") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d, err := Describe(files, ""); err != nil || d.Kind != "text-to-text" || !d.Supported || d.MaxLength != 2048 {
		t.Errorf("%+v, %v", d, err)
	}
	x, err := OpenOutline(files, OutlineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	fit, err := x.On(oneThread(t), 0)
	if err != nil || !x.Writes || len(fit.Report.Fallbacks()) > 0 || fit.Memory.Cache != 2*2*2*2048*30*2 {
		t.Errorf("%+v, %v", fit, err)
	}
	for _, u := range x.Uses {
		if u.Works != (u.Name == "chat") {
			t.Errorf("%+v", u)
		}
	}
	f, err := OpenForward(ctx, files, oneThread(t), ForwardOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Run(ctx, ForwardInput{IDs: ids[1]}, ""); err == nil || !strings.Contains(err.Error(), "start token 0") {
		t.Errorf("without decoder ids: %v", err)
	}
	if r, err := f.Run(ctx, ForwardInput{IDs: ids[1], DecoderIDs: []int32{0, 7}}, "hidden"); err != nil || r.Rows != 2 || r.Cols != 32 {
		t.Errorf("%+v, %v", r, err)
	}
}
