package texts

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"inglenook/vecmath"
)

// GroupWords is how many words name a group.
const GroupWords = 3

// WriteGroups writes one row a text: its number, the text, the number of its group and the words that stand
// for that.
func (r SimilarityResult) WriteGroups(w io.Writer) error {
	if r.Groups.Count == 0 {
		return errors.New("these texts fall into no groups, so there are none to save")
	}
	words := r.Groups.Keywords(r.Texts, GroupWords)
	out := csv.NewWriter(w)
	out.Write([]string{"number", "text", "group", "words"})
	for i, text := range r.Texts {
		k := r.Groups.Of[i]
		out.Write([]string{strconv.Itoa(i + 1), text, strconv.Itoa(k + 1), strings.Join(words[k], "; ")})
	}
	out.Flush()
	return out.Error() // the first of all
}

// Central orders some of the texts: those first that are most like all of these.
func (r SimilarityResult) Central(some []int) []int {
	mean := []float32{}
	for _, i := range some {
		for k, v := range r.Vectors[i] {
			if k == len(mean) {
				mean = append(mean, 0)
			}
			mean[k] += v
		}
	}
	all := make([]Neighbour, len(some))
	for k, i := range some {
		all[k] = Neighbour{i, float32(vecmath.Dot(r.Vectors[i], mean))}
	}
	bestFirst(all)
	order := make([]int, len(all))
	for k, n := range all {
		order[k] = n.Index
	}
	return order
}
