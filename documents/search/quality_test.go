//go:build quality

package search

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"inglenook/cpubackend"
	"inglenook/cpubackend/scan"
	"inglenook/documents"
	"inglenook/documents/store"
	"inglenook/documents/store/sqlite"
	"inglenook/engine"
	"inglenook/pipeline"
)

// vectorFolder keeps vectors between runs, because computing them is most of the work.
var vectorFolder = flag.String("vectors", "", "a folder that keeps vectors from run to run; \"\" for none")

// TestQualityCranfield measures nDCG@10 on Cranfield (1,400 abstracts, 225 questions,
// linear gain) of searching by meaning, by words, and by both, with the default settings.
// Those were chosen on other data: see docs/QUALITY.md.
func TestQualityCranfield(t *testing.T) {
	set := readCranfield(t)
	for _, m := range []struct {
		name, dir string
		gain      float64 // the least gain of both over the better of the two
	}{
		{"starter-embed", "../../assets/starter", 0.015},
		{"all-MiniLM-L6-v2", shared(t, "models/all-MiniLM-L6-v2"), 0.03},
	} {
		t.Run(m.name, func(t *testing.T) {
			s := set.searcher(t, m.name, m.dir)
			by := map[string]float64{}
			for name, change := range map[string]func(*Settings){
				"meaning": func(s *Settings) { s.Meaning, s.Feedback = 1, 0 },
				"words":   func(s *Settings) { s.Meaning, s.Feedback = 0, 0 },
				"once":    func(s *Settings) { s.Feedback = 0 },
				"both":    func(*Settings) {},
			} {
				s.Settings = Defaults()
				change(&s.Settings)
				by[name] = set.gain(t, s)
			}
			t.Logf("%s: meaning %.4f, words %.4f, both %.4f (without feedback %.4f)", m.name, by["meaning"], by["words"], by["both"], by["once"])
			if better := max(by["meaning"], by["words"]); by["both"] < better+m.gain {
				t.Errorf("both: %.4f, only %.4f more than the better one", by["both"], by["both"]-better)
			}
		})
	}
}

// TestQualityRerank measures nDCG@10 on Cranfield where all-MiniLM-L6-v2 reads the
// best passages of a search with starter-embed, and compares vectors, as the Documents
// room can be told to. There is no trained cross-encoder at hand. 0.01 more is asked for.
func TestQualityRerank(t *testing.T) {
	set := readCranfield(t)
	s := set.searcher(t, "starter-embed", "../../assets/starter")
	before := set.gain(t, s)
	after := set.rankedGain(t, s, set.reader(t, "all-MiniLM-L6-v2", shared(t, "models/all-MiniLM-L6-v2")))
	t.Logf("search %.4f, sorted by all-MiniLM-L6-v2 %.4f: %.5f more", before, after, after-before)
	if after < before+0.01 {
		t.Errorf("sorting gains %.5f", after-before)
	}
}

// TestQualityFar counts how often a search says that nothing is close: for the questions of
// Cranfield, which is wrong, and for questions of other fields and words that are none.
func TestQualityFar(t *testing.T) {
	set := readCranfield(t)
	for name, dir := range map[string]string{"starter-embed": "../../assets/starter", "all-MiniLM-L6-v2": shared(t, "models/all-MiniLM-L6-v2")} {
		t.Run(name, func(t *testing.T) {
			s := set.searcher(t, name, dir)
			e, err := s.Embedder(t.Context(), name)
			must(t, err)
			m := e.(*model)
			all, err := s.Store.Collections(t.Context())
			must(t, err)
			m.free = true
			reach, err := Unrelated(t.Context(), all[0], m)
			must(t, err)
			known := func(string, string) (Reach, bool) { return reach, true }
			far := func(questions []string) (n int) {
				for _, q := range questions {
					found, err := s.Search(t.Context(), Query{Text: q})
					must(t, err)
					if c := found.Closeness; c != nil {
						if nothing, _ := c.Far(known); nothing {
							n++
						}
					}
				}
				return n
			}
			var asked []string
			for _, q := range set.questions {
				asked = append(asked, q.Text)
			}
			answered, other, made := far(asked), far(otherFields), far(madeUp)
			t.Logf("%s: unrelated questions come as near as %.3f, one %.3f; nothing close for %d of %d questions of Cranfield, %d of %d of other fields, %d of %d that are made up",
				name, reach.Usual, reach.Most, answered, len(asked), other, len(otherFields), made, len(madeUp))
			if answered > len(asked)/50 || other < len(otherFields)*3/4 || made < len(madeUp)*2/3 {
				t.Error("too often wrong")
			}
		})
	}
}

