package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/texts"
)

// decode reads one JSON document and refuses fields that the test's type does not have,
// because the printed fields are a contract.
func decode[T any](t *testing.T, text string) (v T) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.300q", err, text)
	}
	return v
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

func TestDevices(t *testing.T) {
	got := decode[struct {
		Devices []struct {
			ID, Kind, Name string
			MemoryBytes    uint64 `json:"memory_bytes"`
			Available      bool
			Reason         string
			Threads        int
			Features       []string
		}
	}](t, inglenook(t, "", "devices", "--json", "--threads", "1").ok(t).stdout).Devices
	var ids []string
	for _, d := range got {
		ids = append(ids, d.ID)
		// the emulated device is there where its library is, and Metal on a Mac
		if d.Available == (d.Reason != "") || !strings.HasPrefix(d.ID, "metal") && d.Available != (d.ID == "cpu") || d.Features == nil {
			t.Errorf("%+v", d)
		}
	}
	if !slices.Equal(ids, devices.DeviceIDs()[1:]) || got[0].MemoryBytes < 1<<28 || got[0].Threads != 1 || len(got[0].Features) == 0 {
		t.Errorf("%+v", got)
	}
	if plain := lines(inglenook(t, "", "devices").ok(t).stdout); len(plain) != 4 || !strings.HasPrefix(plain[0], "cpu: ") {
		t.Errorf("%q", plain)
	}
}

func TestVersion(t *testing.T) {
	got := decode[versionJSON](t, inglenook(t, "", "version", "--json").ok(t).stdout)
	if got.Version == "" || got.Go == "" || got.Features[0] != "cpu" || len(got.Kernels) == 0 {
		t.Errorf("%+v", got)
	}
}

// starterDimension is the width of the bundled model.
func starterDimension(t *testing.T) int {
	t.Helper()
	return decode[[]modelJSON](t, inglenook(t, "", "models", "list", "--json").ok(t).stdout)[0].Dimension
}

type embedLine struct {
	Index     int
	Embedding []float32
	Tokens    int
	Truncated bool
}

func TestEmbed(t *testing.T) {
	dimension := starterDimension(t)
	arguments := inglenook(t, "", "embed", "--device", "cpu", "--json", "--stats", "a first text", "a second one").ok(t).stdout
	out := lines(arguments)
	if len(out) != 3 {
		t.Fatalf("%d lines", len(out))
	}
	for i, line := range out[:2] {
		v := decode[embedLine](t, line)
		if v.Index != i || len(v.Embedding) != dimension || v.Tokens < 4 || math.Abs(length(v.Embedding)-1) > 1e-4 {
			t.Errorf("line %d: index %d, %d numbers of length %v, %d tokens", i, v.Index, len(v.Embedding), length(v.Embedding), v.Tokens)
		}
	}
	stats := decode[embedStatsJSON](t, out[2])
	if stats.Texts != 2 || stats.Tokens == 0 || stats.Seconds <= 0 || stats.TextsPerS <= 0 || stats.TokensPerS <= 0 || stats.Device != "cpu" {
		t.Errorf("%+v", stats)
	}
	stdin := inglenook(t, "a first text\r\na second one\n", "embed", "--json").ok(t).stdout
	if stdin != strings.Join(out[:2], "\n")+"\n" {
		t.Error("texts on standard input give another result than arguments, or a second run than the first")
	}
	plain := lines(inglenook(t, "", "embed", "a first text").ok(t).stdout)
	if len(plain) != 1 || len(strings.Fields(plain[0])) != dimension {
		t.Errorf("%d lines, %d numbers", len(plain), len(strings.Fields(plain[0])))
	}
	odd := inglenook(t, "", "embed", "--json", "--stats", "", "broken \xff")
	if odd.code != 0 || !strings.Contains(odd.stderr, "text 1 is empty") || !strings.Contains(odd.stderr, "text 2 is not valid UTF-8") || len(lines(odd.stdout)) != 3 {
		t.Errorf("code %d, error output %q", odd.code, odd.stderr)
	}
}

func length(v []float32) float64 {
	s := 0.0
	for _, x := range v {
		s += float64(x) * float64(x)
	}
	return math.Sqrt(s)
}

