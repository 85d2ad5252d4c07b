// Package held decides how the processor holds the weights of models that read texts: as
// in the file, or in 8 bits where a check on a person's own texts found that to be faster
// and nearly the same. What was decided is kept with the model.
package held

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"inglenook/app/usage"
	"inglenook/vecmath"
)

// The ways to hold weights that are compared, as in the flag --weights.
const (
	EightBits = "q8_0"
	AsInFile  = "auto"
)

// FewestScores is how many texts a check of scores takes at least.
const FewestScores = 3

const (
	checkedTexts = 8               // at most
	checkTime    = 3 * time.Second // after which no more are begun
	alikeEnough  = 0.999
	fasterEnough = 1.05

	fewestTimed = 4   // texts, below which it is not told how many times as fast 8 bits are
	mostOthers  = 0.1 // of the processors that other programs may take meanwhile
	mostSpread  = 0.5 // of what single texts say about the speed, as a part of the whole
)

// Held is how weights are held, and what a check found.
type Held struct {
	Weights string  `json:"weights"`           // as in the flag --weights; "": nothing is decided
	Checked int     `json:"checked,omitempty"` // texts that were read in both ways; 0: not checked
	Times   float64 `json:"times,omitempty"`   // how often as fast 8 bits were
	Doubt   bool    `json:"doubt,omitempty"`   // Times may be wrong: other programs were busy, or texts differed
	Alike   float64 `json:"alike,omitempty"`   // of the results of both ways, see [Vectors] and [Scores]
}

// About says in a sentence how weights are held and why, "" where that was not checked.
// what is the name of one text: "passage" or "text".
func (h Held) About(what string) string {
	switch percent := math.Floor(h.Alike*1e4) / 100; {
	case h.Checked == 0:
		return ""
	case h.Weights == EightBits && h.Checked == 1: // too little to time
		return fmt.Sprintf("To be faster, the model calculates with rounded numbers (8 bits): results were %.2f %% the same on the first %s.", percent, what)
	case h.Weights == EightBits && !h.Timed():
		return fmt.Sprintf("To be faster, the model calculates with rounded numbers (8 bits): results were %.2f %% the same on the first %d %ss.", percent, h.Checked, what)
	case h.Weights == EightBits:
		return fmt.Sprintf("To be faster, the model calculates with rounded numbers (8 bits): it was %.1f times as fast, and results were %.2f %% the same on the first %d %ss.", h.Times, percent, h.Checked, what)
	case h.Alike < alikeEnough:
		return fmt.Sprintf("The model calculates with the exact numbers of its file: with rounded ones (8 bits), results were only %.2f %% the same on the first %d %ss.", percent, h.Checked, what)
	}
	return fmt.Sprintf("The model calculates with the exact numbers of its file: rounded ones (8 bits) were not faster on the first %d %ss.", h.Checked, what)
}

// Timed reports whether Times may be told: enough texts were timed, and nothing disturbed that. The
// first text is not timed.
func (h Held) Timed() bool { return h.Checked > fewestTimed && !h.Doubt }

// Good reports whether a check speaks for 8 bits. A single text is too little to time.
func (h Held) Good() bool {
	return h.Checked > 0 && h.Alike >= alikeEnough && (h.Checked < 2 || h.Times >= fasterEnough)
}

// Reader returns what a model makes of a text: its vector, or a score.
type Reader func(ctx context.Context, text string) ([]float32, error)

// Alike compares what two readers made of the same texts, [texts, numbers]: 1 where it is
// the same, less the more it differs.
type Alike func(a, b [][]float32) float64

// Compare has two readers read some of the texts in turn, the first in 8 bits and the
// second as in the file, and returns which way is to be kept. It takes few seconds.
func Compare(ctx context.Context, texts []string, eight, plain Reader, alike Alike) (Held, error) {
	var took [2]time.Duration
	var made [2][][]float32
	h := Held{Weights: AsInFile}
	began, before := time.Now(), usage.Now()
	var times []float64 // as fast with 8 bits, of each timed text
	for _, text := range texts[:min(len(texts), checkedTexts)] {
		var each [2]time.Duration
		for i, read := range []Reader{eight, plain} {
			start := time.Now()
			got, err := read(ctx, text)
			if err != nil {
				return Held{}, err
			}
			made[i] = append(made[i], got)
			if h.Checked > 0 { // the first text warms both up
				each[i] = time.Since(start)
				took[i] += each[i]
			}
		}
		if each[0] > 0 {
			times = append(times, each[1].Seconds()/each[0].Seconds())
		}
		h.Checked++
		if time.Since(began) > checkTime {
			break
		}
	}
	if h.Checked == 0 {
		return h, nil
	}
	h.Alike = alike(made[0], made[1])
	if took[0] > 0 {
		h.Times = took[1].Seconds() / took[0].Seconds()
		others, known := usage.Now().Others(before)
		h.Doubt = doubtful(times, h.Times, others, known)
	}
	if h.Good() {
		h.Weights = EightBits
	}
	return h, nil
}

// doubtful reports whether a speed may be wrong that single texts gave while other programs took a
// part of the processors. As in Performance, half of the texts count for how much they differ.
func doubtful(times []float64, whole, others float64, known bool) bool {
	if known && others > mostOthers {
		return true
	}
	sorted := slices.Sorted(slices.Values(times))
	n := len(sorted)
	return n >= 2 && sorted[n-1-n/4]-sorted[n/4] >= mostSpread*whole
}

// Vectors is the smallest cosine between the vectors of a text.
func Vectors(a, b [][]float32) float64 {
	least := 1.0
	for i := range a {
		least = min(least, vecmath.Cosine(a[i], b[i]))
	}
	return least
}

// Scores is the correlation of the first numbers of all texts: what counts is in which
// order scores put the texts. Fewer than [FewestScores] say nothing about that, and count
// as different.
func Scores(a, b [][]float32) float64 {
	if len(a) < FewestScores {
		return 0
	}
	return vecmath.Cosine(fromMean(a), fromMean(b))
}

// fromMean returns by how much the first number of each row differs from their mean.
func fromMean(rows [][]float32) []float32 {
	mean := 0.0
	for _, row := range rows {
		mean += float64(row[0]) / float64(len(rows))
	}
	v := make([]float32, len(rows))
	for i, row := range rows {
		v[i] = float32(float64(row[0]) - mean)
	}
	return v
}