// Questions that Cranfield, about the flow of air, has no answer to. None of them is among
// those by which it is judged how near unrelated questions come.
var (
	otherFields = []string{
		"who won the football world cup in 1998", "best sushi restaurant in Osaka", "how do I change the oil of a car", "symptoms of malaria in children",
		"install a web server on a new computer", "bitcoin price prediction", "Mozart's symphony in G minor", "how to train a puppy for agility", "interest rate of the European Central Bank",
		"photosynthesis in desert plants", "recipe for chocolate cake with raspberries", "Eurovision song contest winners", "treatment of a broken ankle", "is the renter allowed to keep a dog",
		"girl falls down a rabbit hole", "ways to stop slugs without poison",
	}
	madeUp = []string{
		"asdkjh qwe zxcvbn", "blorptang fizzlewump", "xkcd qwrt plmk ojn", "flurb", "ggggg hhhh", "zzyzx quux frobnicate", "wubba lubba dub", "qwertzuiop", "kjhgfd mnbvc",
		"the glimmering snorf of vexilard", "how do you plonk a snazzle",
	}
)

// vectorReader is an embedder as Reranker, with the vectors at hand.
type vectorReader struct {
	questions, passages map[string][]float32
}

func (r vectorReader) Cosines() bool { return true }

func (r vectorReader) Rerank(_ context.Context, question string, passages []string) ([]float64, error) {
	q := r.questions[question]
	scores := make([]float64, len(passages))
	for i, p := range passages {
		v := r.passages[p]
		if len(v) == 0 || len(v) != len(q) {
			return nil, errors.New("not of the set: " + p)
		}
		for k, x := range v {
			scores[i] += float64(x) * float64(q[k])
		}
	}
	return scores, nil
}

func (set cranfieldSet) reader(t *testing.T, name, dir string) Reranker {
	t.Helper()
	m := openModel(t, name, dir)
	r := vectorReader{set.questionsOf(t, m), map[string][]float32{}}
	passages, vectors := set.passagesOf(t, m)
	for i, p := range passages {
		r.passages[p.Input()] = vectors[i]
	}
	return r
}

type cranfieldSet struct {
	documents, questions []cranfieldText
	grades               map[string]map[string]float64
}

type cranfieldText struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func readCranfield(t *testing.T) cranfieldSet {
	t.Helper()
	s := cranfieldSet{grades: map[string]map[string]float64{}}
	for name, to := range map[string]*[]cranfieldText{"corpus.jsonl": &s.documents, "queries.jsonl": &s.questions} {
		for line := range strings.Lines(string(readFile(t, name))) {
			var one cranfieldText
			must(t, json.Unmarshal([]byte(line), &one))
			*to = append(*to, one)
		}
	}
	for line := range strings.Lines(string(readFile(t, "qrels.tsv"))) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		grade, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			continue // the header
		}
		if s.grades[row[0]] == nil {
			s.grades[row[0]] = map[string]float64{}
		}
		s.grades[row[0]][row[1]] = grade
	}
	return s
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared(t, "retrieval/cranfield"), name))
	must(t, err)
	return data
}

func shared(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not on this machine: nothing is measured with it", name)
	}
	return path
}

// searcher keeps the abstracts in a store, one passage each.
func (set cranfieldSet) searcher(t *testing.T, name, dir string) *Searcher {
	t.Helper()
	ctx := context.Background()
	e := openModel(t, name, dir)
	passages, vectors := set.passagesOf(t, e)
	e.questions = set.questionsOf(t, e)
	scanner, err := scan.New("")
	must(t, err)
	s, err := sqlite.Open(ctx, t.TempDir(), scanner)
	must(t, err)
	t.Cleanup(func() { s.Close() })
	c, err := s.Create(ctx, "Cranfield")
	must(t, err)
	must(t, c.Begin(ctx, e.ID(), len(vectors[0])))
	for i, d := range set.documents {
		f := store.File{Path: "/" + d.ID, Hash: d.ID, Format: "text", Title: d.Title}
		must(t, c.Put(ctx, f, passages[i:i+1], map[string][][]float32{e.ID(): vectors[i : i+1]}))
	}
	return &Searcher{Store: s, Embedder: func(context.Context, string) (documents.Embedder, error) { return e, nil }}
}

// passagesOf are the abstracts with their vectors.
func (set cranfieldSet) passagesOf(t *testing.T, m *model) (passages []documents.Chunk, vectors [][]float32) {
	t.Helper()
	var texts []string
	for _, d := range set.documents {
		p := documents.Chunk{End: 1, Context: d.Title, Text: d.Text}
		passages, texts = append(passages, p), append(texts, strings.TrimLeft(d.Title+" "+d.Text, " "))
	}
	return passages, m.kept(t, "docs", texts)
}

