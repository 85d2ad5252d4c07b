package search

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"inglenook/documents"
	"inglenook/documents/store"
	"inglenook/documents/store/sqlite"
	"inglenook/documents/store/vectors"
	"inglenook/documents/words"
	"inglenook/vecmath"
)

// embedder gives each word its own direction, and a synonym the direction of its word.
type embedder struct{ synonyms map[string]string }

const dimension = 64

func (embedder) ID() string     { return "words" }
func (embedder) Dimension() int { return dimension }
func (embedder) MaxTokens() int { return 200 }
func (e embedder) CountTokens(texts []string) (n []int, err error) {
	for _, text := range texts {
		n = append(n, len(strings.Fields(text)))
	}
	return n, nil
}

func (e embedder) EmbedPassages(ctx context.Context, texts []string) (all [][]float32, err error) {
	for _, text := range texts {
		v, err := e.EmbedQuery(ctx, text)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

func (e embedder) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	v := make([]float32, dimension)
	for _, word := range words.Split(text) {
		if s := e.synonyms[word]; s != "" {
			word = s
		}
		h := fnv.New64a()
		fmt.Fprint(h, word)
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		for i := range v {
			v[i] += float32(r.NormFloat64())
		}
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum) + 1e-9)
	}
	return v, nil
}

func searcher(t *testing.T) (*Searcher, store.Collection) {
	t.Helper()
	ctx := context.Background()
	s, err := sqlite.Open(ctx, t.TempDir(), vectors.Portable{})
	must(t, err)
	t.Cleanup(func() { s.Close() })
	c, err := s.Create(ctx, "Papers")
	must(t, err)
	e := embedder{map[string]string{"automobile": "car", "physician": "doctor"}}
	must(t, c.Begin(ctx, e.ID(), dimension))
	put(t, c, e, "/a/car.txt", "The car needs new tyres before winter.", "Its engine was repaired in May. The garage is in Leeds.")
	put(t, c, e, "/a/health.txt", "The doctor looked at my knee.", "Take the tablets twice a day.")
	put(t, c, e, "/b/garden.txt", "Plant the roses in May.", "Roses need sun.")
	return &Searcher{Store: s, Embedder: func(context.Context, string) (documents.Embedder, error) { return e, nil }}, c
}

