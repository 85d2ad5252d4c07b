package pipeline

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"inglenook/engine"
	"inglenook/pipeline/decoding"
	"inglenook/pipeline/drafting"
	"inglenook/pipeline/placement"
	"inglenook/pipeline/words"
	"inglenook/sampling"
)

// ReplyOptions say how to answer; the zero value answers as the model's makers
// suggest.
type ReplyOptions struct {
	MaxTokens int       // of the answer; 0: until the model ends it or the context is full
	Sampling  *Sampling // nil: the model's own, as in GeneratorInfo.Sampling
	// Chosen are the values of Sampling that a person asked for, by the names that servers give
	// them, such as top_p. A server is sent these and what differs from DefaultSampling.
	Chosen     map[string]bool
	Stop       []string // texts before which the answer ends
	JSON       bool     // the answer is one JSON object, without thinking before it
	JSONSchema []byte   // the answer is one JSON value that this schema allows
	Tools      []Tool   // that the model may ask for; see Token.Call
	ToolChoice string   // the tool that it has to ask for, or AnyTool; "": it may answer as well
	IgnoreEnd  bool     // goes on after the model's own end and in a loop, for measurements
	Plain      bool     // the messages are one text, which is continued without a chat template

	// Logprobs asks for Token.Logprobs, each with as many of the likeliest tokens as
	// TopLogprobs says.
	Logprobs    bool
	TopLogprobs int

	// Draft is how to guess what comes next, so that one pass reads several tokens:
	// DraftOff, DraftLookup, DraftModel, DraftMTP or DraftAuto; empty: DraftOff. DraftAuto changes no
	// bit of any score, so it guesses only where devices give such; the others may round otherwise.
	// A head of the checkpoint's own guesses in DraftMTP and, as long as that pays, in DraftAuto.
	Draft string
	// Drafter guesses where Draft is DraftModel or DraftAuto; nil: no model does.
	Drafter *Drafter
	// Variables are further ones of the chat template, such as enable_thinking.
	Variables map[string]any
	// Progress is told how many tokens of the prompt are read, of those that
	// have to be read. It is called after each chunk. If a device fails, it
	// starts again, because another device has to read everything again.
	Progress func(done, total int)
	// Waiting is told once a second for how long a server is awaited, until the first word
	// comes; nil: nobody is. It is not called for a model on this computer.
	Waiting func(server string, since time.Duration)
	// Prefix is where to find what was read of the prompt before; nil: nowhere.
	Prefix *decoding.Prefix
	// Profile asks for Started.Profile and Finished.Profile.
	Profile bool
}

// AnyTool as ReplyOptions.ToolChoice makes a model ask for one of the tools.
const AnyTool = "\x00any"

// Token is one token of an answer. The Texts of all tokens, joined, are the
// answer. A Text is empty while a character or a possible stop text is not
// complete. The last one may hold the text of several tokens.
type Token struct {
	ID       int32 // -1 where the entry has text, or an end, but no token of its own
	Text     string
	Call     *ToolCall     // a tool that the model asks for; then there is no Text
	Thinking bool          // Text belongs to what the model thinks before it answers
	Took     time.Duration // to make it, once the one before was there (the first: once the prompt was read)

	// Notice is a sentence for a person about what happened on the way to this
	// token: a device failed, say, and another one took over.
	Notice string

	// Logprobs are of the tokens that belong to the answer for certain by now, if they were
	// asked for. A token that holds a part of a stop text, or ends the answer, is not among them.
	Logprobs []Logprob

	Started  *Started  // of the first alone
	Finished *Finished // of the last alone
}

// Logprob says how likely the model found a token when it wrote it, before anything
// else had a say in the choice: see [sampling.Logprobs].
type Logprob struct {
	sampling.Likely
	Bytes []byte // what the token adds to the text; a character may be spread over several
	Top   []Logprob
}

// Started says how an answer began.
type Started struct {
	Plan
	Reused    int           // tokens of the prompt that the cache held from before
	Recalled  int           // of them those that came from ReplyOptions.Prefix
	Took      time.Duration // to read the others
	Seed      uint64        // gives the same answer again
	Device    string
	Fallbacks []engine.Fallback
	Profile   placement.Profile // of reading the prompt
}

// Finished says how an answer ended.
type Finished struct {
	Reason    string // FinishStop …
	Stop      string // the stop text that ended it
	Tokens    int    // of the answer, a closing control token included
	Took      time.Duration
	Device    string
	Fallbacks []engine.Fallback
	Notices   []string // those of all tokens
	Unguessed []string // of them those that say why nothing was guessed, or no longer
	drafting.Outcome
	Profile placement.Profile // of making the answer
}

// OfDevices are the notices but those about guesses: an answer is the same without guesses.
func (f Finished) OfDevices() []string {
	return slices.DeleteFunc(slices.Clone(f.Notices), func(n string) bool { return slices.Contains(f.Unguessed, n) })
}

// The ways to guess what comes next, for ReplyOptions.Draft.
const (
	DraftOff    = drafting.Off
	DraftLookup = drafting.Always
	DraftModel  = drafting.Small
	DraftMTP    = drafting.Own
	DraftAuto   = drafting.Auto
)

