package chat

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/pipeline"
	"inglenook/pipeline/words"
)

// drafter is an open model that guesses for another one.
type drafter struct {
	way     string // of a ReplyOptions
	model   *pipeline.Drafter
	release func()
	notices []string // about its device
}

// drafting is a model for which another one can guess.
type drafting interface {
	NewDrafter(small pipeline.Writer) *pipeline.Drafter
}

// notHere says why nothing guesses for a model of a server.
const notHere = "there are no guesses, because the model that answers does not run on this computer"

// openDrafter opens what guesses for a model in the way of its options. Where nothing can, a sentence
// says why, and answers are made without.
func (s *Service) openDrafter(ctx context.Context, model pipeline.Writer, o pool.WriterOptions, report func(base.Progress)) (d drafter, why string, err error) {
	way, name, err := ParseDraft(o.Draft)
	d = drafter{way: way, release: func() {}}
	large, here := model.(drafting)
	if err == nil && !here && way != "" && way != pipeline.DraftOff {
		return d, notHere, nil
	}
	if err == nil && way == pipeline.DraftAuto && headless(model) != "" {
		name, err = s.smaller(ctx, model, o)
	}
	if err == nil && way == pipeline.DraftMTP {
		why = headless(model)
	}
	if err != nil || name == "" {
		return d, why, err
	}
	e, err := s.library.Usable(ctx, name)
	switch {
	case err != nil && ctx.Err() == nil:
		return d, fmt.Sprintf("there are no guesses, because %v", err), nil
	case err != nil:
		return d, "", err
	case !e.Writes():
		return d, fmt.Sprintf("there are no guesses, because %s is made for %s; choose a language model", e.Name, library.KindInWords(e.Kind)), nil
	}
	o.Context = model.Info().Context
	if e.MaxLength > 0 {
		o.Context = min(o.Context, e.MaxLength)
	}
	small, err := s.pool.OpenWriter(ctx, e, o, report)
	if err != nil {
		if ctx.Err() != nil {
			return d, "", err
		}
		return d, fmt.Sprintf("there are no guesses, because the model that is to guess cannot be opened: %v", err), nil
	}
	d.model, d.release = large.NewDrafter(small.Model), small.Release
	if why := d.model.Why; why != "" {
		small.Release()
		d.model, d.release = nil, func() {}
		return d, why, nil
	}
	d.notices = small.Notices
	return d, "", nil
}

// headless says in one sentence why a model has no head that guesses for it; empty: it has one.
func headless(model pipeline.Writer) string {
	m, ok := model.(interface{ Head() string })
	if !ok {
		return notHere
	}
	return m.Head()
}

// in puts the guesses into the options of an answer that does not say how to guess.
func (d drafter) in(o ReplyOptions) ReplyOptions {
	if o.Draft == "" {
		o.Draft, o.Drafter = d.way, d.model
	}
	return o
}

// A model that guesses by itself for another one takes this part of its size, or less: else
// guesses would take too long.
const smallPart = 4

// usualPart is the part of a model's size at which another one is most likely to pay.
const usualPart = 10

// smallerFor is how long the choice of a smaller model holds: then others may be installed.
const smallerFor = time.Minute

// pair is which model guesses for another one; none: empty.
type pair struct {
	small string
	until time.Time
}

// smaller finds, among the installed ones, a model of the same vocabulary that could guess for an
// open one, and for which there is memory as things are; "": there is none. Guesses that change no
// bit are made on the processor alone, and for one answer at a time.
func (s *Service) smaller(ctx context.Context, model pipeline.Writer, o pool.WriterOptions) (string, error) {
	i := model.Info()
	if _, ok := model.(drafting); !ok || i.Device != "cpu" || i.Sequences > 1 {
		return "", nil
	}
	own, err := s.library.Usable(ctx, o.Model)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	known, ok := s.pairs[own.Stamp]
	s.mu.Unlock()
	if ok && time.Now().Before(known.until) {
		return known.small, nil
	}
	small, err := s.findSmaller(ctx, own, o.Target)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	s.pairs[own.Stamp] = pair{small, time.Now().Add(smallerFor)}
	s.mu.Unlock()
	return small, nil
}

func (s *Service) findSmaller(ctx context.Context, own library.Entry, t devices.Target) (string, error) {
	all, err := s.library.Models(ctx)
	if err != nil {
		return "", err
	}
	all = slices.DeleteFunc(all, func(m library.Model) bool {
		writes := m.Kind == library.KindChat || m.Kind == library.KindText
		return !writes || !m.Usable || m.Bytes == 0 || m.Bytes > own.Bytes/smallPart
	})
	apart := func(m library.Model) float64 {
		return math.Abs(math.Log(float64(m.Bytes) * usualPart / float64(own.Bytes)))
	}
	slices.SortStableFunc(all, func(a, b library.Model) int {
		if apart(a) < apart(b) {
			return -1
		}
		return 1
	})
	for _, m := range all {
		e, err := s.library.Usable(ctx, m.ID)
		if err == nil && s.sameWords(ctx, own, e) == nil && s.pool.HasRoom(ctx, e, t) {
			return m.ID, nil
		}
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
	}
	return "", nil
}

// sameWords returns an error where two models have another vocabulary.
func (s *Service) sameWords(ctx context.Context, a, b library.Entry) error {
	first, err := tokenizerOf(ctx, a)
	if err != nil {
		return err
	}
	defer first.Close()
	second, err := tokenizerOf(ctx, b)
	if err != nil {
		return err
	}
	defer second.Close()
	return words.SameTokens(first, second)
}

func tokenizerOf(ctx context.Context, e library.Entry) (*pipeline.Tokenizer, error) {
	files, folder, err := e.Location.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return pipeline.OpenTokenizer(files, e.Location.WeightsFile)
}
