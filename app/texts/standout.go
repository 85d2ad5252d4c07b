package texts

import (
	"context"
	"math"
	"slices"

	"inglenook/pipeline"
)

// elsewhere are questions that the texts a person ranks hardly ever answer. They are of fields that
// have little to do with each other, so that at most one of them may fit a text by chance.
var elsewhere = []string{
	"which chord comes after the chorus",
	"does the last ferry run on public holidays",
	"how to teach a parrot to speak",
	"the best opening moves in chess",
	"what does a volcano throw out",
	"how to clean suede shoes",
	"which team was relegated at the end of the season",
	"how long does a sprained wrist take to heal",
}

// fewestStandingOut is from how many texts on it means something that one of them stands out.
const fewestStandingOut = 3

// scoreElsewhere scores the best text of a ranking for questions about something else.
func scoreElsewhere(ctx context.Context, m pipeline.Reranker, texts []string, ranking []Ranked) ([]float32, error) {
	if len(ranking) < fewestStandingOut {
		return nil, nil
	}
	best := []string{texts[ranking[0].Index]}
	scores := make([]float32, 0, len(elsewhere))
	for _, question := range elsewhere {
		got, err := m.Score(ctx, question, best, pipeline.RerankRequest{})
		if err != nil {
			return nil, err
		}
		scores = append(scores, got.Values[0])
	}
	return scores, nil
}

// NoneStandsOut reports whether the best text fits the question hardly better than it fits questions
// about something else: not by as much again as these differ. False where that was not asked for.
func (r RerankResult) NoneStandsOut() bool {
	if len(r.Elsewhere) < 3 || len(r.Ranking) == 0 {
		return false
	}
	best, others := float64(r.Ranking[0].Score), make([]float64, len(r.Elsewhere))
	for i, v := range r.Elsewhere {
		others[i] = float64(v)
	}
	slices.Sort(others)
	if r.Method != "cosine" && others[0] > 0 && max(best, others[len(others)-1]) < 1 { // probabilities: they crowd at 0
		best = logit(best)
		for i, v := range others {
			others[i] = logit(v)
		}
	}
	high, middle := others[len(others)-2], others[len(others)/2] // the highest may fit by chance
	return best <= high+(high-middle)
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
