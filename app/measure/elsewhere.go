package measure

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/pipeline"
)

// beside returns the request for a model of a server: a row for the server, and before it
// those of the request where the same model lies on this computer, so that both can be
// compared. entry is the model of each row.
func (s *Runner) beside(ctx context.Context, e library.Entry, r Request) (_ Request, entry func(devices.Target) library.Entry) {
	entry = func(devices.Target) library.Entry { return e }
	if !e.Elsewhere() {
		return r, entry
	}
	server := devices.Target{Device: e.Server}
	here, err := s.library.Usable(ctx, e.Architecture)
	if err != nil || here.Elsewhere() || here.Kind != e.Kind {
		r.Targets = []devices.Target{server}
		return r, entry
	}
	r.Targets = append(r.Targets[:len(r.Targets):len(r.Targets)], server)
	return r, func(t devices.Target) library.Entry {
		if t == server {
			return e
		}
		return here
	}
}

// onlySpeed refuses what cannot be seen from outside of a server.
func onlySpeed(e library.Entry, r Request) error {
	switch {
	case !e.Elsewhere():
		return nil
	case r.Norms, r.Guesses, r.Draft != "" && r.Draft != pipeline.DraftOff:
		return fmt.Errorf("%s runs on a server, of which only speed can be measured; leave out single operations and guesses", e.Name)
	case r.Amounts.Depth > 0 || r.Curve && e.Writes():
		return errors.New("what a server keeps in its context is not known here, so speed by the size of the context cannot be measured; leave that out")
	}
	return nil
}

// remoteSubject lets a language model on a server read and write.
type remoteSubject struct {
	open   pool.Opened[pipeline.Writer]
	random *rand.Rand
}

func (r *rowRun) openElsewhere(ctx context.Context) (subject, error) {
	open, err := r.pool.OpenWriter(ctx, r.entry, pool.WriterOptions{Model: r.entry.ID}, nil)
	if err != nil {
		return nil, err
	}
	return &remoteSubject{open, rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 5))}, nil
}

func (s *remoteSubject) Close() error { s.open.Release(); return nil }

func (s *remoteSubject) finish(row *Row) {
	row.Notes = append(row.Notes, "Its figures have the way to the server and back in them.")
}

func (s *remoteSubject) at(context.Context, int) (time.Duration, error) {
	return 0, errors.New("a server has no curve")
}

// do has about so many tokens read or written. The server says how many there really were,
// and the time is that for the amount, also where the model sees less at once. A prompt begins differently each time, so that
// nothing of it was read before.
func (s *remoteSubject) do(ctx context.Context, j job) (run, error) {
	words, most := j.amount, 1
	if j.work == fit.WorkGenerate {
		words, most = 16, j.amount
	}
	words = min(words, s.open.Model.Info().Context/4) // a word may be several tokens there
	start := time.Now()
	var first time.Duration
	got, err := chat.Collect(pipeline.Answer(ctx, s.open.Model, []pipeline.Message{pipeline.TextMessage("user", s.text(words))}, pipeline.ReplyOptions{
		MaxTokens: most, IgnoreEnd: true, Sampling: &pipeline.Sampling{TopP: 1, TypicalP: 1, RepeatPenalty: 1},
	}), func(chat.Token) {
		if first == 0 {
			first = time.Since(start)
		}
	})
	if err != nil {
		return run{}, err
	}
	out := run{device: got.Finished.Device, notices: got.Finished.Notices, first: got.Started.Took, context: got.Started.PromptTokens + got.Finished.Tokens}
	if j.work == fit.WorkPrompt {
		out.took = perAmount(got.Started.Took, got.Started.PromptTokens, j.amount)
		out.first = out.took // nearly all of it goes by the tokens, too
		return out, nil
	}
	if got.Finished.Tokens < 2 {
		return run{}, fmt.Errorf("the model ended its answer after %d tokens, which is too little to measure", got.Finished.Tokens)
	}
	out.first = 0
	out.took = perAmount(got.Finished.Took, got.Finished.Tokens-1, j.amount) // the first one came with the prompt
	return out, nil
}

// perAmount is the time for an amount where n took a time.
func perAmount(took time.Duration, n, amount int) time.Duration {
	return time.Duration(float64(took) * float64(amount) / float64(max(1, n)))
}

// text is a question of about so many tokens.
func (s *remoteSubject) text(words int) string {
	list := []string{"river", "stone", "lamp", "garden", "winter", "music", "paper", "clock", "harbour", "letter", "bridge", "market"}
	var b strings.Builder
	b.WriteString("Go on with this text. ")
	for range words {
		b.WriteString(list[s.random.IntN(len(list))] + " ")
	}
	return b.String()
}