func put(t *testing.T, c store.Collection, e embedder, path string, texts ...string) {
	t.Helper()
	ctx := context.Background()
	var passages []documents.Chunk
	for i, text := range texts {
		passages = append(passages, documents.Chunk{Start: i, End: i + 1, Text: text, Line: i + 1})
	}
	v, err := e.EmbedPassages(ctx, texts)
	must(t, err)
	must(t, c.Put(ctx, store.File{Path: path, Hash: path, Format: "text"}, passages, map[string][][]float32{e.ID(): v}))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func first(t *testing.T, s *Searcher, text string) Result {
	t.Helper()
	found, err := s.Search(context.Background(), Query{Text: text})
	must(t, err)
	if len(found.Files) == 0 {
		t.Fatalf("%s: nothing found", text)
	}
	return found.Files[0].Passages[0]
}

func TestSearch(t *testing.T) {
	s, _ := searcher(t)
	byWord := first(t, s, "where is the garage?")
	if byWord.Text[byWord.Best.Start:byWord.Best.End] != "The garage is in Leeds." || byWord.Why.WordsRank != 1 {
		t.Errorf("%q, %+v", byWord.Text[byWord.Best.Start:byWord.Best.End], byWord.Why)
	}
	if len(byWord.Matches) != 1 || byWord.Text[byWord.Matches[0].Start:byWord.Matches[0].End] != "garage" {
		t.Errorf("matches %v", byWord.Matches)
	}
	byMeaning := first(t, s, "the physician looked my knee")
	if byMeaning.Files[0].Path != "/a/health.txt" || byMeaning.Why.MeaningRank != 1 || byMeaning.Why.Meaning < 0.5 {
		t.Errorf("%q, %+v", byMeaning.Text, byMeaning.Why)
	}
}

// A passage that goes over a page break is shown with the page of its best sentence.
func TestSearchNamesThePage(t *testing.T) {
	s, c := searcher(t)
	ctx := context.Background()
	e, err := s.Embedder(ctx, "")
	must(t, err)
	text := "The rent is due in March. The lighthouse was painted white."
	passage := documents.Chunk{End: len(text), Text: text, Page: 6, Line: 1, Breaks: []documents.Break{{At: strings.Index(text, "The light"), Page: 7}}}
	v, err := e.EmbedPassages(ctx, []string{text})
	must(t, err)
	must(t, c.Put(ctx, store.File{Path: "/c/log.pdf", Hash: "log", Format: "pdf"}, []documents.Chunk{passage}, map[string][][]float32{e.ID(): v}))
	for question, page := range map[string]int{"when is the rent due": 6, "who painted the lighthouse": 7} {
		if got := first(t, s, question); got.Page != page {
			t.Errorf("%s: page %d, want %d", question, got.Page, page)
		}
	}
}

// In a small collection, a passage that only shares a word with the question does not rank
// above the passage that answers it. It did when scores were scaled to the range of the
// results.
func TestSearchSmallCollection(t *testing.T) {
	for _, passages := range []int{5, 14, 30} {
		s, c := searcher(t)
		e := embedder{map[string]string{"physician": "doctor", "surgery": "practice", "appointment": "visit"}}
		s.Embedder = func(context.Context, string) (documents.Embedder, error) { return e, nil }
		put(t, c, e, "/c/visit.txt", "The doctor has a practice in Leeds; a visit takes long.")
		put(t, c, e, "/c/shed.txt", "The shed keeps the mower dry and the rakes in order.")
		for i := range passages {
			put(t, c, e, fmt.Sprintf("/d/%d.txt", i), fmt.Sprintf("Bill %d of the electricity board for month %d.", i, i))
		}
		if found := first(t, s, "which physician keeps appointment and surgery"); found.Files[0].Path != "/c/visit.txt" {
			t.Errorf("of %d passages the first is %q, %+v", passages+7, found.Text, found.Why)
		}
	}
}

// Every result has the words in quotes exactly, whatever else means the same.
func TestSearchPhrase(t *testing.T) {
	s, _ := searcher(t)
	found, err := s.Search(context.Background(), Query{Text: `plant "roses need"`})
	must(t, err)
	if len(found.Files) != 1 || len(found.Files[0].Passages) != 1 || found.Files[0].Passages[0].Text != "Roses need sun." {
		t.Errorf("%+v", found.Files)
	}
	if found, err = s.Search(context.Background(), Query{Text: `"roses needed"`}); err != nil || len(found.Files) != 0 {
		t.Errorf("%+v, %v", found.Files, err)
	}
}

func TestSearchFilter(t *testing.T) {
	s, c := searcher(t)
	found, err := s.Search(context.Background(), Query{Text: "May", Filter: store.Filter{Folder: "/b"}})
	must(t, err)
	if len(found.Files) != 1 || found.Files[0].File.Path != "/b/garden.txt" {
		t.Errorf("%+v", found.Files)
	}
	if _, err := s.Search(context.Background(), Query{Text: "May", Collections: []string{"none"}}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an unknown collection: %v", err)
	}
	if found, err = s.Search(context.Background(), Query{Text: "May", Collections: []string{c.ID()}, Limit: 1}); err != nil || len(found.Files) != 1 {
		t.Errorf("one collection: %+v, %v", found, err)
	}
}

// Without a model the search goes by words, and says so.
func TestSearchWithoutModel(t *testing.T) {
	s, _ := searcher(t)
	s.Embedder = func(context.Context, string) (documents.Embedder, error) {
		return nil, errors.New("the file is missing")
	}
	found, err := s.Search(context.Background(), Query{Text: "tyres"})
	must(t, err)
	if len(found.Files) != 1 || len(found.Notes) != 1 || !strings.Contains(found.Notes[0], "the file is missing") {
		t.Errorf("%+v", found)
	}
}

func TestMoreLike(t *testing.T) {
	s, c := searcher(t)
	r := first(t, s, "roses need sun")
	found, err := s.MoreLike(context.Background(), c.ID(), r.ID, 1, store.Filter{})
	must(t, err)
	if len(found.Files) != 1 || found.Files[0].Passages[0].Text != "Plant the roses in May." {
		t.Errorf("%+v", found.Files)
	}
}

// Every input is treated as words: it never fails, and there is no query language.
func TestSearchAnyText(t *testing.T) {
	s, _ := searcher(t)
	parts := []string{`"`, `'`, "*", "^", "(", ")", "AND", "OR", "NOT", "NEAR", "NEAR(a b)", "title:", "-", "+", ":", "\x00", "ro", "roses", "薔薇", "é", "%", ";", "--", "{", "}", " ", "\xff"}
	rapid.Check(t, func(rt *rapid.T) {
		var text string
		if rapid.Bool().Draw(rt, "any") {
			text = rapid.String().Draw(rt, "text")
		} else {
			text = strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(rt, "parts"), rapid.SampledFrom([]string{"", " "}).Draw(rt, "space"))
		}
		found, err := s.Search(context.Background(), Query{Text: text})
		if err != nil && !errors.Is(err, ErrEmpty) {
			rt.Fatalf("%q: %v", text, err)
		}
		if err != nil {
			return
		}
		for _, f := range found.Files {
			for _, p := range f.Passages {
				for _, m := range p.Matches {
					if m.Start < 0 || m.End > len(p.Text) || m.Start >= m.End {
						rt.Fatalf("%q: match %v in %q", text, m, p.Text)
					}
				}
			}
		}
	})
}