// questionsOf are the vectors of the questions, by their words.
func (set cranfieldSet) questionsOf(t *testing.T, m *model) map[string][]float32 {
	t.Helper()
	var texts []string
	for _, q := range set.questions {
		texts = append(texts, q.Text)
	}
	vectors := map[string][]float32{}
	for i, v := range m.kept(t, "queries", texts) {
		vectors[parse(texts[i]).plain] = v
	}
	return vectors
}

// gain returns nDCG@10 over all questions.
func (set cranfieldSet) gain(t *testing.T, s *Searcher) float64 {
	t.Helper()
	return set.meanGain(func(q string) []FileResult {
		found, err := s.Search(context.Background(), Query{Text: q, Limit: 10})
		must(t, err)
		return found.Files
	})
}

// rankedGain is gain where a reranker reads what was found.
func (set cranfieldSet) rankedGain(t *testing.T, s *Searcher, r Reranker) float64 {
	t.Helper()
	return set.meanGain(func(q string) []FileResult {
		found, err := s.Search(context.Background(), Query{Text: q, ToRerank: true})
		must(t, err)
		ranked, _, err := Rerank(context.Background(), r, found.Question, found.Candidates, time.Hour)
		must(t, err)
		return Grouped(ranked[:min(10, len(ranked))])
	})
}

func (set cranfieldSet) meanGain(find func(question string) []FileResult) float64 {
	total := 0.0
	for _, q := range set.questions {
		var gains, ideal []float64
		for _, f := range find(q.Text) {
			gains = append(gains, set.grades[q.ID][strings.TrimPrefix(f.File.Path, "/")])
		}
		for _, g := range set.grades[q.ID] {
			ideal = append(ideal, g)
		}
		slices.SortFunc(ideal, func(a, b float64) int { return int(b - a) })
		if most := discounted(ideal[:min(10, len(ideal))]); most > 0 {
			total += discounted(gains) / most
		}
	}
	return total / float64(len(set.questions))
}

func discounted(gains []float64) (sum float64) {
	for i, g := range gains {
		sum += g / math.Log2(float64(i)+2)
	}
	return sum
}

// model is an embedder of package pipeline that keeps the questions' vectors.
type model struct {
	pipeline.Embedder
	name      string
	questions map[string][]float32
	free      bool // other questions too
}

func openModel(t *testing.T, name, dir string) *model {
	t.Helper()
	b, err := cpubackend.New(cpubackend.Options{})
	must(t, err)
	t.Cleanup(func() { b.Close() })
	e, err := pipeline.OpenEmbedder(context.Background(), os.DirFS(dir), []engine.Backend{b}, pipeline.EmbedderOptions{})
	must(t, err)
	t.Cleanup(func() { e.Close() })
	return &model{Embedder: e, name: name}
}

func (m *model) ID() string                          { return m.name }
func (m *model) Dimension() int                      { return m.Info().Dimension }
func (m *model) MaxTokens() int                      { return 256 }
func (m *model) CountTokens([]string) ([]int, error) { return nil, errors.ErrUnsupported }

func (m *model) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	found, err := m.Embed(ctx, texts, pipeline.EmbedRequest{})
	return found.Vectors, err
}

func (m *model) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	if v := m.questions[text]; v != nil {
		return v, nil
	}
	if m.free {
		found, err := m.Embed(ctx, []string{text}, pipeline.EmbedRequest{})
		if err != nil {
			return nil, err
		}
		return found.Vectors[0], nil
	}
	return nil, errors.New("not a question of the set")
}

// kept returns the vectors of texts, from the folder of vectors if they are there.
func (m *model) kept(t *testing.T, what string, texts []string) [][]float32 {
	t.Helper()
	path := filepath.Join(*vectorFolder, m.name+"-"+what+".f32")
	if data, err := os.ReadFile(path); err == nil && *vectorFolder != "" {
		flat := make([]float32, len(data)/4)
		must(t, binary.Read(bytes.NewReader(data), binary.LittleEndian, flat))
		var vectors [][]float32
		for v := range slices.Chunk(flat, len(flat)/len(texts)) {
			vectors = append(vectors, v)
		}
		return vectors
	}
	vectors, err := m.EmbedPassages(context.Background(), texts)
	must(t, err)
	if *vectorFolder != "" {
		var data bytes.Buffer
		must(t, binary.Write(&data, binary.LittleEndian, slices.Concat(vectors...)))
		must(t, os.WriteFile(path, data.Bytes(), 0o600))
	}
	return vectors
}
