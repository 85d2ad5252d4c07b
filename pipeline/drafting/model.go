package drafting

import (
	"context"
	"errors"
	"fmt"
	"time"

	"inglenook/pipeline/decoding"
	"inglenook/sampling"
)

// Model guesses with a smaller language model of the same vocabulary. It chooses each
// guess with the settings and the random number with which the checked model will choose
// that token: where both models see the same chances, both choose the same token, also
// when tokens are drawn. So an answer has the tokens that its seed gives without guesses.
type Model struct {
	history *decoding.History
	costs   *Costs // of the smaller model's passes
	sampler *sampling.Sampler
	vocab   int // the checked model knows the ids below

	*habit

	ids    []int32 // so far, with the guesses
	open   []guess // guesses of which it is not known yet whether they come
	idle   int     // tokens since the last guess
	first  int     // tokens after which it first looks again whether guesses come true
	pause  int     // tokens until it looks the next time
	ended  bool
	notice []string // sentences for a person

	stop func() // of a head, see [NewHead]; nil: a smaller model, which reads only to guess
}

// habit is how often a model's guesses come true; it outlives answers.
type habit struct {
	usual float64
	seen  int        // guesses of which it is known whether they came
	right [5]float64 // by how sure the model is
}

// saw takes whether a guess came. The first ones count for more: what is assumed of a model is
// worth no more than three of them.
func (h *habit) saw(sure int, hit float64) {
	h.seen++
	h.usual += (hit - h.usual) / float64(min(h.seen+3, 16))
	h.right[sure] += (hit - h.right[sure]) / 10
}

// recalled is for how many guesses at most those of earlier answers count.
const recalled = 5

// begin prepares for an answer after others: it takes up what was learned from them, a little
// nearer to what is assumed of a first one, because another text may be easier to guess.
func (h *habit) begin(first habit) {
	if h.usual == 0 {
		*h = first
	}
	h.usual += (first.usual - h.usual) / 5
	h.seen = min(h.seen, recalled)
	for i := range h.right {
		h.right[i] += (first.right[i] - h.right[i]) / 5
	}
}

// guess is a token that may come, and how sure the model is, as a bucket.
type guess struct {
	id   int32
	sure int
}

// Moment is where an answer is when something is guessed.
type Moment struct {
	IDs     []int32           // of prompt and answer; the last one is read next
	Sampler *sampling.Sampler // chooses the answer's tokens
	Allowed sampling.Mask     // tokens that may come next; nil: any
	Lost    int               // tokens that the pass reads again anyway
	Room    int               // most guesses that it can read
	Again   bool              // see [Pace.Length]
}

// NewModel begins an answer. sampler has the options with which the answer's tokens are
// chosen, and vocab is how many ids the model knows that checks.
func NewModel(history *decoding.History, costs *Costs, sampler *sampling.Sampler, vocab int) *Model {
	return &Model{
		history: history, costs: costs, sampler: sampler, vocab: vocab, first: firstPause, pause: firstPause,
		habit: &habit{usual: 0.6, right: [...]float64{0.3, 0.5, 0.65, 0.8, 0.93}},
	}
}

// Where guesses do not pay, the model looks again after so many tokens, and after twice
// as many each time that they still do not.
const (
	firstPause = 64
	lastPause  = 1024
	looks      = 3 // guesses that are compared with what comes, without a pass for them
)

// readsPerToken is how many tokens of a prompt the smaller model reads for each token that
// the answer has already: it is not worth while to read a long prompt for a short answer.
const readsPerToken = 64

// Saw takes the next token of the answer.
func (m *Model) Saw(id int32) {
	m.idle++
	if len(m.open) == 0 {
		return
	}
	g, hit := m.open[0], 0.0
	if g.id == id {
		hit = 1
		m.open = m.open[1:]
	} else {
		m.open = nil // the others went on from it
	}
	m.saw(g.sure, hit)
}

// guess appends what may follow to a list. With look, nobody will check it: only whether it
// comes true is wanted.
func (m *Model) guess(ctx context.Context, to []int32, at Moment, p *Pace, look bool) []int32 {
	m.idle, m.open = 0, nil
	m.ids = append(m.ids[:0], at.IDs...)
	m.sampler.Follow(at.Sampler)
	first, costs := len(to), p.reckoned()
	alone, dear := costs.of(1+at.Lost), p.dear(m)
	all, expected := 1.0, 1.0
	for n := 1; n <= min(at.Room, Most-at.Lost, cap(m.history.IDs)-len(at.IDs)); n++ {
		if look && n > looks {
			break
		}
		if n > 1 && !look {
			more := costs.of(1+at.Lost+n) - costs.of(at.Lost+n) + dear
			if all*m.usual*alone < more {
				break
			}
		}
		id, sure, err := m.next(ctx, at.Allowed)
		if err != nil {
			m.end(ctx, err)
			break
		}
		m.open = append(m.open, guess{id, sure})
		m.ids, to = append(m.ids, id), append(to, id)
		at.Allowed = nil // what may come later is not known
		all *= m.right[sure]
		expected += all
	}
	if n := len(to) - first; look || !p.always && n > 0 && expected*alone < costs.of(1+at.Lost+n) {
		to = to[:first] // it is not sure enough to be checked
	}
	return to
}

// next reads what the model has not read yet and chooses the token that follows.
func (m *Model) next(ctx context.Context, allowed sampling.Mask) (id int32, sure int, err error) {
	unread := len(m.ids) - m.history.Shared(m.ids)
	start := time.Now()
	scores, err := m.history.Read(ctx, m.ids)
	if err != nil {
		return 0, 0, err
	}
	m.costs.Learn(unread, time.Since(start))
	m.notice = append(m.notice, m.history.Model.Notices()...)
	scores = scores[:min(len(scores), m.vocab)]
	if id, err = m.sampler.Next(scores, m.ids, allowed); err != nil {
		return 0, 0, err
	}
	return id, sureness(scores, id), nil
}

// sureness sorts guesses by how far the score of a token is above those of all others.
func sureness(scores []float32, id int32) int {
	lead := scores[id]
	next := lead - 100
	for i, s := range scores {
		if s > next && int32(i) != id {
			next = s
		}
	}
	switch ahead := lead - next; {
	case ahead >= 4:
		return 4
	case ahead >= 2:
		return 3
	case ahead >= 1:
		return 2
	case ahead >= 0.5:
		return 1
	}
	return 0
}

// end ends the guesses after an error. An answer that was cancelled ends by itself.
func (m *Model) end(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	m.ended = true
	why := err.Error()
	if errors.Is(err, sampling.ErrNothingAllowed) {
		why = "none of its tokens is allowed here"
	}
	m.notice = append(m.notice, fmt.Sprintf("the model that guesses has stopped, and the answer goes on without it: %s", why))
}

// due reports whether to look again whether guesses come true; the next time is later.
func (m *Model) due() bool {
	if m.idle < m.pause {
		return false
	}
	m.pause = min(2*m.pause, lastPause)
	return true
}

// unread returns how many of the ids the model has yet to read.
func (m *Model) unread(ids []int32) int { return len(ids) - m.history.Shared(ids) }
