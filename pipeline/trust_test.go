package pipeline

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/tokenizer"
	"inglenook/vecmath"
)

// opened opens a reranker until the end of the test.
func opened(t *testing.T, checkpoint fs.FS, o RerankerOptions) Reranker {
	t.Helper()
	r, err := OpenReranker(context.Background(), checkpoint, oneThread(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// TestTrusted: models that were trained to embed rank the obvious question right,
// with each pooling.
func TestTrusted(t *testing.T) {
	for _, dir := range []string{"../assets/starter", "../../shared/models/all-MiniLM-L6-v2"} {
		if _, err := os.Stat(dir); err != nil {
			t.Logf("%s is not on this machine", dir)
			continue
		}
		for _, pooling := range [][]string{nil, {"cls"}, {"mean"}} {
			if info := opened(t, os.DirFS(dir), RerankerOptions{Pooling: pooling}).Info(); info.Untrusted != "" || info.Method != Cosine {
				t.Errorf("%s, pooling %v: %+v", dir, pooling, info)
			}
		}
	}
}

// TestUntrusted: a head that is turned round, one of zeros and one of NaN open, and
// the reranker says what is wrong with its scores.
func TestUntrusted(t *testing.T) {
	identity := map[string]map[string]any{"config.json": {"sentence_transformers": map[string]any{"activation_fn": "torch.nn.Identity"}}}
	reasons := map[bool]int{}
	for _, dir := range []string{"testdata/rerank-bert", "testdata/rerank-roberta"} {
		for _, factor := range []float32{1, -1} {
			r := opened(t, headTimes(t, dir, factor, identity), RerankerOptions{})
			got, err := r.Score(context.Background(), obvious.query, []string{obvious.right, obvious.wrong}, RerankRequest{})
			if err != nil {
				t.Fatal(err)
			}
			right := got.Values[0] > got.Values[1]
			reasons[right]++
			if reason := r.Info().Untrusted; right != (reason == "") || !right && !strings.Contains(reason, `higher`) {
				t.Errorf("%s times %v scores %v and is untrusted because %q", dir, factor, got.Values, reason)
			}
		}
	}
	if reasons[true] != 2 || reasons[false] != 2 {
		t.Errorf("one of each two has to fail: %v", reasons)
	}

	flat := opened(t, headTimes(t, "testdata/rerank-bert", 0, nil), RerankerOptions{})
	if reason := flat.Info().Untrusted; !strings.Contains(reason, "nearly the same score (0.5 and 0.5)") {
		t.Errorf("all scores are equal: %q", reason)
	}
	got, err := flat.Score(context.Background(), "tea", []string{"the cat", "snow", "a lamp"}, RerankRequest{})
	if err != nil || !strings.Contains(strings.Join(got.Notes, "; "), "all texts have the same score") {
		t.Errorf("equal scores: %q, %v", got.Notes, err)
	}

	broken := opened(t, headTimes(t, "testdata/rerank-bert", float32(math.NaN()), nil), RerankerOptions{})
	if reason := broken.Info().Untrusted; !strings.Contains(reason, "not numbers") {
		t.Errorf("scores are NaN: %q", reason)
	}
	if _, err := broken.Score(context.Background(), "tea", []string{"the cat"}, RerankRequest{}); err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("a score of NaN is given out: %v", err)
	}
}

// headTimes is a cross-encoder whose last layer is multiplied by a factor.
func headTimes(t *testing.T, dir string, factor float32, set map[string]map[string]any) fstest.MapFS {
	t.Helper()
	files := folderOf(t, dir)
	for name, values := range set {
		whole := map[string]any{}
		if err := json.Unmarshal(files[name].Data, &whole); err != nil {
			t.Fatal(err)
		}
		for key, value := range values {
			whole[key] = value
		}
		data, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		files[name].Data = data
	}
	file := files["model.safetensors"].Data
	n := int(binary.LittleEndian.Uint64(file))
	var header map[string]struct {
		Offsets [2]int `json:"data_offsets"`
	}
	if err := json.Unmarshal(file[8:8+n], &header); err != nil {
		t.Fatal(err)
	}
	for name, x := range header {
		if !strings.HasPrefix(name, "classifier.") || strings.HasPrefix(name, "classifier.dense.") {
			continue
		}
		for at := 8 + n + x.Offsets[0]; at < 8+n+x.Offsets[1]; at += 4 {
			value := math.Float32frombits(binary.LittleEndian.Uint32(file[at:]))
			binary.LittleEndian.PutUint32(file[at:], math.Float32bits(value*factor))
		}
	}
	return files
}

// TestDistrust: what the two scores of the obvious question mean.
func TestDistrust(t *testing.T) {
	for _, c := range []struct {
		right, wrong float32
		err          error
		say          string
	}{
		{0.9, 0.1, nil, ""},
		{-3, -11, nil, ""},
		{0.1, 0.9, nil, "higher (0.9)"},
		{-11, -3, nil, "higher (-3)"},
		{2e-20, 1e-20, nil, "nearly the same"},
		{1e-20, 2e-20, nil, "nearly the same"},
		{0.5, 0.5, nil, "nearly the same"},
		{0, 0, notFinite(" for text 1"), "not numbers"},
	} {
		if got := distrust([]float32{c.right, c.wrong}, c.err); (got == "") != (c.say == "") || !strings.Contains(got, c.say) {
			t.Errorf("%v and %v, %v: %q, want %q", c.right, c.wrong, c.err, got, c.say)
		}
	}
}

// TestPoolings: the score is the cosine of vectors that are made of the states of the
// last layer as the pooling says.
func TestPoolings(t *testing.T) {
	dir, query, text := "testdata/rerank-bert", "who lit the lamp?", "the fire burns in the hearth"
	f, err := OpenForward(context.Background(), os.DirFS(dir), oneThread(t), ForwardOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tok, err := OpenTokenizer(os.DirFS(dir), "")
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	vector := func(text, output string, pool func(ForwardResult) []float32) []float32 {
		ids, err := tok.Encode(text, tokenizer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Run(context.Background(), ForwardInput{IDs: ids.IDs}, output)
		if err != nil {
			t.Fatal(err)
		}
		return pool(got)
	}
	first := func(r ForwardResult) []float32 { return r.Data[:r.Cols] }
	mean := func(r ForwardResult) []float32 {
		sum := make([]float32, r.Cols)
		for i, x := range r.Data {
			sum[i%r.Cols] += x / float32(r.Rows)
		}
		return sum
	}
	for pooling, of := range map[string]struct {
		output string
		pool   func(ForwardResult) []float32
	}{"cls": {"hidden", first}, "mean": {"hidden", mean}, "pooler": {"pooled", first}} {
		r := opened(t, os.DirFS(dir), RerankerOptions{Pooling: []string{pooling}})
		if info := r.Info(); info.Method != Cosine || fmt.Sprint(info.Pooling) != "["+pooling+"]" {
			t.Errorf("%s: %+v", pooling, info)
		}
		got, err := r.Score(context.Background(), query, []string{text}, RerankRequest{})
		if err != nil {
			t.Fatal(err)
		}
		want := vecmath.Cosine(vector(query, of.output, of.pool), vector(text, of.output, of.pool))
		if math.Abs(float64(got.Values[0])-want) > 1e-5 {
			t.Errorf("%s: %v, want %v", pooling, got.Values[0], want)
		}
	}
	if _, err := OpenReranker(context.Background(), os.DirFS("testdata/rerank-roberta"), oneThread(t), RerankerOptions{Pooling: []string{"pooler"}}); err == nil || !strings.Contains(err.Error(), "no pooler") {
		t.Errorf("a pooler that is not there: %v", err)
	}
}

// TestHeadMissing: a config that names a head whose weights are not there is refused
// in one sentence.
func TestHeadMissing(t *testing.T) {
	files := folderOf(t, "testdata/cls")
	config := strings.Replace(string(files["config.json"].Data), "BertModel", "BertForSequenceClassification", 1)
	files["config.json"] = &fstest.MapFile{Data: []byte(config)}
	_, err := OpenReranker(context.Background(), files, oneThread(t), RerankerOptions{})
	if err == nil || !strings.Contains(err.Error(), "classifier") || strings.Contains(err.Error(), "\n") {
		t.Errorf("an embedder that calls itself a cross-encoder: %v", err)
	}
}

// TestManyTexts: 10,000 texts get a score each, and what is odd about many of them is
// said once.
func TestManyTexts(t *testing.T) {
	texts := make([]string, 10_000)
	for i := range texts {
		if i%2 == 0 {
			texts[i] = "tea"
		}
	}
	for dir, method := range map[string]string{"testdata/rerank-bert": CrossEncoder, "testdata/mean-normalize": Cosine} {
		r := opened(t, os.DirFS(dir), RerankerOptions{})
		got, err := r.Score(context.Background(), "who lit the lamp?", texts, RerankRequest{})
		if err != nil || len(got.Values) != len(texts) || got.Method != method {
			t.Fatalf("%s: %d scores, %v", dir, len(got.Values), err)
		}
		for i, v := range got.Values {
			if math.Abs(float64(v-got.Values[i%2])) > 1e-5 {
				t.Fatalf("%s: text %d scores %v, the same text before it %v", dir, i, v, got.Values[i%2])
			}
		}
		notes := strings.Join(got.Notes, "; ")
		if !strings.Contains(notes, "texts 2, 4, 6 and 4997 more are empty") || len(got.Notes) > 3 {
			t.Errorf("%s: %.500q", dir, got.Notes)
		}
	}
}

// TestLargeText: a text of a megabyte is read in windows, or cut where vectors are
// compared, and the latter is said.
func TestLargeText(t *testing.T) {
	large := strings.Repeat("the cat sleeps on the warm stone. ", 1<<20/34)
	cross := opened(t, os.DirFS("testdata/rerank-bert"), RerankerOptions{})
	got, err := cross.Score(context.Background(), "who lit the lamp?", []string{large, "tea"}, RerankRequest{})
	if err != nil || got.Windows[0] < 1000 || got.Windows[1] != 1 {
		t.Errorf("%v windows, %v", got.Windows, err)
	}
	vectors := opened(t, os.DirFS("testdata/mean-normalize"), RerankerOptions{})
	got, err = vectors.Score(context.Background(), "who lit the lamp?", []string{large, "tea"}, RerankRequest{})
	if err != nil || !strings.Contains(strings.Join(got.Notes, "; "), "text 1 is longer than the model reads") {
		t.Errorf("%q, %v", got.Notes, err)
	}
}
