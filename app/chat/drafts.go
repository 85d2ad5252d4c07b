package chat

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/pipeline"
)

// DraftOff is the usual way to write an answer: without guesses.
const DraftOff = pipeline.DraftOff

// byModel begins a way to guess that names the model that guesses.
const byModel = pipeline.DraftModel + "="

// Drafts are the ways to guess how an answer goes on, for [pool.WriterOptions].
func Drafts() []string {
	return []string{pipeline.DraftAuto, pipeline.DraftLookup, byModel + "NAME", DraftOff}
}

// ParseDraft splits a way to guess into that of a [ReplyOptions] and the name of the model that
// guesses, which is empty where none is named.
func ParseDraft(way string) (draft, model string, err error) {
	if name, named := strings.CutPrefix(way, byModel); named {
		if strings.TrimSpace(name) == "" {
			return "", "", errors.New("no model is named that is to guess; give one, as in model=path/to/small.gguf")
		}
		return pipeline.DraftModel, name, nil
	}
	switch way {
	case "", pipeline.DraftOff, pipeline.DraftLookup, pipeline.DraftAuto:
		return way, "", nil
	}
	return "", "", fmt.Errorf("there is no way %q to guess what comes next; give one of %s", way, strings.Join(Drafts(), ", "))
}

// drafter is an open model that guesses for another one.
type drafter struct {
	way     string // of a ReplyOptions
	model   *pipeline.Drafter
	release func()
}

// drafting is a model for which another one can guess.
type drafting interface {
	NewDrafter(small pipeline.Writer) *pipeline.Drafter
}

// openDrafter opens what guesses for a model in the way of its options. Where nothing can, a sentence
// says why, and answers are made without.
func (s *Service) openDrafter(ctx context.Context, model pipeline.Writer, o pool.WriterOptions, report func(base.Progress)) (d drafter, why string, err error) {
	way, name, err := ParseDraft(o.Draft)
	d = drafter{way: way, release: func() {}}
	if err != nil || name == "" {
		return d, "", err
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
	large, ok := model.(drafting)
	if !ok {
		return d, "there are no guesses, because the model that answers does not run on this computer", nil
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
	return d, strings.Join(small.Notices, "; "), nil
}

// in puts the guesses into the options of an answer that does not say how to guess.
func (d drafter) in(o ReplyOptions) ReplyOptions {
	if o.Draft == "" {
		o.Draft, o.Drafter = d.way, d.model
	}
	return o
}

// DraftNote says in two words how much faster guesses made an answer, 0.62 for 62 %; "" for
// less than one in a hundred.
func DraftNote(gain float64) string {
	percent := math.Round(100 * gain)
	if percent == 0 {
		return ""
	}
	return fmt.Sprintf("drafts %+.0f %%", percent)
}