// The vectors of the reference library for a real model, if it is here.
func TestEmbedGolden(t *testing.T) {
	model, golden := "../../shared/models/all-MiniLM-L6-v2", "../../shared/golden/minilm-embeddings.json"
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Skip("the reference vectors of all-MiniLM-L6-v2 are not beside this repository")
	}
	var want struct {
		Items []struct {
			Text      string
			IDs       []int32
			Embedding []float32
		}
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	args := []string{"embed", "--model", model, "--json", "--"}
	for _, x := range want.Items {
		args = append(args, x.Text)
	}
	o := inglenook(t, "", args...)
	got := lines(o.stdout)
	if o.code != 0 || len(got) != len(want.Items) {
		t.Fatalf("code %d, %d of %d lines: %s", o.code, len(got), len(want.Items), o.stderr)
	}
	worst := 1.0
	for i, line := range got {
		v := decode[embedLine](t, line)
		dot := 0.0
		for k, x := range v.Embedding {
			dot += float64(x) * float64(want.Items[i].Embedding[k])
		}
		cosine := dot / (length(v.Embedding) * length(want.Items[i].Embedding))
		worst = min(worst, cosine)
		if cosine < 0.9999 || v.Tokens != len(want.Items[i].IDs) {
			t.Errorf("%.40q: cosine %v, %d tokens of %d", want.Items[i].Text, cosine, v.Tokens, len(want.Items[i].IDs))
		}
	}
	t.Logf("smallest cosine %.7f over %d texts", worst, len(got))
}

func TestSimilarity(t *testing.T) {
	input := []string{"The train leaves at noon.", "At twelve the train departs.", "Soup needs salt."}
	got := decode[similarityJSON](t, inglenook(t, "", append([]string{"similarity", "--json"}, input...)...).ok(t).stdout)
	m := got.Matrix
	if !slices.Equal(got.Texts, input) || len(m) != 3 || m[0][0] != 1 || m[0][1] != m[1][0] || m[0][1] < m[0][2]+0.2 {
		t.Errorf("%+v", got)
	}
	plain := inglenook(t, strings.Join(input, "\n"), "similarity").ok(t).stdout
	if len(lines(plain)) != 4 || !strings.Contains(plain, "██") || !strings.Contains(plain, "Soup needs salt.") {
		t.Errorf("%s", plain)
	}
}

func TestRerank(t *testing.T) {
	documents := []string{"Boil the rice.", "The night train to the sea", "A cat"}
	type results struct {
		Results []struct {
			Index    int
			Score    float32
			Document string
		}
		Method, Pooling, Untrusted string
		Seconds                    float64
		Device                     string
		Fallbacks                  []fallbackJSON
	}
	ran := inglenook(t, strings.Join(documents, "\n"), "rerank", "--json", "--query", "railway to the coast")
	if ran.code != 0 || !strings.Contains(ran.stderr, "compares vectors") {
		t.Errorf("code %d, error output %q: nobody is told that the scores are cosines", ran.code, ran.stderr)
	}
	got := decode[results](t, ran.stdout).Results
	if len(got) != 3 || got[0].Index != 1 || got[0].Document != documents[1] || got[0].Score < got[1].Score || got[1].Score < got[2].Score {
		t.Errorf("%+v", got)
	}
	cls := decode[results](t, inglenook(t, "", append([]string{"rerank", "--json", "--pooling", "cls", "--query", "railway to the coast"}, documents...)...).ok(t).stdout).Results
	if len(cls) != 3 || cls[0].Score == got[0].Score {
		t.Errorf("another pooling gives the same scores: %+v", cls)
	}
	cross := decode[results](t, inglenook(t, "", "rerank", "--json", "--model", "../pipeline/testdata/rerank-bert", "--query", "who lit the lamp?", "tea", "The fire burns in the hearth.").stdout).Results
	if len(cross) != 2 || cross[0].Index != 1 || math.Abs(float64(cross[0].Score)-0.48272696) > 1e-3 {
		t.Errorf("cross-encoder: %+v", cross)
	}
}

