package rerank

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// order is one order of the texts in the picture.
type order struct {
	texts.Order
	name   string
	rows   []int     // by index: the text's row; equal scores share a place and not a row; -1: it has none
	scores []float32 // by index; nil: it has none
}

// given is the order in which n texts were given.
func given(n int) order {
	o := order{name: "Your order", rows: make([]int, n)}
	for i := range o.rows {
		o.rows[i] = i
	}
	o.Texts, o.Places = o.rows, o.rows
	return o
}

// orderOf is that of a ranking.
func orderOf(r texts.RerankResult) order {
	o := order{Order: r.Order(), name: r.Model.Title(), scores: r.Scores(), rows: make([]int, len(r.Ranking))}
	for row, i := range o.Texts {
		o.rows[i] = row
	}
	return o
}

// span is from where to where the bars of some scores run: from 0 to 1 where the scores are
// probabilities or cosines, so that the best of many bad ones has a short bar; else from the
// lowest to the highest. What is not a number has no bar.
func span(scores []float32) (low, high float32) {
	low, high = 0, 1
	wide := false
	for _, v := range scores {
		if isNumber(v) && (v < -1 || v > 1) {
			wide = true
		}
	}
	if !wide {
		return low, high
	}
	low, high = math.MaxFloat32, -math.MaxFloat32
	for _, v := range scores {
		if isNumber(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

// share places a score between the ends of the bars: 0 at the lowest and below, 1 at the highest.
func share(v, low, high float32) float64 {
	switch {
	case !isNumber(v):
		return 0
	case high <= low:
		return 1
	}
	return max(0, (float64(v)-float64(low))/(float64(high)-float64(low)))
}

func isNumber(v float32) bool { return !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) }

// scoreText writes a score; high is the highest of all. A score without a number says so.
func scoreText(v, high float32) string {
	digits := 2
	if high <= 1 {
		digits = 3
	}
	if math.IsNaN(float64(v)) {
		return "none"
	}
	scale := math.Pow10(digits)
	return strconv.FormatFloat(math.Round(float64(v)*scale)/scale+0, 'f', digits, 64) // +0: no minus before zero
}

// moveText says how many places a text went up, where move is less than 0, or down.
func moveText(move int) string {
	switch {
	case move < 0:
		return "↑ " + humanize.Comma(int64(-move))
	case move > 0:
		return "↓ " + humanize.Comma(int64(move))
	}
	return "="
}

// agreementText says how far two models agree, for people who never heard of a measure.
func agreementText(a texts.Agreement) string {
	told := a.Same + a.Other
	if told == 0 {
		return "One of the models gives all texts the same score, so there is nothing to agree on."
	}
	switch {
	case a.Other == 0:
		return "Both models put the texts in the same order."
	case a.Same == 0:
		return "The models put the texts in opposite orders."
	}
	switch share := float64(a.Same) / float64(told); {
	case share >= nearlyAll:
		return "They put the texts in nearly the same order."
	case share <= 1-nearlyAll:
		return "They put the texts in nearly opposite orders."
	case share >= mostly:
		return "They mostly agree about the order of the texts."
	case share >= partly:
		return "They agree about a part of the order of the texts."
	case share <= 1-partly:
		return "They mostly disagree about the order of the texts."
	default:
		return "Their orders of the texts have little in common."
	}
}

// nearlyAll is the share of the pairs from which on two orders are called nearly the same.
const nearlyAll = 0.95

// mostly is the share of the pairs from which on two models are said to agree mostly.
const mostly = 0.8

// partly is the share from which on they are said to agree about a part.
const partly = 0.65

// agreementDetails names the measure behind agreementText.
func agreementDetails(a texts.Agreement) string {
	if math.IsNaN(a.Tau) {
		return ""
	}
	s := fmt.Sprintf("The models agree about the order of %s of %s. Kendall's tau-b is %s: 1 means the same order, 0 no more in common than by chance, -1 the reverse.", humanize.Comma(int64(a.Same)), kit.Count(a.Same+a.Other, "pair"), kit.Cosine(float32(a.Tau)))
	if a.Tied > 0 {
		s += " Left out of the count: " + kit.Count(a.Tied, "pair") + " with equal scores."
	}
	return s
}

// judges reports whether a ranking judged answers, and did not only compare meanings.
func judges(r texts.RerankResult) bool { return r.Method == "cross-encoder" }

// scaleText says what a longer bar of a ranking means.
func scaleText(r texts.RerankResult) string {
	if judges(r) {
		return "A longer bar: a better answer."
	}
	return "A longer bar: closer in meaning."
}

// noneText says that no text stands out to the models of these rankings, of so many in all.
func noneText(doubtful []texts.RerankResult, models int) string {
	switch {
	case models < 2 || len(doubtful) == 0:
		return "None of these texts seems to answer this."
	case len(doubtful) == 2:
		return "By both models, none of these texts seems to answer this."
	}
	return "By " + doubtful[0].Model.Title() + ", none of these texts seems to answer this."
}

// noneReason says what that is judged by.
func noneReason(r texts.RerankResult) string {
	if judges(r) {
		return "The model was also asked questions about something else, and the first text answers those as well as yours."
	}
	return "Questions about something else were compared too, and the texts are as close to those as to yours."
}

// factsText is what a ranking took and what really computed it. pooling is the one that was
// asked for.
func factsText(r texts.RerankResult, pooling string) string {
	n := len(r.Ranking)
	facts := []string{r.Model.Title(), kit.Count(n, "text") + " in " + kit.Duration(r.Took)}
	switch {
	case judges(r):
		facts = append(facts, "reads question and text together")
	case pooling != "":
		facts = append(facts, "compares "+strings.ToLower(poolingNames[pooling]))
	}
	if s := r.Took.Seconds(); s > 0 {
		facts = append(facts, kit.Rate(float64(n)/s)+" texts/s")
	}
	if r.Load > 0 {
		facts = append(facts, "opened in "+kit.Duration(r.Load))
	}
	if r.Device != "" {
		facts = append(facts, "computed by "+panel.ComputedBy(r.Device, r.Held))
	}
	return strings.Join(facts, "  ·  ")
}

// remarksOf lists what a reader of a ranking must know.
func remarksOf(r texts.RerankResult) []string {
	var all []string
	if r.Untrusted != "" {
		all = append(all, "Do not rely on these scores: "+r.Model.Title()+" was tested with an obvious question, and "+r.Untrusted+".")
	}
	missing := 0
	for _, x := range r.Ranking {
		if !isNumber(x.Score) {
			missing++
		}
	}
	if missing > 0 {
		all = append(all, r.Model.Title()+" gave no score to "+kit.Count(missing, "text")+"; what has no score comes last.")
	}
	for _, notice := range r.Notices {
		all = append(all, kit.Sentence(notice))
	}
	return append(all, panel.FallbackSentences(r.Fallbacks)...)
}

// tookOf is the time of all rankings together.
func tookOf(rankings []texts.RerankResult) (d time.Duration) {
	for _, r := range rankings {
		d += r.Took
	}
	return d
}
