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

// otherLabels are labels that a person's texts are hardly ever about, of fields far from each other.
var otherLabels = []string{
	"heraldry", "beekeeping", "knitting", "volcanoes", "chess openings", "stamp collecting", "shoe polish", "parrots",
	"lighthouses", "wood carving", "perfume", "bookbinding", "fossils", "magic tricks", "wine cellars", "railway signals",
}

// fewestStandingOut is from how many texts on it means something that one of them stands out.
const fewestStandingOut = 3

// scoreElsewhere scores a text for questions about something else.
func scoreElsewhere(ctx context.Context, m pipeline.Reranker, text string) ([]float32, error) {
	scores := make([]float32, 0, len(elsewhere))
	for _, question := range elsewhere {
		got, err := m.Score(ctx, question, []string{text}, pipeline.RerankRequest{})
		if err != nil {
			return nil, err
		}
		scores = append(scores, got.Values[0])
	}
	return scores, nil
}

// NoneStandsOut reports whether the texts fit the question hardly better than they fit questions about
// something else. False where that was not asked for.
func (r RerankResult) NoneStandsOut() bool {
	if len(r.Elsewhere) < 3 || len(r.Ranking) == 0 {
		return false
	}
	best, others := float64(r.Ranking[0].Score), make([]float64, len(r.Elsewhere))
	for i, v := range r.Elsewhere {
		others[i] = float64(v)
	}
	slices.Sort(others)
	high, middle := len(others)-2, len(others)/2 // the highest may fit by chance
	if r.Method == pipeline.Cosine {             // each is the best of all texts, as that of the question is
		return best <= others[high]
	}
	if others[0] > 0 && max(best, others[len(others)-1]) < 1 { // probabilities: they crowd at 0
		best = logit(best)
		for i, v := range others {
			others[i] = logit(v)
		}
	}
	return best <= others[high]+(others[high]-others[middle]) // all of one text, which was chosen as the best
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
