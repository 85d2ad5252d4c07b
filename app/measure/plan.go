package measure

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
)

// Request asks for the same work on several targets.
type Request struct {
	Model    string
	Targets  []devices.Target // the others are compared with the first that works
	Amounts  Amounts          // the zero value: what suits the model
	Thorough bool             // more work and more repetitions, where Amounts does not say
	Curve    bool             // also by the size of the context, or of the batch; not with Amounts
	Norms    bool             // also LayerNorm and RMSNorm alone, by the number of rows
	Guesses  bool             // also what it costs to check guesses, and what they bring
	Draft    string           // how a language model guesses while it writes, as in pipeline.ReplyOptions; "": not at all
	// Shown are the predictions that a person saw before: they alone are put beside what is
	// measured. Nil: nobody saw any, and Measure predicts itself.
	Shown map[devices.Target][]fit.Prediction
	// Elsewhere allows a device to hand work on to the CPU. Without it, that ends the row.
	Elsewhere bool
}

// Amounts says exactly what to measure. A language model reads and writes, any other
// model embeds and scores; a request for what the model cannot do is refused.
type Amounts struct {
	Texts    int // embedded in one call; 0: none
	Pairs    int // a query with this many documents in one call; 0: none
	Prompt   int // tokens of a prompt; 0: none
	Generate int // tokens that are written; 0: none
	Depth    int // tokens that are in the context before
	Repeat   int // how often each work is measured
}

// total is how much there is to do, all kinds of work together.
func (a Amounts) total() int { return a.Texts + a.Pairs + a.Prompt + a.Generate }

const (
	maxAmount = 100_000

	// The amounts for a request that states only the repetitions.
	defaultBenchTexts = 256
	defaultGenerate   = 64
)

// plan is what a model has to do on each target.
type plan struct {
	jobs      []job
	depth     int           // tokens that are in the context before
	pace      pace          // of a round
	rounds    int           // in which the jobs take turns
	sizes     []int         // of the curve
	budget    time.Duration // of the curve
	memory    bool          // measure what memory allows, and what a language model takes of it
	norms     bool
	guesses   bool
	draft     string
	answers   bool // compare what is written with that of a server
	elsewhere bool // the device may hand work on
}

// job is one kind of work.
type job struct {
	work   string // one of the Work constants
	amount int    // texts, pairs or tokens of one repetition
}

const (
	// curveTokens are written at each size of the context.
	curveTokens = 16

	// A language model reads and writes in turn in this many rounds: the speed of a
	// machine varies over time, and the spread should show it.
	writingRounds = 2
)

// planFor chooses the work that a request asks for, or that suits the model.
func planFor(e library.Entry, r Request) (plan, error) {
	if len(r.Targets) == 0 {
		return plan{}, errors.New("there is nothing to measure on; choose a device")
	}
	if r.Amounts != (Amounts{}) {
		return exactPlan(e, r)
	}
	p := plan{pace: usualPace(5), rounds: 1, budget: 30 * time.Second, memory: true, norms: r.Norms, guesses: r.Guesses && e.Writes() && (e.MaxLength == 0 || e.MaxLength >= guessContext), draft: r.Draft, elsewhere: r.Elsewhere}
	amount, generate := 32, 32
	if r.Thorough {
		amount, generate = 256, 128
		p.pace, p.budget = usualPace(9), 4*time.Minute
	}
	switch {
	case e.Writes():
		prompt := 4 * generate
		if e.MaxLength > 0 {
			prompt, generate = min(prompt, e.MaxLength/2), min(generate, e.MaxLength/4)
		}
		if prompt < 1 || generate < 1 {
			return p, fmt.Errorf("%s has room for %d tokens, which is too little to measure", e.Name, e.MaxLength)
		}
		p.jobs, p.rounds = []job{{fit.WorkPrompt, prompt}, {fit.WorkGenerate, generate}}, writingRounds
		p.pace.least = (p.pace.least + p.rounds - 1) / p.rounds
	case e.Kind == library.KindReranker:
		p.jobs = []job{{fit.WorkRerank, amount}}
	case e.Kind == library.KindEmbedding || e.Kind == library.KindEncoder:
		p.jobs = []job{{fit.WorkEmbed, amount}}
	default:
		return p, fmt.Errorf("%s cannot be measured: nothing is known about what it is for", e.Name)
	}
	if r.Curve {
		p.sizes = curveSizes(e)
	}
	return p, nil
}

