package rerank

import (
	"math"
	"slices"

	"inglenook/app/texts"
)

// score is how well a model found what a person marked as answers, in the first texts, as many as
// depth says. Of texts with equal scores, which may stand in any order, those are found that are
// among the first in each of these orders.
type score struct {
	found, marked    int     // answers
	first, questions int     // questions with an answer in first place, and with one at all; 0: nothing is marked
	recall, ndcg     float64 // on average over these questions
}

// asked are the questions of what was tried, with the texts that are marked for them now.
func (t *trial) asked(out *tried) []texts.Asked {
	asked := make([]texts.Asked, len(out.questions))
	for k, text := range out.questions {
		asked[k].Text = text
		at := slices.IndexFunc(t.questions, func(q question) bool { return q.text == text })
		for j, id := range out.ids {
			if at >= 0 && t.questions[at].right[id] {
				asked[k].Right = append(asked[k].Right, j)
			}
		}
	}
	return asked
}

// score judges model i of what was tried by the marks as they are now.
func (t *trial) score(i int) (s score) {
	out := t.done
	for k, q := range t.asked(out) {
		order := out.results[i].Orders[k]
		right, same := make([]bool, len(out.ids)), map[int]int{} // how many texts share a place
		for _, place := range order.Places {
			same[place]++
		}
		found, first := 0, 0
		for _, j := range q.Right {
			right[j] = true
			last := order.Places[j] + same[order.Places[j]]
			if last <= t.depth {
				found++
			}
			if last == 1 {
				first = 1
			}
		}
		recall := texts.Recall(order, right, t.depth)
		if math.IsNaN(recall) {
			continue
		}
		s.questions++
		s.found, s.marked, s.first = s.found+found, s.marked+len(q.Right), s.first+first
		s.recall += recall
		s.ndcg += texts.NDCG(order, right, t.depth)
	}
	if s.questions > 0 {
		s.recall /= float64(s.questions)
		s.ndcg /= float64(s.questions)
	}
	return s
}
