package measure

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/texts"
)

// benchQuery is what documents are scored against.
const benchQuery = "when does the morning train leave for the coast"

const (
	benchShortest = 6   // words in the shortest text
	benchLongest  = 100 // words in the longest one: about 128 tokens
	warmUpTexts   = 8
)

// WordsPerText are those of a text that is read or ranked, on average.
const WordsPerText = (benchShortest + benchLongest) / 2

// textsSubject embeds texts, or scores them, on a target.
type textsSubject struct {
	texts  *texts.Service
	model  string
	target devices.Target
	list   []string
	curve  string // the work that a curve is of
}

// openTexts opens a model for texts by a first small job.
func (r *rowRun) openTexts(ctx context.Context) (subject, error) {
	s := &textsSubject{texts: r.texts, model: r.entry.ID, target: r.row.Target, curve: r.plan.jobs[0].work}
	most := 1
	for _, j := range r.plan.jobs {
		most = max(most, j.amount)
	}
	s.list = benchTexts(max(most, slices.Max(append([]int{1}, r.plan.sizes...))))
	for _, j := range r.plan.jobs {
		if _, err := s.do(ctx, job{j.work, min(j.amount, warmUpTexts)}); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *textsSubject) do(ctx context.Context, j job) (run, error) {
	if j.work == fit.WorkRerank {
		return s.rerank(ctx, s.list[:j.amount])
	}
	return s.embed(ctx, s.list[:j.amount])
}

func (s *textsSubject) embed(ctx context.Context, input []string) (run, error) {
	got, err := s.texts.Embed(ctx, texts.EmbedRequest{Model: s.model, Target: s.target, Texts: input}, nil)
	if err != nil {
		return run{}, err
	}
	return run{
		outcome: outcome{values: got.Vectors}, took: got.Took, context: slices.Max(got.Tokens),
		device: got.Device, work: got.Profile, fallbacks: got.Fallbacks, notices: got.Notices,
	}, nil
}

func (s *textsSubject) rerank(ctx context.Context, input []string) (run, error) {
	got, err := s.texts.Rerank(ctx, texts.RerankRequest{Model: s.model, Target: s.target, Query: benchQuery, Texts: input}, nil)
	if err != nil {
		return run{}, err
	}
	scores := make([]float32, len(input))
	for _, r := range got.Ranking {
		scores[r.Index] = r.Score
	}
	return run{
		outcome: outcome{values: [][]float32{scores}}, took: got.Took, context: slices.Max(got.TokensEach),
		device: got.Device, work: got.Profile, fallbacks: got.Fallbacks, notices: got.Notices,
	}, nil
}

func (s *textsSubject) at(ctx context.Context, size int) (time.Duration, error) {
	got, err := s.do(ctx, job{s.curve, size})
	return got.took, err
}

func (s *textsSubject) finish(*Row) {}

// Close does nothing: the model stays open for others, as after any embedding.
func (s *textsSubject) Close() error { return nil }

// benchTexts makes n texts of 6 to 100 words of the sample sentences, the same each time.
func benchTexts(n int) []string {
	words := strings.Fields(strings.ToLower(strings.Join(texts.SampleTexts(), " ")))
	random := rand.New(rand.NewPCG(1, 2))
	input := make([]string, n)
	for i := range input {
		length := benchShortest + random.IntN(benchLongest-benchShortest+1)
		text := make([]string, length)
		for k := range text {
			text[k] = words[random.IntN(len(words))]
		}
		input[i] = strings.Join(text, " ")
	}
	return input
}