func TestLatest(t *testing.T) {
	var l Latest
	one := l.Next(context.Background())
	two := l.Next(context.Background())
	if one.Err() == nil || two.Err() != nil {
		t.Error("the earlier search goes on, or the later one does not")
	}
	l.Stop()
	if two.Err() == nil {
		t.Error("the search goes on")
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string][]string{
		`two words`:                  nil,
		`a "quoted part" and “more”`: {"quoted part", "more"},
		`an "open quote`:             nil,
		`"" " " "x"`:                 {"x"},
	} {
		if got := parse(text).phrases; !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}

// Of two passages that only the words found, the one whose meaning is nearer comes first,
// though it is not among the nearest by meaning: it counts by its own cosine.
func TestSearchMeaningOfWhatWordsFound(t *testing.T) {
	s, c := searcher(t)
	e := embedder{map[string]string{"ship": "vessel", "lamp": "lantern"}}
	s.Embedder = func(context.Context, string) (documents.Embedder, error) { return e, nil }
	put(t, c, e, "/c/near.txt", "Ship lamp.", "Ship, lamp.")
	put(t, c, e, "/c/far.txt", "Tower bricks arrived.")
	put(t, c, e, "/c/right.txt", "Tower keepers light every ship a lamp until dawn breaks.")
	for _, feedback := range []float64{0, 0.3} {
		s.Settings = Settings{Depth: 2, Meaning: 0.5, Feedback: feedback, Best: 2}
		found, err := s.Search(context.Background(), Query{Text: "vessel lantern tower"})
		must(t, err)
		var byWords []string
		for _, f := range found.Files {
			for _, p := range f.Passages {
				if p.Why.MeaningRank > 0 {
					continue
				}
				byWords = append(byWords, f.File.Path)
				if cosine := e.cosine(t, "vessel lantern tower", p.Text); math.Abs(p.Why.Meaning-cosine) > 1e-4 {
					t.Errorf("%s: cosine %.4f, want %.4f", f.File.Path, p.Why.Meaning, cosine)
				}
			}
		}
		if !slices.Equal(byWords, []string{"/c/right.txt", "/c/far.txt"}) {
			t.Errorf("feedback %g: the words alone found %v", feedback, byWords)
		}
	}
}

func (e embedder) cosine(t *testing.T, a, b string) float64 {
	t.Helper()
	v, err := e.EmbedPassages(context.Background(), []string{a, b})
	must(t, err)
	return vecmath.Dot(v[0], v[1])
}