// TestRerankSelfTest: a model that gets an obvious question wrong is named, in a note
// and in a field, and is used all the same.
func TestRerankSelfTest(t *testing.T) {
	type result struct {
		Results                    []rankedJSON
		Method, Pooling, Untrusted string
		Seconds                    float64
		Device                     string
		Fallbacks                  []fallbackJSON
	}
	trusted := inglenook(t, "", "rerank", "--json", "--pooling", "mean", "--query", "q", "a", "b").ok(t)
	if got := decode[result](t, trusted.stdout); got.Untrusted != "" || got.Method != "cosine" || got.Pooling != "mean" || got.Seconds <= 0 || strings.Contains(trusted.stderr, "untrusted") {
		t.Errorf("%+v, %q", got, trusted.stderr)
	}
	random := inglenook(t, "", "rerank", "--json", "--model", "../pipeline/testdata/rerank-bert", "--query", "q", "a", "b")
	got := decode[result](t, random.stdout)
	if random.code != 0 || len(got.Results) != 2 || got.Method != "cross-encoder" || got.Pooling != "" || got.Untrusted == "" || !strings.Contains(random.stderr, "note: scores untrusted: "+got.Untrusted) {
		t.Errorf("%+v, %q", got, random.stderr)
	}
}

// TestRerankByAsking: a language model that ranks is recognized by its files, or asked in
// the form that a person names.
func TestRerankByAsking(t *testing.T) {
	type result struct {
		Results                    []rankedJSON
		Method, Pooling, Untrusted string
		Seconds                    float64
		Device                     string
		Fallbacks                  []fallbackJSON
	}
	asked := func(more ...string) result {
		return decode[result](t, inglenook(t, "", append([]string{"rerank", "--json", "--query", "who lit the lamp?"}, append(more, "The cat lit the lamp.", "snow falls outside")...)...).stdout)
	}
	own := asked("--model", "../pipeline/testdata/rank-qwen3")
	if len(own.Results) != 2 || own.Method != "cross-encoder" || own.Results[0].Score <= own.Results[1].Score || own.Results[0].Score > 1 {
		t.Errorf("%+v", own)
	}
	template, named := asked("--model", "../pipeline/testdata/rank-template"), asked("--model", "../pipeline/testdata/rank-template", "--form", "qwen3-reranker")
	if len(named.Results) != 2 || named.Results[0].Score == template.Results[0].Score || named.Results[0].Score > 1 {
		t.Errorf("--form changes nothing: %+v, %+v", template, named)
	}
}

func TestForward(t *testing.T) {
	type result struct {
		Shape     []int
		Data      []float32
		Device    string
		Fallbacks []struct{ Op, Reason string }
	}
	dimension := starterDimension(t)
	got := decode[result](t, inglenook(t, "", "forward", "--device", "cpu", "--json", "--ids", "2, 40,50,3", "--type-ids", "0,0,1,1").ok(t).stdout)
	if !slices.Equal(got.Shape, []int{4, dimension}) || len(got.Data) != 4*dimension || got.Device != "cpu" || got.Fallbacks == nil {
		t.Errorf("shape %v, %d numbers, device %s", got.Shape, len(got.Data), got.Device)
	}
	logits := decode[result](t, inglenook(t, "", "forward", "--json", "--ids", "1,2,3", "--output", "logits", "--model", "../pipeline/testdata/rerank-bert").ok(t).stdout)
	if !slices.Equal(logits.Shape, []int{1, 1}) {
		t.Errorf("logits %v", logits.Shape)
	}
	written := decode[result](t, inglenook(t, "", "forward", "--json", "--ids", "7,8,9,1", "--decoder-ids", "0,5", "--model", "../models/testdata/text-to-text/flan-t5").ok(t).stdout)
	if !slices.Equal(written.Shape, []int{2, 64}) {
		t.Errorf("a text-to-text model: %v", written.Shape)
	}
	if plain := lines(inglenook(t, "", "forward", "--ids", "2,3").ok(t).stdout); len(plain) != 2 || len(strings.Fields(plain[0])) != dimension {
		t.Errorf("%d lines", len(plain))
	}
}

