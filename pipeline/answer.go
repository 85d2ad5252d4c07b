package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"inglenook/pipeline/decoding"
	"inglenook/pipeline/drafting"
	"inglenook/pipeline/placement"
	"inglenook/pipeline/toolcall"
	"inglenook/sampling"
)

// answer is one answer that is being made.
type answer struct {
	prompt  Prompt
	o       ReplyOptions
	ends    []int32
	history *decoding.History
	sampler *sampling.Sampler
	rules   *rules // nil: any text
	stream  *textStream
	calls   *toolcall.Reader // nil: no tool was offered
	looper  sampling.Looper
	drafts  *drafting.Drafts // nil: nothing is guessed
	undraft func()           // ends the use of the model that guesses
	seed    uint64

	logprobs []Logprob // of tokens that may yet belong to a stop text
	told     []int32   // prompt and answer, as the guesses last saw them
	recalled int       // ids that came from o.Prefix
	yield    func(Token, error) bool

	started *Started // until the first token has it
	began   time.Time
	tokens  int
	on      placement.Outcome // where it ran
	notices []string          // those of all tokens so far

	unguessed, untold []string // of the notices those about guesses, and further ones of the next token
}

func (g *Generator) newAnswer(s *seat, p Prompt, o ReplyOptions) (*answer, error) {
	if err := g.check(p); err != nil {
		return nil, err
	}
	how := g.info.Sampling
	if o.Sampling != nil {
		how = *o.Sampling
	}
	if how.Seed == 0 {
		how.Seed = 1 + uint64(rand.Uint32())
	}
	a := &answer{prompt: p, o: o, ends: g.ends, history: s.history, seed: how.Seed, undraft: func() {}}
	var err error
	if a.sampler, err = sampling.New(how); err != nil {
		return nil, err
	}
	if a.rules, err = g.rules(o); err != nil {
		return nil, err
	}
	a.stream, err = newTextStream(g.tok, g.tags, o, p)
	if err == nil && p.chat && len(o.Tools) > 0 {
		form := g.template.Calls()
		a.calls = toolcall.NewReader(*form, o.Tools, o.ToolChoice != "")
		a.stream.mark(g.tok, form.Marks())
	}
	if err == nil {
		err = g.draft(s, a, how)
	}
	return a, err
}

// run reads the prompt and makes token after token until something ends it.
func (a *answer) run(ctx context.Context) {
	a.history.Model.Ran(a.o.Profile)
	a.history.Progress = a.o.Progress
	defer func() { a.history.Progress = nil }()
	start := time.Now()
	a.history.Begin(len(a.prompt.IDs))
	if a.o.Prefix != nil {
		a.recalled = a.history.Recall(ctx, a.o.Prefix, a.prompt.IDs)
	}
	kept := a.history.Shared(a.prompt.IDs)
	scores, err := a.history.Read(ctx, a.prompt.IDs)
	a.began = time.Now()
	if err != nil {
		a.fail(ctx, err)
		return
	}
	a.start(kept, start)
	for made := a.began; ; made = time.Now() {
		id, err := a.choose(scores)
		if err != nil {
			a.history.Cut(kept) // nothing that led to such numbers is built upon
			a.fail(ctx, unusable(err))
			return
		}
		if more := a.take(id, made); !more {
			return
		}
		if scores, err = a.next(ctx, id); err != nil {
			a.fail(ctx, err)
			return
		}
	}
}

// choose takes the next token, within the grammar.
func (a *answer) choose(scores []float32) (id int32, err error) {
	if a.rules == nil {
		id, err = a.sampler.Next(scores, a.history.IDs, nil)
	} else if id, err = a.sampler.Next(scores, a.history.IDs, a.rules.Mask()); err == nil {
		err = a.rules.Accept(id)
	}
	if a.o.Logprobs && err == nil {
		a.logprobs = append(a.logprobs, a.likely(scores, id))
	}
	return id, err
}

// likely is how likely a token was, beside the likeliest ones.
func (a *answer) likely(scores []float32, id int32) Logprob {
	of, best := sampling.Logprobs(scores, id, a.o.TopLogprobs)
	out := Logprob{Likely: of, Bytes: a.stream.bytes(id)}
	for _, b := range best {
		out.Top = append(out.Top, Logprob{Likely: b, Bytes: a.stream.bytes(b.ID)})
	}
	return out
}

// certain returns the logprobs of tokens that belong to the answer for certain, once.
func (a *answer) certain(ends bool) (list []Logprob) {
	if a.stream.stop != "" || !ends && a.stream.pending != "" {
		return nil
	}
	list, a.logprobs = a.logprobs, nil
	return list
}

// next returns the scores after a token of the answer. Where it has to read that token,
// it reads with it those that may follow.
func (a *answer) next(ctx context.Context, id int32) ([]float32, error) {
	d, h := a.drafts, a.history
	if d == nil {
		return h.Next(ctx, id)
	}
	tried := h.Tried(id)
	d.Saw(id, tried)
	if tried {
		return h.Next(ctx, id)
	}
	lost, room := h.Lost(), min(h.Room(), a.left()-1)
	if a.o.Draft == DraftAuto && !h.Steady(drafting.Most) {
		room = 0 // else rounding, and so the answer, could depend on the time that passes take
	}
	guess := d.Guess(ctx, a.moment(id, lost, room))
	start := time.Now()
	scores, err := h.Try(ctx, id, guess)
	d.Ran(1+lost+len(guess), time.Since(start))
	return scores, err
}

