package measure

import (
	"context"
	"slices"
	"time"

	"inglenook/app/chat"
	"inglenook/pipeline"
	"inglenook/pipeline/drafting"
)

// Guesses are what it costs to check guesses of what comes next, and what they bring.
type Guesses struct {
	Passes []PassPoint `json:"passes"`
	// Of a text that repeats itself, with guesses from what was said before:
	Guessed int     `json:"guessed"`
	Right   int     `json:"right"` // of them
	Gain    float64 `json:"gain"`  // 0.62: 62 % faster; below 0: slower
}

// PassPoint is what one pass takes.
type PassPoint struct {
	Tokens int     `json:"tokens"` // that it reads, one of them known and the others guessed
	Cost   float64 `json:"cost"`   // as a multiple of a pass of one token
	// Needed is how many guesses have to come true so that the pass is worth while, 0.6 for 60 of 100; 1 or more: it
	// never is.
	Needed float64 `json:"needed"`
}

// The text in which guesses are tried: a piece, three times, and so many tokens after it.
const (
	guessPiece   = 24
	guessPieces  = 3
	guessTokens  = 48
	guessContext = guessPiece*guessPieces + guessTokens + drafting.Most + 2
	most         = 1e6 // stands for a share that is never reached: JSON has no infinity
)

// passer is a model whose passes can be measured.
type passer interface {
	Passes(ctx context.Context, ids []int32, sizes []int) ([]time.Duration, error)
}

// guesses measures passes and tries guesses; nil: the model has no room for them, or is not measured so.
func (s *writerSubject) guesses(ctx context.Context) (*Guesses, error) {
	model, ok := s.model.(passer)
	if !ok || s.model.Info().Context < guessContext {
		return nil, nil
	}
	text := slices.Repeat(s.tokens(guessPiece), guessPieces)
	sizes := []int{1, 2, 4, 8, 16}
	s.model.Forget()
	took, err := model.Passes(ctx, text, sizes)
	if err != nil {
		return nil, err
	}
	g := &Guesses{}
	for i, n := range sizes {
		cost := took[i].Seconds() / max(took[0].Seconds(), 1e-9)
		g.Passes = append(g.Passes, PassPoint{n, cost, min(drafting.Needed(n, cost), most)})
	}
	got, err := chat.Collect(s.model.CompleteIDs(ctx, text, pipeline.ReplyOptions{
		MaxTokens: guessTokens, Sampling: &pipeline.Sampling{TopP: 1, TypicalP: 1, RepeatPenalty: 1}, IgnoreEnd: true, Draft: pipeline.DraftAuto,
	}), nil)
	g.Guessed, g.Right, g.Gain = got.Finished.Drafted, got.Finished.Accepted, got.Finished.Gain
	return g, err
}