func TestTokenize(t *testing.T) {
	got := decode[tokensJSON](t, inglenook(t, "", "tokenize", "--json", "Hello wörld").ok(t).stdout)
	if got.Tokens[0] != "[CLS]" || got.Offsets[1] != [2]int{0, 5} || got.Offsets[2][0] != 6 || len(got.IDs) != len(got.Tokens) {
		t.Errorf("%+v", got)
	}
	bare := decode[tokensJSON](t, inglenook(t, "Hello wörld\n", "tokenize", "--json", "--no-special").ok(t).stdout)
	if !slices.Equal(bare.IDs, got.IDs[1:len(got.IDs)-1]) {
		t.Errorf("without control tokens %v, with %v", bare.IDs, got.IDs)
	}
	ids := strings.Trim(strings.ReplaceAll(jsonText(t, got.IDs), " ", ""), "[]")
	if back := decode[map[string]string](t, inglenook(t, "", "tokenize", "--json", "--no-special", "--decode", ids).ok(t).stdout); back["text"] != "hello world" {
		t.Errorf("back to %q", back)
	}
	if back := inglenook(t, "", "tokenize", "--decode", ids).ok(t).stdout; !strings.HasPrefix(back, "[CLS]") {
		t.Errorf("back to %q", back)
	}
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestModels(t *testing.T) {
	list := decode[[]modelJSON](t, inglenook(t, "", "models", "list", "--json").ok(t).stdout)
	if len(list) != 2 || list[1].ID != library.StarterChat || list[0].ID != library.StarterEmbed || list[0].Bytes == 0 || list[0].Format != "safetensors" || len(list[0].Files) < 5 {
		t.Fatalf("%+v", list)
	}
	verdicts := map[string]string{}
	for _, d := range list[0].Devices {
		verdicts[d.Device] = d.Verdict
		if (d.Verdict == "full") != (d.Reason == "") {
			t.Errorf("%+v", d)
		}
	}
	if verdicts["cpu"] != "full" || verdicts["metal"] == "" || verdicts["cuda"] != "no" {
		t.Errorf("%v", verdicts)
	}
	path, err := filepath.Abs("../pipeline/testdata/cls")
	if err != nil {
		t.Fatal(err)
	}
	added := decode[modelJSON](t, inglenook(t, "", "models", "import", "--json", path).ok(t).stdout)
	if added.ID != path || added.Source != library.SourceFolder || added.Parameters == 0 {
		t.Errorf("%+v", added)
	}
	if plain := inglenook(t, "", "models", "list").ok(t).stdout; !strings.Contains(plain, "starter-embed\n    bundled (tiny, for trying the app), embedding, BertModel, ") {
		t.Errorf("%s", plain)
	}
}

func TestBench(t *testing.T) {
	got := decode[benchJSON](t, inglenook(t, "", "bench", "--json", "--model", "../pipeline/testdata/cls", "--texts", "8", "--pairs", "4", "--repeat", "2", "--devices", "cpu", "--ops").ok(t).stdout)
	if len(got.Results) != 2 || got.Results[0].Work != "embed" || got.Results[1].Work != "rerank" || got.Results[0].Median <= 0 || got.Results[1].Unit != "pairs/s" || got.Agreement < 0.999 || len(got.Results[0].Ops) < 5 || got.Results[0].Ops[0].Share < got.Results[0].Ops[1].Share {
		t.Errorf("%+v", got)
	}
	if plain := inglenook(t, "", "bench", "--model", "../pipeline/testdata/cls", "--texts", "4", "--repeat", "1").ok(t).stdout; !strings.Contains(plain, "texts/s") || !strings.Contains(plain, "agreement of all runs: 1.0") {
		t.Errorf("%s", plain)
	}
}

func TestDemo(t *testing.T) {
	got := decode[demoJSON](t, inglenook(t, "", "demo", "--device", "cpu", "--json").ok(t).stdout)
	n := len(texts.SampleTexts())
	if got.Model != library.StarterEmbed || got.Device != "cpu" || len(got.Texts) != n || len(got.Matrix) != n || len(got.Nearest) != n || got.Nearest[0].Nearest != 1 ||
		got.Index.Files != 3 || len(got.Search.Results) == 0 || len(got.Rerank.Results) != len(got.Search.Results) || len(got.Chat.Turns) != 2 || got.Chat.Turns[1].Answer.Text == "" ||
		got.Index.TookMS <= 0 || got.Timings.LoadMS <= 0 || got.Timings.EmbedMS <= 0 || got.Timings.TextsPerS <= 0 {
		t.Errorf("%+v", got)
	}
	plain := inglenook(t, "", "demo").ok(t).stdout
	for _, want := range []string{"1. Index", "3 files", "2. Search", "3. Rerank", "how alike are these sentences?", "██", "The nearest to each", "tokens/s", "5. Chat", "Discover"} {
		if !strings.Contains(plain, want) {
			t.Errorf("the demo lacks %q:\n%s", want, plain)
		}
	}
}

func TestVerbose(t *testing.T) {
	o := inglenook(t, "", "embed", "--verbose", "tea")
	if o.code != 0 || !strings.Contains(o.stderr, "msg=embed model=starter-embed device=cpu texts=1") || strings.Contains(o.stderr, "time=") {
		t.Errorf("code %d, error output %q", o.code, o.stderr)
	}
}

// TestClassify: labels of texts with their numbers, as text and as JSON; a model without such
// a head says so.
func TestClassify(t *testing.T) {
	const model = "../pipeline/testdata/classify-deberta"
	got := decode[[]classifiedJSON](t, inglenook(t, "tea\nThe fire burns in the hearth.\n", "classify", "--json", "--device", "cpu", "--model", model).ok(t).stdout)
	if len(got) != 2 || got[1].Index != 1 || len(got[0].Labels) != 3 || got[0].Kind != "softmax" || got[0].Truncated || got[0].Tokens == 0 {
		t.Fatalf("%+v", got)
	}
	sum := float32(0)
	for i, l := range got[0].Labels {
		if sum += l.Score; i > 0 && l.Score > got[0].Labels[i-1].Score || !slices.Contains([]string{"calm", "stormy", "undecided"}, l.Label) {
			t.Errorf("label %d: %+v", i, got[0].Labels)
		}
	}
	if math.Abs(float64(sum)-1) > 1e-5 {
		t.Errorf("the probabilities add up to %v", sum)
	}
	lines := strings.Split(strings.TrimSpace(inglenook(t, "", "classify", "--device", "cpu", "--model", model, "tea").ok(t).stdout), "\n")
	if len(lines) != 4 || lines[0] != "tea" || !strings.HasSuffix(lines[1], got[0].Labels[0].Label) {
		t.Errorf("%q", lines)
	}
	entities := "../pipeline/testdata/classify-entities"
	out := inglenook(t, "the cat sleeps\n", "classify", "--json", "--device", "cpu", "--model", entities).ok(t).stdout
	if got := decode[[]classifiedJSON](t, out); got[0].Kind != "entities" || got[0].Entities == nil || len(*got[0].Entities) == 0 || got[0].Labels != nil {
		t.Errorf("%s", out)
	} else if e := (*got[0].Entities)[0]; e.Text != "the cat sleeps"[e.Start:e.End] || e.Score <= 0 || e.Label == "" {
		t.Errorf("%+v", e)
	}
	if out := inglenook(t, "", "classify", "--json", "--device", "cpu", "--model", entities, "").stdout; !strings.Contains(out, `"entities":[]`) {
		t.Errorf("a text of nothing: %s", out)
	}
	if out := inglenook(t, "", "classify", "--device", "cpu", "--model", entities, "the cat").ok(t).stdout; !strings.Contains(out, "0–") {
		t.Errorf("%s", out)
	}
	words := "../pipeline/testdata/classify-words"
	if got := decode[[]classifiedJSON](t, inglenook(t, "", "classify", "--json", "--device", "cpu", "--model", words, "the ___ sleeps on [MASK]").ok(t).stdout); len(got[0].Words) != 2 || len(got[0].Words[1]) != 5 {
		t.Errorf("%+v", got)
	}
	lines = strings.Split(inglenook(t, "", "classify", "--device", "cpu", "--model", words, "the ___ sleeps on [MASK]").ok(t).stdout, "\n")
	if len(lines) != 13 || lines[6] != "" {
		t.Errorf("%q", lines)
	}
	if o := inglenook(t, "", "classify", "--device", "cpu", "--model", words, "tea"); o.code != 1 || !strings.Contains(o.stderr, "text 1 has no gap to fill") {
		t.Errorf("code %d, %q", o.code, o.stderr)
	}
	if o := inglenook(t, "", "classify", "tea"); o.code != 1 || !strings.Contains(o.stderr, "has no head for labels or words") {
		t.Errorf("code %d, %q", o.code, o.stderr)
	}
}
