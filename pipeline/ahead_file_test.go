package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/weights/gguf"
)

// twoFiles is the model whose head lies in a file of its own: the two files.
func twoFiles(t *testing.T) (model, head []byte) {
	t.Helper()
	model, err := os.ReadFile(foreseeing + "qwen35-apart/model.gguf")
	if err == nil {
		head, err = os.ReadFile(foreseeing + "qwen35-apart/mtp-model.gguf")
	}
	if err != nil {
		t.Fatal(err)
	}
	return model, head
}

// rewritten is a file with another number of type uint32 under a key.
func rewritten(t *testing.T, file []byte, key string, value uint32) []byte {
	t.Helper()
	file = slices.Clone(file)
	at := bytes.Index(file, []byte(key))
	if at < 0 {
		t.Fatalf("the file has no %s", key)
	}
	binary.LittleEndian.PutUint32(file[at+len(key)+4:], value)
	return file
}

// spoilt is a file, all numbers of whose tensors of type F32 with this ending are not numbers.
func spoilt(t *testing.T, file []byte, ending string) []byte {
	t.Helper()
	file = slices.Clone(file)
	f, err := gguf.Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range f.Tensors {
		if strings.HasSuffix(x.Name, ending) && x.Type.String() == "F32" {
			for i := x.Offset; i < x.Offset+x.Bytes; i += 4 {
				binary.LittleEndian.PutUint32(file[i:], math.Float32bits(float32(math.NaN())))
			}
		}
	}
	return file
}

// halved is a file with half a head: its layer does not attend.
func halved(head []byte) []byte {
	return bytes.ReplaceAll(head, []byte("blk.4.attn_"), []byte("blk.7.attn_"))
}

// widened is a file with a head that has a norm of half the model's width.
func widened(t *testing.T, head []byte) []byte {
	t.Helper()
	head = slices.Clone(head)
	name := []byte("blk.4.nextn.enorm.weight")
	at := bytes.Index(head, name)
	if at < 0 {
		t.Fatal("the file has no norm of the word")
	}
	at += len(name) + 4 // behind how many sides it has
	binary.LittleEndian.PutUint64(head[at:], binary.LittleEndian.Uint64(head[at:])/2)
	return head
}

// TestHeadBesideTheModel: a head in a file of its own is found wherever such files lie beside a model's,
// the right one of several, and guesses.
func TestHeadBesideTheModel(t *testing.T) {
	model, head := twoFiles(t)
	deeper := rewritten(t, head, "qwen35.block_count", 9)
	alone := openAhead(t, fstest.MapFS{"x.gguf": {Data: model}}, oneThread(t), GeneratorOptions{}).Info().Local.Parameters
	for name, files := range map[string]fstest.MapFS{
		"beside":             {"x.gguf": {Data: model}, "mtp-x.gguf": {Data: head}},
		"under another name": {"x.gguf": {Data: model}, "mtp-y-Q8_0.gguf": {Data: head}},
		"in a folder":        {"x.gguf": {Data: model}, "MTP/mtp-x.gguf": {Data: head}},
		"above":              {"Q4/x.gguf": {Data: model}, "mtp-x.gguf": {Data: head}},
		"in a folder above":  {"Q4/x.gguf": {Data: model}, "mtp/mtp-x.gguf": {Data: head}},
		"behind half a one":  {"x.gguf": {Data: model}, "mtp-x-F16.gguf": {Data: head}, "mtp-x-Q8_0.gguf": {Data: halved(head)}},
		"among others":       {"x-Q8_0.gguf": {Data: model}, "mtp-a.gguf": {Data: deeper}, "mtp-x-F16.gguf": {Data: head}, "mtp-x-Q8_0.gguf": {Data: head[:300]}, "mmproj-x.gguf": {Data: []byte("no head")}},
	} {
		file := ""
		for f := range files {
			if strings.HasPrefix(f[strings.LastIndex(f, "/")+1:], "x") {
				file = f
			}
		}
		g := openAhead(t, files, oneThread(t), GeneratorOptions{WeightsFile: file})
		h := hear(t, g.CompleteIDs(context.Background(), quoting(20, g.vocab), ReplyOptions{MaxTokens: 12, IgnoreEnd: true, Sampling: &Sampling{}, Draft: DraftMTP}))
		if why := g.Head(); why != "" || h.err != nil || h.finished.Drafted == 0 || len(g.Info().Notes) > 0 {
			t.Errorf("%s: %q, %v, %d guesses, notes %q", name, why, h.err, h.finished.Drafted, g.Info().Notes)
		}
		if n := g.Info().Local.Parameters; n != alone {
			t.Errorf("%s: %d parameters, and %d of the model alone", name, n, alone)
		}
	}
}