// The reasons for which an answer ends.
const (
	FinishStop      = "stop"           // the model ended it, or it came to a stop text
	FinishLength    = "length"         // MaxTokens
	FinishContext   = "context"        // the context is full
	FinishRepeats   = "repeats"        // the model repeated the same words without end, as sampling.Looper notices
	FinishFiltered  = "content_filter" // a filter of the server that has the model ended it, or took words out
	FinishOther     = "other"          // a server ended it, or was ended, for a reason that a Notice tells
	FinishCancelled = "cancelled"      // the caller's context ended; its error comes with the last entry
	FinishError     = "error"          // which comes with the last entry
)

// Drafter is an open language model that guesses for a larger one.
type Drafter struct {
	small *Generator
	// Why says in one sentence why guesses would be of no use; empty: they may be.
	Why string
}

// NewDrafter returns a Drafter for this model. The other model has to stay open as long as
// answers use it. It has to know the same tokens and be the smaller one.
func (g *Generator) NewDrafter(other Writer) *Drafter {
	small, ok := other.(*Generator)
	switch {
	case !ok:
		return &Drafter{Why: "the model that is to guess does not run on this computer, so there are no guesses; choose one that does"}
	case g.whole || small.whole:
		return &Drafter{Why: "a model that reads a text whole can neither guess nor have another one guess, so there are no guesses"}
	case g.tok == nil != (small.tok == nil), g.tok == nil && g.vocab != small.vocab:
		return &Drafter{Why: "the two models have different vocabularies, so there are no guesses; choose a smaller one of the same family"}
	case small.info.Local.Parameters >= g.info.Local.Parameters:
		return &Drafter{Why: "the model that is to guess is not smaller than the one that answers, so there are no guesses; choose a smaller one"}
	}
	if g.tok != nil {
		if err := words.SameTokens(g.tok, small.tok); err != nil {
			return &Drafter{Why: fmt.Sprintf("the two models have different vocabularies (%v), so there are no guesses; choose a smaller one of the same family", err)}
		}
	}
	return &Drafter{small: small}
}

// draft begins the guesses of an answer. a.undraft ends the use of the model that makes them.
func (g *Generator) draft(s *seat, a *answer, how Sampling) error {
	p, o := a.prompt, a.o
	if err := drafting.Check(o.Draft); err != nil {
		return err
	}
	m, err := g.ownGuesses(s, a, how)
	if err != nil {
		return err
	}
	if f := o.Drafter; m == nil && f != nil && f.small != nil && (o.Draft == DraftModel || o.Draft == DraftAuto) {
		sampler, err := sampling.New(how)
		if err != nil {
			return err
		}
		if x := f.small.seats.lend(p.IDs); x != nil {
			m = drafting.NewModel(x.history, &x.costs, sampler, g.vocab)
			a.undraft = func() { f.small.seats.give(x) }
		} else if o.Draft == DraftModel {
			a.untold = append(a.untold, "the model that guesses is busy with another answer, so there are no guesses for this one")
		}
	}
	a.drafts = drafting.New(o.Draft, &s.costs, p.IDs, m)
	return nil
}

// Head says in one sentence why the checkpoint's own head cannot guess for answers; empty: it can.
func (g *Generator) Head() string {
	for _, s := range g.seats.list() {
		d, ok := s.history.Model.(*decoding.Decoder)
		if !ok {
			return "several answers are made at once, which a head that guesses cannot do yet, so there are no guesses; choose lookup"
		}
		if err := d.Guesses(); err != nil {
			if beside := g.set.Unjoined(); len(beside) > 0 {
				return beside[0] + "; lookup, and a smaller model, guess without it"
			}
			return err.Error()
		}
	}
	return ""
}

// ownGuesses begins the guesses of the model's own head, if they are wanted and it has one, and
// memory for it. The head goes on reading what the model reads until an answer is made without it.
func (g *Generator) ownGuesses(s *seat, a *answer, how Sampling) (*drafting.Model, error) {
	d, ok := s.history.Model.(*decoding.Decoder)
	if !ok || d.Guesses() != nil {
		return nil, nil
	}
	if way := a.o.Draft; way != DraftMTP && (way != DraftAuto || !s.costs.Awake()) {
		d.Unguessed()
		return nil, nil
	}
	if why := d.RoomAhead(); why != nil {
		if a.o.Draft == DraftMTP {
			a.untold = append(a.untold, why.Error())
		}
		return nil, nil
	}
	sampler, err := sampling.New(how)
	if err != nil {
		return nil, err
	}
	head, err := d.Guessed()
	if err != nil {
		return nil, err
	}
	return drafting.NewHead(head, &s.ahead, sampler, g.vocab, d.Unguessed), nil
}

// Reply implements Writer. It reads only what the cache does not hold of the
// prompt, in chunks. The next answer reuses all that was read until the end of
// this one.
func (g *Generator) Reply(ctx context.Context, p Prompt, o ReplyOptions) iter.Seq2[Token, error] {
	return func(yield func(Token, error) bool) {
		ctx, s, done, err := g.begin(ctx, p.IDs)
		if err != nil {
			yield(Token{ID: -1}, err)
			return
		}
		defer done()
		a, err := g.newAnswer(s, p, o)
		if err != nil {
			yield(Token{ID: -1}, err)
			return
		}
		defer a.undraft()
		a.yield = yield
		a.run(ctx)
	}
}

// CompleteIDs continues a sequence of token ids.
func (g *Generator) CompleteIDs(ctx context.Context, ids []int32, o ReplyOptions) iter.Seq2[Token, error] {
	return g.Reply(ctx, newPrompt(ids, g.context), o)
}
