package texts

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"inglenook/app/base"
)

// Order returns the order of the ranking.
func (r RerankResult) Order() Order {
	texts, scores := make([]int, len(r.Ranking)), r.Scores()
	for row, x := range r.Ranking {
		texts[row] = x.Index
	}
	return sharing(texts, func(a, b int) bool { return cmp.Compare(scores[a], scores[b]) == 0 })
}

// Scores returns the score of each text.
func (r RerankResult) Scores() []float32 {
	scores := make([]float32, len(r.Ranking))
	for _, x := range r.Ranking {
		scores[x.Index] = x.Score
	}
	return scores
}

// WriteRankings writes one row a text, the best of the first ranking first: the question, the text, its
// place as it was given, and its place and score in each ranking. Places begin at 1; equal
// scores share one. Texts for which wanted is false are left out; nil: none is. from is where each came from,
// in two more columns; nil: nowhere.
func WriteRankings(w io.Writer, question string, lines []string, from []base.Source, rankings []RerankResult, wanted func(text int) bool) error {
	out := csv.NewWriter(w)
	head := []string{"question", "text", "given"}
	places := make([][]int, len(rankings))
	scores := make([][]float32, len(rankings))
	for k, r := range rankings {
		head = append(head, r.Model.Name+" place", r.Model.Name+" score")
		places[k], scores[k] = r.Order().Places, r.Scores()
	}
	if from != nil {
		head = append(head, "file", "place")
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for _, x := range rankings[0].Ranking {
		if wanted != nil && !wanted(x.Index) {
			continue
		}
		row := []string{cell(question), cell(lines[x.Index]), strconv.Itoa(x.Index + 1)}
		for k := range rankings {
			row = append(row, strconv.Itoa(places[k][x.Index]+1), strconv.FormatFloat(float64(scores[k][x.Index]), 'g', 7, 32))
		}
		if from != nil {
			row = append(row, cell(from[x.Index].File), cell(from[x.Index].Place))
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// WriteFound writes one row for each text of each question, the nearest to the first model first: the
// question, the text, whether it is marked as an answer, and its place with each model. Places begin at
// 1; equal scores share one.
func WriteFound(w io.Writer, questions []Asked, lines []string, models []FindResult) error {
	out := csv.NewWriter(w)
	head := []string{"question", "text", "marked"}
	for _, m := range models {
		head = append(head, m.Model.Name+" place")
	}
	out.Write(head)
	for k, q := range questions {
		for _, text := range models[0].Orders[k].Texts {
			row := []string{cell(q.Text), cell(lines[text]), strconv.FormatBool(slices.Contains(q.Right, text))}
			for _, m := range models {
				row = append(row, strconv.Itoa(m.Orders[k].Places[text]+1))
			}
			out.Write(row)
		}
	}
	out.Flush()
	return out.Error() // the first of all
}