// TestHeadBesideIsNone: whatever is wrong with a file that should hold the head, the answer is the same,
// and a sentence says so where somebody asks, or where the file is named after the model.
func TestHeadBesideIsNone(t *testing.T) {
	model, head := twoFiles(t)
	write := func(g *Generator, way string) heard {
		h := hear(t, g.CompleteIDs(context.Background(), quoting(20, g.vocab), ReplyOptions{MaxTokens: 12, IgnoreEnd: true, Sampling: &Sampling{}, Draft: way}))
		if h.err != nil {
			t.Fatal(h.err)
		}
		return h
	}
	want := write(openAhead(t, fstest.MapFS{"x.gguf": {Data: model}}, oneThread(t), GeneratorOptions{}), DraftOff).ids
	for _, c := range []struct {
		name string
		head []byte
		why  string // of the sentence where somebody asks
	}{
		{"more layers", rewritten(t, head, "qwen35.block_count", 9), "cannot be used, so there are no guesses from it: mtp-x.gguf was made for a model with 8 layers, and this one has 4; lookup, and a smaller model, guess without it"},
		{"another width", rewritten(t, head, "qwen35.embedding_length", 64), "other sizes (qwen35.embedding_length is 64 instead of 32)"},
		{"another architecture", bytes.ReplaceAll(head, []byte("qwen35"), []byte("qwen36")), `the architecture "qwen36", and this one is of "qwen35"`},
		{"another vocabulary", bytes.Replace(head, []byte("t31"), []byte("u31"), 1), "another vocabulary"},
		{"a whole model without a head", model, "lacks the tensor blk.4.nextn.eh_proj.weight"},
		{"half a head", halved(head), "guesses from it: mtp-x.gguf does not fit its metadata: 7 tensors are missing ("},
		{"a head of another shape", widened(t, head), "guesses from it: mtp-x.gguf does not fit its metadata: 1 of another shape than they say ("},
		{"a torn file", head[:300], "guesses from it: mtp-x.gguf is damaged"},
		{"no GGUF file", []byte("hello"), "guesses from it: mtp-x.gguf"},
	} {
		for _, file := range []string{"mtp-x.gguf", "mtp-other.gguf"} {
			g := openAhead(t, fstest.MapFS{"x.gguf": {Data: model}, file: {Data: c.head}}, oneThread(t), GeneratorOptions{})
			notes := g.Info().Notes
			if why := g.Head(); !strings.Contains(strings.ReplaceAll(why, "mtp-other.gguf", "mtp-x.gguf"), c.why) || strings.Contains(why, "\n") || !strings.Contains(why, "there are no guesses") {
				t.Errorf("%s: %q", c.name, why)
			}
			if file == "mtp-x.gguf" && (len(notes) != 1 || !strings.HasPrefix(g.Head(), notes[0])) || file != "mtp-x.gguf" && len(notes) > 0 {
				t.Errorf("%s in %s: notes %q", c.name, file, notes)
			}
			for _, way := range []string{DraftMTP, DraftAuto} {
				if got := write(g, way); !slices.Equal(got.ids, want) || way == DraftMTP && got.finished.Drafted > 0 {
					t.Errorf("%s, %s: %v, %d guesses; want %v", c.name, way, got.ids, got.finished.Drafted, want)
				}
			}
		}
	}
}

// TestHeadGivesNoNumbers: a head whose weights are no numbers stops with one sentence, and the answer is the
// same, likeliest or drawn.
func TestHeadGivesNoNumbers(t *testing.T) {
	model, head := twoFiles(t)
	for _, ending := range []string{"shared_head_norm.weight", "enorm.weight", "attn_norm.weight"} {
		g := openAhead(t, fstest.MapFS{"x.gguf": {Data: model}, "mtp-x.gguf": {Data: spoilt(t, head, ending)}}, oneThread(t), GeneratorOptions{Hold: Hold{KV: "f32"}})
		for _, s := range []Sampling{{}, {Temperature: 1, TopP: 1, TypicalP: 1, Seed: 3}} {
			var want []int32
			for _, way := range []string{DraftOff, DraftMTP, DraftAuto, DraftOff} {
				g.Forget()
				h := hear(t, g.CompleteIDs(context.Background(), quoting(20, g.vocab), ReplyOptions{MaxTokens: 24, IgnoreEnd: true, Sampling: &s, Draft: way}))
				if want == nil {
					want = h.ids
				}
				told := strings.Join(h.finished.Notices, "; ")
				if h.err != nil || !slices.Equal(h.ids, want) || h.finished.Accepted > 0 || way == DraftMTP && (len(h.finished.Notices) != 1 || !strings.Contains(told, "has stopped, and the answer goes on without it")) {
					t.Errorf("%s, %s: %v, %v, told %q; want %v", ending, way, h.err, h.ids, told, want)
				}
			}
		}
	}
}

// TestHeadAlone: a file that holds nothing but a head says what it is.
func TestHeadAlone(t *testing.T) {
	_, head := twoFiles(t)
	for _, file := range []string{"mtp-x.gguf", "renamed.gguf"} {
		var files fs.FS = fstest.MapFS{file: {Data: head}}
		if g, err := openGenerator(context.Background(), files, oneThread(t), GeneratorOptions{WeightsFile: file, IDsOnly: true}); err == nil || !strings.Contains(err.Error(), "drafts words ahead, and no model that could run by itself") {
			t.Errorf("%s: %v, %v", file, g, err)
		}
	}
}