// moment is where the answer is, for those who guess what follows a token of it.
func (a *answer) moment(id int32, lost, room int) drafting.Moment {
	a.told = append(append(a.told[:0], a.history.IDs...), id)
	m := drafting.Moment{IDs: a.told, Sampler: a.sampler, Lost: lost, Room: room, Again: a.history.Recurrent()}
	if a.rules != nil {
		m.Allowed = a.rules.Mask()
	}
	return m
}

// left returns how many tokens the answer may still get.
func (a *answer) left() int {
	left := a.prompt.Room - a.tokens
	if a.o.MaxTokens > 0 {
		left = min(left, a.o.MaxTokens-a.tokens)
	}
	return left
}

// start notes how the answer begins.
func (a *answer) start(kept int, start time.Time) {
	a.on = a.history.Model.Ran(a.o.Profile)
	a.started = &Started{
		Plan: a.prompt.Plan, Reused: kept, Recalled: a.recalled, Took: a.began.Sub(start), Seed: a.seed,
		Device: a.on.Device(), Fallbacks: a.on.Fallbacks, Profile: a.on.Profile,
	}
}

// take hands out a token and reports whether another one is to be made.
func (a *answer) take(id int32, made time.Time) (more bool) {
	a.tokens++
	reason := ""
	var said []sampling.Segment
	if _, end := slices.BinarySearch(a.ends, id); end && !a.o.IgnoreEnd {
		reason = FinishStop
		a.logprobs = a.logprobs[:max(0, len(a.logprobs)-1)]
	} else {
		var err error
		if said, err = a.stream.push(id); err != nil {
			a.give(Token{ID: id, Notice: a.notice()}, nil, a.finished(FinishError), err)
			return false
		}
		switch {
		case a.stream.stop != "", a.rules != nil && a.rules.Done():
			reason = FinishStop
		case a.tokens == a.o.MaxTokens:
			reason = FinishLength
		case a.tokens == a.prompt.Room:
			reason = FinishContext
		case a.looper.Push(id) && !a.o.IgnoreEnd:
			reason = FinishRepeats
		}
	}
	t := Token{ID: id, Took: time.Since(made), Started: a.started, Notice: a.notice(), Logprobs: a.certain(reason != "")}
	a.started = nil
	if reason == "" {
		if a.rules != nil {
			a.rules.note(said)
		}
		return a.give(t, said, nil, nil)
	}
	a.end(t, append(said, a.stream.flush()...), reason)
	return false
}

// end hands out the last token. If the model ended the answer itself, the
// answer is complete and has to follow all rules.
func (a *answer) end(t Token, said []sampling.Segment, reason string) {
	var err error
	if a.rules != nil && reason == FinishStop && a.stream.stop == "" {
		a.rules.note(said)
		if err = a.rules.check(); err != nil {
			reason = FinishError
		}
	}
	a.give(t, said, a.finished(reason), err)
}

// fail ends the answer with an error.
func (a *answer) fail(ctx context.Context, err error) {
	reason := FinishError
	if ctx.Err() != nil {
		reason, err = FinishCancelled, context.Cause(ctx)
	}
	a.give(Token{ID: -1, Notice: a.notice()}, a.stream.flush(), a.finished(reason), err)
}

// notice is what has to be told with the next token.
func (a *answer) notice() string {
	guesses := append(a.untold, a.drafts.Notices()...)
	news := append(a.history.Model.Notices(), guesses...)
	a.notices, a.unguessed, a.untold = append(a.notices, news...), append(a.unguessed, guesses...), nil
	return strings.Join(news, "; ")
}

func (a *answer) finished(reason string) *Finished {
	on := a.history.Model.Ran(false)
	if len(on.Devices) == 0 {
		on.Devices, on.Fallbacks = a.on.Devices, a.on.Fallbacks
	}
	return &Finished{
		Reason: reason, Stop: a.stream.stop, Tokens: a.tokens, Took: time.Since(a.began),
		Device: on.Device(), Fallbacks: on.Fallbacks, Notices: a.notices, Unguessed: a.unguessed, Profile: on.Profile,
		Outcome: a.drafts.Outcome(),
	}
}

// give yields a token with the text that came with it, in one entry for each
// stretch of thinking or answer, and for each call.
func (a *answer) give(t Token, said []sampling.Segment, f *Finished, err error) (more bool) {
	parts := a.parts(said, f != nil)
	for i, p := range parts {
		t.Text, t.Thinking, t.Call = p.Text, p.Thinking, p.call
		if i == len(parts)-1 {
			break
		}
		if !a.yield(t, nil) {
			return false
		}
		t = Token{ID: -1}
	}
	t.Finished = f
	return a.yield(t, err)
}

// part is a stretch of what was said, or a call.
type part struct {
	sampling.Segment
	call *ToolCall
}

// parts separates calls from what was said.
func (a *answer) parts(said []sampling.Segment, ends bool) (out []part) {
	add := func(pieces []toolcall.Piece) {
		for _, p := range pieces {
			out = append(out, part{sampling.Segment{Text: p.Text}, p.Call})
		}
	}
	for _, s := range said {
		if a.calls == nil || s.Thinking {
			out = append(out, part{Segment: s})
		} else {
			add(a.calls.Push(s.Text))
		}
	}
	if a.calls != nil && ends {
		add(a.calls.Flush())
	}
	return out
}

// unusable is the error about numbers that no working model computes.
func unusable(err error) error {
	if !errors.Is(err, sampling.ErrLogits) {
		return err
	}
	return fmt.Errorf("%w; its weights may be damaged (get the checkpoint again) or overflow in their number type", err)
}