// curveSizes are the sizes of a curve: texts in a call, or tokens in the context.
func curveSizes(e library.Entry) []int {
	if !e.Writes() {
		return []int{1, 4, 16, 64, 256}
	}
	var sizes []int
	for size := 128; size <= 8192 && (e.MaxLength == 0 || size+curveTokens < e.MaxLength); size *= 2 {
		sizes = append(sizes, size)
	}
	return sizes
}

// exactPlan is a plan of just the amounts that were asked for.
func exactPlan(e library.Entry, r Request) (plan, error) {
	a := r.Amounts
	list := []int{a.Texts, a.Pairs, a.Prompt, a.Generate, a.Depth}
	if a.Repeat < 1 || slices.Min(list) < 0 || max(a.Repeat, slices.Max(list)) > maxAmount {
		return plan{}, fmt.Errorf("there is nothing to measure; give a number of texts, pairs or tokens and of repetitions from 1 to %d", maxAmount)
	}
	p := plan{depth: a.Depth, pace: exactPace(a.Repeat), rounds: 1, norms: r.Norms, draft: r.Draft, elsewhere: r.Elsewhere}
	if r.Norms && a.total() == 0 {
		return p, nil
	}
	a, err := a.of(e, r.Targets)
	for _, j := range []job{{fit.WorkEmbed, a.Texts}, {fit.WorkRerank, a.Pairs}, {fit.WorkPrompt, a.Prompt}, {fit.WorkGenerate, a.Generate}} {
		if j.amount > 0 {
			p.jobs = append(p.jobs, j)
		}
	}
	return p, err
}

// of returns the amounts with defaults for what they leave open, or an error where they
// do not fit the model.
func (a Amounts) of(e library.Entry, targets []devices.Target) (Amounts, error) {
	if e.Writes() {
		if a.Texts+a.Pairs > 0 {
			return a, fmt.Errorf("%s is a language model, so there are no texts or pairs to measure; give a number of prompt or generated tokens", e.Name)
		}
		return a.inContext(e, targets)
	}
	cached := func(t devices.Target) bool { return t.KV != "" || t.Context != 0 }
	if a.Prompt+a.Generate+a.Depth > 0 || slices.ContainsFunc(targets, cached) {
		return a, fmt.Errorf("%s does not write text, so there are no prompt or generated tokens to measure and no context; give a number of texts or pairs alone", e.Name)
	}
	if a.total() == 0 {
		a.Texts = defaultBenchTexts
	}
	return a, nil
}

// InContext returns the amounts with what they leave open, as far as the context allows.
// Each measurement needs room for one more token.
func (a Amounts) inContext(e library.Entry, targets []devices.Target) (Amounts, error) {
	most := math.MaxInt32
	for _, t := range targets {
		most = min(most, cmp.Or(t.Context, e.MaxLength, math.MaxInt32))
	}
	if a.total() == 0 {
		room := max(1, most-a.Depth-1)
		a.Prompt, a.Generate = min(fit.UsualPrompt, room), min(defaultGenerate, room)
	}
	if tokens := max(a.Prompt, a.Generate); a.Depth+tokens+1 > most {
		return a, fmt.Errorf("--depth %d and %d more tokens need a context of %d, and this model has %d; lower one of them", a.Depth, tokens, a.Depth+tokens+1, most)
	}
	return a, nil
}

// amount returns how much there is of a kind of work in one repetition.
func (p plan) amount(work string) int {
	for _, j := range p.jobs {
		if j.work == work {
			return j.amount
		}
	}
	return 0
}

// writes reports whether the work is that of a language model.
func (p plan) writes() bool { return p.amount(fit.WorkPrompt)+p.amount(fit.WorkGenerate) > 0 }

// context returns how many tokens a language model has to see at once.
func (p plan) context() int {
	need := p.depth + max(p.amount(fit.WorkPrompt), p.amount(fit.WorkGenerate)) + 1
	if n := len(p.sizes); n > 0 {
		need = max(need, p.sizes[n-1]+curveTokens+1)
	}
	if p.guesses {
		need = max(need, guessContext)
	}
	if p.answers {
		need = max(need, answerContext)
	}
	return max(2, need)
}

// steps returns how many times progress is reported on one target.
func (p plan) steps() int {
	steps := 0
	if len(p.jobs) > 0 {
		steps = 1 + p.rounds*len(p.jobs)*(p.pace.least+1) + len(p.sizes)
	}
	if p.guesses {
		steps++
	}
	if p.answers {
		steps++
	}
	if p.norms {
		steps += len(normRows())
	}
	return steps
}

// normRows are the numbers of rows, from a single token to a long prompt.
func normRows() []int {
	var list []int
	for n := 1; n <= 4096; n *= 2 {
		list = append(list, n)
	}
	return list
}
