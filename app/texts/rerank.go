package texts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/plain"
)

// RerankRequest asks how well texts answer a query.
type RerankRequest struct {
	Model string
	devices.Target
	AsKept  bool // weights that the target leaves open are held as was chosen for the model
	Query   string
	Texts   []string
	Form    string // one of Forms: how a language model is asked that does not say so itself
	Compare bool   // texts are scored for questions about something else too
	Pooling string // one of Poolings: cosines instead of the scores of a head; "": as the model is made
}

// Poolings are the ways in which any model that reads can score: by the cosine of
// its vectors for query and text. A vector is made of the states of the model's last
// layer: "pooler" is the model's own layer over the first one, "cls" the first one,
// "mean" the mean of all.
func Poolings() []string { return []string{"pooler", "cls", "mean"} }

// Forms are the forms in which a language model can be asked.
func Forms() []string { return pipeline.Forms() }

// RerankResult lists the texts, the best first.
type RerankResult struct {
	Ranking    []Ranked
	Method     string    // "cross-encoder" or "cosine"
	Pooling    string    // of cosines
	Untrusted  string    // why the scores are not to be relied on, as a clause; "": they are
	Elsewhere  []float32 // for questions about something else: the best cosine of any text, or the score of the text that is the best here; nil: not asked for
	Took       time.Duration
	Load       time.Duration // 0 when the model was open already
	Tokens     int           // of all texts
	TokensEach []int         // of each text, by its index in the request
	Model      library.Model
	Device     string
	Held       held.Held // how weights are held, as was chosen for the model; zero: as in the request
	Fallbacks  []engine.Fallback
	Notices    []string // as in EmbedResult
	Notes      []string
	Profile    devices.Profile
}

// Ranked is a text by its index in the request, with its score.
type Ranked struct {
	Index   int
	Score   float32
	Windows int  // parts that a long text was read in; the best one counts
	Cut     bool // longer than the model reads: what follows did not count
}

// Rerank scores texts against a query; equal scores keep their order.
func (t *Service) Rerank(ctx context.Context, r RerankRequest, report func(base.Progress)) (RerankResult, error) {
	if len(r.Texts) == 0 {
		return RerankResult{}, errors.New("there is nothing to score; give at least one document")
	}
	find := t.library.Encodes
	if r.Form != "" {
		find = t.library.Usable // a language model may be asked whatever its files call it
	}
	var h held.Held
	result, err := with(ctx, t, r.Model, find, t.reranker(r, &h, report), func(ctx context.Context, e library.Entry, open pool.Opened[pipeline.Reranker]) (RerankResult, error) {
		return t.score(ctx, e, open, r, report)
	})
	result.Held = h
	return result, err
}

func (t *Service) score(ctx context.Context, e library.Entry, open pool.Opened[pipeline.Reranker], r RerankRequest, report func(base.Progress)) (RerankResult, error) {
	scoring := base.NewStage(base.StageScoring, "texts", report)
	scoring.Texts(0, len(r.Texts))
	asked := pipeline.RerankRequest{Progress: scoring.Texts}
	if r.Compare && len(r.Texts) >= fewestStandingOut {
		asked.Beside = elsewhere
	}
	got, err := open.Model.Score(ctx, r.Query, r.Texts, asked)
	if err != nil {
		return RerankResult{}, base.InContext(ctx, err)
	}
	notices := append(open.Notices, got.Notices...)
	t.devices.LogWork("rerank", e.ID, got.Device, len(r.Texts), got.Took, got.Fallbacks, notices)
	t.devices.Note(devices.Work{Job: "rerank", Model: e.ID, Took: got.Took}, got.Profile)
	evened(r.Texts, got.Values)
	info, ranking, beside := open.Model.Info(), rank(r.Texts, got), got.Beside
	if asked.Beside != nil && beside == nil {
		if beside, err = scoreElsewhere(ctx, open.Model, r.Texts[ranking[0].Index]); err != nil {
			return RerankResult{}, base.InContext(ctx, err)
		}
	}
	return RerankResult{
		Ranking: ranking, Elsewhere: beside, Method: got.Method, Pooling: strings.Join(info.Pooling, "+"), Untrusted: info.Untrusted, Took: got.Took, Load: open.Load, Tokens: sum(got.Tokens), TokensEach: got.Tokens,
		Model: e.Model, Device: got.Device, Fallbacks: got.Fallbacks, Notices: notices, Notes: got.Notes,
		Profile: devices.NewProfile(got.Profile),
	}, nil
}

// rank orders texts by their scores, the best first. A model gives a score to a text with
// nothing to read in it too, which means nothing: such texts come last.
func rank(texts []string, s pipeline.Scores) []Ranked {
	list := make([]Ranked, len(s.Values))
	for i, v := range s.Values {
		list[i] = Ranked{Index: i, Score: v, Windows: s.Windows[i], Cut: s.Cut != nil && s.Cut[i]}
	}
	slices.SortStableFunc(list, func(a, b Ranked) int {
		if blank := plain.IsBlank(texts[a.Index]); blank != plain.IsBlank(texts[b.Index]) {
			if blank {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.Score, a.Score)
	})
	return list
}
